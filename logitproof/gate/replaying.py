"""The gate's third part: a saved failure, which must stay mended."""

from __future__ import annotations

import time
from pathlib import Path

from logitproof.cli.exits import Exit
from logitproof.lockstep import Caught
from logitproof.lockstep.again import play_again
from logitproof.lockstep.failures import load
from logitproof.lockstep.history_json import CorruptHistory
from logitproof.report.failure import draw_failure, first_line
from logitproof.report.kept import Kept
from logitproof.targets import TargetError

from .known import Baseline
from .part import Part


def replay_part(path: Path, baseline: Baseline) -> Part:
    """Play the history of a saved failure once more."""
    began = time.perf_counter()
    try:
        saved = load(path)
        target, played = play_again(saved)
        faults = played.faults
    except (CorruptHistory, TargetError) as error:
        return Part("replay", path.stem, Exit.USAGE, "not run", notes=(str(error),))
    name, steps, seconds = (
        f"{path.stem} {saved.target}",
        len(saved.history.steps),
        time.perf_counter() - began,
    )
    if not faults:
        code, verdict = (Exit.HOLDS, "mended") if saved.fails_again else (Exit.UNKNOWN, "not seen again")
        return Part("replay", name, code, verdict, seconds, steps)
    caught = Caught(faults, saved.history, found_after=0)
    if baseline.lets_pass(saved.target, faults[0].oracle, faults[0].law):
        return Part("replay", name, Exit.HOLDS, "known", seconds, steps, notes=(first_line(target, caught),))
    picture = draw_failure(target, caught, Kept(f"logitproof replay {path}", path))
    notes = (first_line(target, caught),)
    return Part("replay", name, Exit.BROKEN, "FAILED", seconds, steps, notes, picture=picture)
