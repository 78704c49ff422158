"""`replay_failure`: a saved failure as a regression test."""

from __future__ import annotations

from pathlib import Path

from logitproof.fuzz_options import Spec

from .check import is_ours, one_thread
from .faults import ProcessorFault


def replay_failure(file: Path | str, *, target: type | Spec | None = None) -> None:
    """Play the history of a saved failure once more.

    file: the JSON file that `logitproof fuzz` or `check_processor` wrote.
    target: the processor, if it is not where it was when the failure was saved. A path in the file is taken from the
    folder in which the tests run.

    Raises ProcessorFault: it still fails. CorruptHistory: the file cannot be read or is from a newer version.
    TargetError: the processor is not there any more.
    """
    __tracebackhide__ = is_ours
    from logitproof.lockstep import Caught
    from logitproof.lockstep.again import play_again
    from logitproof.lockstep.failures import load
    from logitproof.report.failure import first_line, told

    file = Path(file)
    saved = load(file)
    with one_thread():
        loaded, played = play_again(saved, target)
        faults = played.faults
        if faults:
            caught = Caught(faults, saved.history, found_after=0)
            shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
            text = "\n".join([*told(loaded, caught), "", "reproduce with:", f"  logitproof replay {shown}"])
            raise ProcessorFault(
                text, first_line(loaded, caught), saved.seed, faults[0].oracle, faults[0].law, file
            )
