"""The running model against the laws of section B, read off plain lists: every small step, and some large ones.

The unbounded theorems are about rules. What holds the rules together (the plan, the order of the loops, the making of
the update, the consumer's loops) is ordinary code; here it is watched from outside, by statements that share nothing
with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from logitproof.model import Outcome, replay, step
from logitproof.model.concrete import Concrete
from logitproof.spec import Dialect, MoveDirectionality
from logitproof.spec.invariants import contiguous, well_formed

from .small_steps import SmallStep, large_steps, small_steps

SCOPES = ((4, 3, 0), (3, 2, 1), (2, 1, 2))
"""Slots, arrivals, swaps. Two condense moves need four slots; three arrivals extend after a refill of two."""
LARGE_STEPS = 150
"""Many enough that each of a few random numbers up to six takes every value."""

Documented = Outcome[str]


def _slots_of(small: SmallStep) -> list[int]:
    return sorted(small.batch.index(request) for request in small.finished)


def b1_refills(small: SmallStep, seen: Documented) -> bool:
    added = seen.update.added if seen.update else []
    refilled = _slots_of(small)[: len(small.new)]
    return added[: len(refilled)] == list(zip(refilled, small.new, strict=False))


def b2_extends(small: SmallStep, seen: Documented) -> bool:
    added = seen.update.added if seen.update else []
    late = small.new[len(small.finished) :]
    return added[len(small.finished) :] == [(len(small.batch) + i, name) for i, name in enumerate(late)]


def b3_removes(small: SmallStep, seen: Documented) -> bool:
    removed = seen.update.removed if seen.update else []
    return removed == _slots_of(small)[len(small.new) :]


def b4_b9_condenses(small: SmallStep, seen: Documented) -> bool:
    moved = seen.update.moved if seen.update else []
    one_way = [(s, d) for s, d, how in moved if how is MoveDirectionality.UNIDIRECTIONAL]
    live = [slot not in _slots_of(small)[len(small.new) :] for slot in range(len(small.batch))]
    expected = []
    while True in live and False in live[: (high := max(i for i, there in enumerate(live) if there))]:
        low = live.index(False)
        expected.append((high, low))
        live[low], live[high] = True, False
    return one_way == expected


def b5_counts(small: SmallStep, seen: Documented) -> bool:
    return seen.update is None or seen.update.batch_size == len(seen.batch)


def b6_swaps_last(small: SmallStep, seen: Documented) -> bool:
    moved = seen.update.moved if seen.update else []
    swaps = [(s, d) for s, d, how in moved if how is MoveDirectionality.SWAP]
    return swaps == list(small.swaps) and all(
        how is MoveDirectionality.SWAP for _, _, how in moved[len(moved) - len(swaps) :]
    )


def b7_is_silent(small: SmallStep, seen: Documented) -> bool:
    return (seen.update is None) == (not small.finished and not small.new and not small.swaps)


def b8_conserves(small: SmallStep, seen: Documented) -> bool:
    return sorted(seen.batch) == sorted({*small.batch, *small.new} - {*small.finished})


def c2_replays(small: SmallStep, seen: Documented) -> bool:
    for dialect in Dialect:
        outcome = small.take(dialect)
        if outcome.batch != seen.batch or replay(small.batch, outcome.update) != seen.batch:
            return False
    return True


def c3_dialects_differ_as_described(small: SmallStep, seen: Documented) -> bool:
    if seen.update is None:
        return True
    removed = {d: u.removed for d in Dialect if (u := small.take(d).update)}
    filled = {d for _, d, how in seen.update.moved if how is MoveDirectionality.UNIDIRECTIONAL}
    return removed.get(Dialect.REDUNDANT, []) == _slots_of(small) and removed.get(Dialect.ELIDED, []) == [
        i for i in seen.update.removed if i not in filled
    ]


def the_batch_invariants_hold(small: SmallStep, seen: Documented) -> bool:
    L = Concrete(len(small.batch) + len(small.new) + 1)
    return bool(well_formed(L, seen.state.batch) and contiguous(L, seen.state.batch))


LAWS_WATCHED: dict[str, tuple[tuple[str, ...], Callable[[SmallStep, Documented], bool]]] = {
    "new requests fill the lowest finished slots in order": (("B1",), b1_refills),
    "the rest extend the batch consecutively": (("B2",), b2_extends),
    "finished slots that were not refilled are removed": (("B3",), b3_removes),
    "condense moves the highest request into the lowest hole": (("B4", "B9"), b4_b9_condenses),
    "batch_size counts the live": (("B5",), b5_counts),
    "the plan's swaps come last": (("B6",), b6_swaps_last),
    "the update is None iff nothing happened": (("B7",), b7_is_silent),
    "nobody is lost or doubled": (("B8",), b8_conserves),
    "replay by C1 gives the engine's batch in each dialect": (("C1", "C2"), c2_replays),
    "the dialects announce what they say they announce": (("C3",), c3_dialects_differ_as_described),
    "the invariants hold": (("A1", "A2", "A3", "A4"), the_batch_invariants_hold),
}


def refuses_what_no_engine_could_do() -> bool:
    """Whether a step with an impossible swap or an impossible request is refused, whole."""
    impossible: tuple[dict[str, Any], ...] = (
        *({"batch": "AB", "swaps": [pair]} for pair in ((0, 2), (2, 0), (-1, 0), (0, -1), (1, 1))),
        {"batch": "AB", "finished": "B", "swaps": [(0, 1)]},
        {"batch": "ABC", "finished": "A", "swaps": [(0, 1), (1, 2)]},
        {"batch": "AB", "finished": "C"},
        {"batch": "AB", "finished": "AA"},
        {"batch": "AB", "new": "B"},
        {"batch": "AB", "new": "CC"},
        {"batch": "AA"},
    )
    return not any(_accepted(**plan) for plan in impossible)


def _accepted(**plan: Any) -> bool:
    try:
        step(**plan)
    except ValueError:
        return False
    return True


def watched_steps() -> tuple[SmallStep, ...]:
    """The steps that are run, small ones first."""
    small = sorted({s for scope in SCOPES for s in small_steps(*scope)}, key=lambda s: s.size)
    return (*small, *large_steps(LARGE_STEPS))


def violations() -> Iterator[tuple[str, SmallStep | None]]:
    """Every law that some step breaks, with the smallest such step."""
    broken: set[str] = set()
    for small in watched_steps():
        seen = small.take()
        for sentence, (_, law_holds) in LAWS_WATCHED.items():
            if sentence not in broken and not law_holds(small, seen):
                broken.add(sentence)
                yield sentence, small
    if not refuses_what_no_engine_could_do():
        yield "what no engine could do is refused", None
