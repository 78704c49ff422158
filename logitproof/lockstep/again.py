"""A saved failure played once more: what the oracles say of its target, or where its two targets differ."""

from __future__ import annotations

from collections.abc import Callable

from logitproof.targets import Target, TargetError, load_target

from .dead_parameters import DeadParameter
from .difference import Comparison, first_difference
from .driver import Run, run
from .failures import Failure, reload
from .history import History
from .oracles.hash_seed import HashSeed
from .other_hash_seeds import NotCompared, compared
from .unread_params import unread_params
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


def run_again(
    history: History,
    target: Target,
    oracle: str,
    thorough: bool = False,
    beat: Callable[[], None] = no_beat,
) -> Run:
    """Play a history once more as the oracle that spoke of it needs it. Raises TargetError: it cannot be played."""
    if oracle == DeadParameter.code:
        unread = unread_params(target, history.params, history.dtype)
        return Run(() if unread is None else (unread[1],), (), len(history.steps))
    if oracle != HashSeed.code:
        return run(history, target, thorough=thorough, beat=beat)
    try:
        found = tuple(finding for finding in compared(target, [history], beat) if finding is not None)
    except NotCompared as error:
        raise TargetError(f"{target.name}: {error}") from error
    return Run(found, (), len(history.steps))
