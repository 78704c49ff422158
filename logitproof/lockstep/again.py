"""A saved failure played once more: what the oracles say of its target, or where its two targets differ."""

from __future__ import annotations

from collections.abc import Callable

from logitproof.targets import Target, load_target

from .difference import Comparison, first_difference
from .driver import Run
from .failures import Failure, reload
from .other_hash_seeds import run_again
from .watchdog import no_beat


def play_again(
    saved: Failure,
    target: str | type | None = None,
    thorough: bool = False,
    beat: Callable[[], None] = no_beat,
) -> tuple[Target, Run]:
    """The target and its run. target: where it is now, if not there any more. thorough, beat: as for `run`.

    Raises TargetError, in one line.
    """
    loaded = reload(saved, target)
    if saved.second is None:
        return loaded, run_again(saved.history, loaded, saved.oracle, thorough, beat)
    second = load_target(saved.second, vocab=saved.history.vocab, learns=False)
    found = first_difference(saved.history, loaded, second, Comparison())
    return loaded, Run(() if found is None else (found,), (), len(saved.history.steps))
