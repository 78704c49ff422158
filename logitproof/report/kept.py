"""Keeps a failure for later: a versioned JSON file, and a test that replays it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from textwrap import wrap

from logitproof.lockstep import Caught
from logitproof.lockstep.failures import Unwritable, save
from logitproof.targets import Target
from logitproof.testing.written_test import snake_case


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a failure is kept, and the command that shows it again.

    file, test: None where it could not be kept. note: why it lies elsewhere or nowhere, for the user.
    """

    command: str
    file: Path | None = None
    test: Path | None = None
    note: str = ""


def keep(
    target: Target, caught: Caught, report_dir: Path, seed: int | None, rerun: str, second: str | None = None
) -> Kept:
    """Write the files of a failure under `report_dir`, or under a new temporary folder where that cannot be written.

    rerun: the command that makes the same run once more, for a failure that no file can hold. second: as for `save`.
    """
    try:
        return _kept(target, caught, report_dir, seed, rerun, second)
    except OSError as error:
        elsewhere = Path(mkdtemp(prefix="logitproof-"))
        kept = _kept(target, caught, elsewhere, seed, rerun, second)
        note = f"{report_dir} cannot be written ({error.strerror}), so it was saved under {elsewhere}."
        return Kept(kept.command, kept.file, kept.test, note)
    except Unwritable as error:
        return Kept(rerun, note=f"The failure was not saved: {error}.")


def _kept(
    target: Target, caught: Caught, report_dir: Path, seed: int | None, rerun: str, second: str | None
) -> Kept:
    file = save(report_dir, target, caught.findings[0], caught.history, seed, caught.fails_again, second)
    if any("<" in spec for spec in (target.name, target.reference_spec or "", second or "")):
        note = f"Saved as {file}, but only here: no other process can find what is defined inside a function."
        return Kept(rerun, file, note=note)
    test = file.with_name(f"test_{file.stem}.py")
    test.write_text(_replaying_test(target, caught, file, seed), encoding="utf-8")
    return Kept(f"logitproof replay {file}", file, test)


def _replaying_test(target: Target, caught: Caught, file: Path, seed: int | None) -> str:
    finding = caught.findings[0]
    name = f"test_{snake_case(target.name.rpartition(':')[2])}_{snake_case(finding.oracle)}"
    about = [
        *wrap(f"{finding.title}: {finding.summary}", 110),
        f"Found in {target.name}{'' if seed is None else f' with seed {seed}'}.",
        "",
        f"To keep it as a regression test, move this file and {file.name} to your tests together.",
        "Run it from the folder in which it was found: paths are taken from there.",
    ]
    return "\n".join(
        [
            *(f"# {line}".rstrip() for line in about),
            "",
            "from pathlib import Path",
            "",
            "import logitproof",
            "",
            "",
            f"def {name}():",
            f'    logitproof.replay_failure(Path(__file__).with_name("{file.name}"))',
            "",
        ]
    )
