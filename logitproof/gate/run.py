"""Runs what the settings ask for: proofs, fuzzing, saved failures, and a look at the known findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

from logitproof.cli.exits import Exit
from logitproof.lockstep.saved import FOLDER

from .fuzzing import fuzz_part
from .known import Baseline
from .part import Part
from .proving import check_part
from .replaying import replay_part
from .settings import Settings


def run_gate(settings: Settings, today: date, progress: Callable[[str], None]) -> Iterator[Part]:
    """Every part in turn. progress hears what comes next. Paths are taken from the current folder."""
    baseline = Baseline(settings.known, today)
    replays = settings.replays or settings.report_dir / FOLDER
    saved = sorted(replays.glob("*.json"))  # before fuzzing saves more
    clean: set[str] = set()
    if settings.check:
        progress("check")
        yield check_part()
    for wanted in settings.targets:
        progress(f"fuzz {wanted.target}")
        part = fuzz_part(wanted, settings, baseline)
        yield part
        if part.code is Exit.INTERRUPTED:
            return
        if part.code in (Exit.HOLDS, Exit.GATE):
            clean.add(wanted.target)
    for path in saved:
        progress(f"replay {path}")
        yield replay_part(path, baseline)
    for known in settings.known:
        if known.target in clean and not baseline.met[known]:
            said = (
                f"{known} was not met in {known.target}. Take it out of known; its reason was: {known.reason}"
            )
            yield Part("known", f"{known.target} {known}", Exit.GATE, "not needed", notes=(said,))
