"""Small scope, completely: every one- and two-step history of a batch that never holds more than four requests.

A step is any subset of finished slots, nought to three new requests, and any pair of slots swapped or none. The model
says who sits where and what is announced (its step depends on slot numbers only, so each different step is worked out
once); the persistent batch must do and say the same, in every dialect.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from logitproof.impl.persistent_batch import PersistentBatch
from logitproof.impl.request import Request
from logitproof.lockstep.exhaustive import choices
from logitproof.lockstep.expected import by_the_model, expected, numbered, replayed
from logitproof.spec import Dialect, SamplingParams

SLOTS = 4
NEW = 3
PLAIN = SamplingParams()
NAMES = "ABCDEFGHIJ"

ONE_STEP = 372
TWO_STEPS = 49_946
"""From a batch of n to one of m there are (ways to choose who leaves and how many come) * (1 + m(m-1)/2) steps; summed
over all n and m, and over all n, m and l for two."""


def steps_from(size: int) -> Iterator[tuple[tuple[int, ...], int, tuple[tuple[int, int], ...]]]:
    """Finished slots, number of new requests, swaps."""
    for choice in choices(size, gone=0, slots=SLOTS, kinds=1):
        if len(choice.new) <= NEW and len(choice.swaps) <= 1:
            yield choice.leaving, len(choice.new), choice.swaps
    if not size:
        yield (), 0, ()  # nobody was there and nobody comes


def histories(length: int) -> Iterator[tuple[int, list]]:
    """The size at the start, and the steps."""

    def grown(size: int, left: int) -> Iterator[list]:
        if not left:
            yield []
            return
        for step in steps_from(size):
            finished, new, _ = step
            for rest in grown(size - len(finished) + new, left - 1):
                yield [step, *rest]

    for size in range(SLOTS + 1):
        for steps in grown(size, length):
            yield size, steps


def play(size: int, steps: list, dialect: Dialect) -> None:
    engine = PersistentBatch(dialect=dialect)
    requests = iter([Request(name, PLAIN, None, []) for name in NAMES])
    batch = [next(requests) for _ in range(size)]
    engine.step(new=batch)
    for finished, new, swaps in steps:
        newcomers = [next(requests) for _ in range(new)]
        wanted = expected(len(batch), finished, new, swaps, dialect)
        update = engine.step(
            finished=[batch[slot].request_id for slot in finished], new=newcomers, swaps=swaps
        )
        names = [*batch, *newcomers]
        assert list(engine.requests) == [names[number] for number in wanted.order]
        announced = numbered(update, len(batch), newcomers)
        assert announced == wanted.announced
        assert replayed(len(batch), announced) == wanted.order
        assert not wanted.broken
        batch = list(engine.requests)


@pytest.mark.law("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "C2")
@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize(("length", "count"), [(1, ONE_STEP), (2, TWO_STEPS)])
def test_every_small_history_agrees_with_the_model(dialect, length, count):
    played = 0
    for size, steps in histories(length):
        play(size, steps, dialect)
        played += 1
    assert played == count


@pytest.mark.law("B6")
@pytest.mark.parametrize("dialect", list(Dialect))
def test_swaps_may_be_asked_for_apart(dialect):
    for size in range(SLOTS + 1):
        for finished, new, swaps in steps_from(size):
            after = size - len(finished) + new
            cycle = ((0, after - 1), (after - 2, after - 1)) if after > 2 else ()
            for several in (swaps, cycle):
                whole = by_the_model(size, finished, new, several, dialect)
                assert expected(size, finished, new, several, dialect) == whole


@pytest.mark.law("C2")
@pytest.mark.parametrize("size", range(SLOTS + 1))
def test_the_three_dialects_replay_to_the_same_batch(size):
    for finished, new, swaps in steps_from(size):
        orders = {
            replayed(size, expected(size, finished, new, swaps, dialect).announced) for dialect in Dialect
        }
        assert len(orders) == 1


@pytest.mark.law("B8")
def test_small_scope_reaches_every_shape_of_step():
    """The enumeration is not accidentally poor."""
    seen = set()
    for size in range(SLOTS + 1):
        for finished, new, swaps in steps_from(size):
            announced = expected(size, finished, new, swaps, Dialect.DOCUMENTED).announced
            if announced is None:
                seen.add("none")
                continue
            seen.add(("moves", len(announced.moved) - len(swaps)))
            seen |= {"swap"} if swaps else set()
            seen |= {"extend" if index >= size else "refill" for index, _ in announced.added}
            seen |= {("removed", len(announced.removed))}
    assert {"none", "swap", "extend", "refill", ("moves", 2), ("removed", 4)} <= seen
