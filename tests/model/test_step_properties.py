"""Steps of larger batches than the proofs watch, against the laws read off plain lists."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logitproof.model import C1_ORDER, Phase, replay, step
from logitproof.model.concrete import Concrete
from logitproof.spec import Dialect, MoveDirectionality
from logitproof.spec.invariants import contiguous, well_formed

SIZE = 14
"""Well above the four slots of `proofs.conformance`, so that a bound hidden in ordinary code shows."""


@st.composite
def plans(draw):
    """`(batch, finished, new, swaps)` with requests numbered from 0."""
    batch = list(range(draw(st.integers(0, SIZE))))
    finished = draw(st.permutations(batch).flatmap(lambda p: st.integers(0, len(p)).map(lambda n: p[:n])))
    new = list(range(100, 100 + draw(st.integers(0, 6))))
    final = len(batch) - len(finished) + len(new)
    slots = st.integers(0, max(final - 1, 0))
    pairs = st.tuples(slots, slots).filter(lambda pair: pair[0] != pair[1])
    return batch, finished, new, draw(st.lists(pairs, max_size=6)) if final > 1 else []


many = settings(max_examples=150, deadline=None, derandomize=True, database=None)


@pytest.mark.law("B1", "B2", "B3", "B4", "B5", "B6", "B8", "B9")
@many
@given(plans())
def test_an_update_is_what_plain_lists_say(plan):
    batch, finished, new, swaps = plan
    update = step(*plan).update
    holes = sorted(finished)
    places = [*holes, *range(len(batch), len(batch) + len(new))][: len(new)]
    left = holes[len(new) :]
    live = [slot for slot in batch if slot not in left]
    expected_moves = []
    for hole in left:
        if live and live[-1] > hole:
            expected_moves.append((live.pop(), hole))
    if update is None:
        assert not finished
        assert not new
        assert not swaps
        return
    one_way = [(s, d) for s, d, how in update.moved if how is MoveDirectionality.UNIDIRECTIONAL]
    assert update.added == list(zip(places, new, strict=True))
    assert update.removed == left
    assert one_way == expected_moves
    assert [(s, d) for s, d, _ in update.moved[len(one_way) :]] == list(swaps)
    assert update.batch_size == len(batch) - len(finished) + len(new)


@pytest.mark.law("C1", "C2", "B8")
@many
@given(plans(), st.sampled_from(Dialect))
def test_replaying_an_update_gives_the_engines_batch(plan, dialect):
    outcome = step(*plan, dialect)
    assert replay(plan[0], outcome.update) == outcome.batch
    assert set(outcome.batch) == {*plan[0], *plan[2]} - {*plan[1]}
    assert len(set(outcome.batch)) == len(outcome.batch)


@pytest.mark.law("C3")
@many
@given(plans())
def test_the_dialects_announce_nested_sets(plan):
    elided, documented, redundant = (
        set(update.removed) if (update := step(*plan, dialect).update) else set()
        for dialect in (Dialect.ELIDED, Dialect.DOCUMENTED, Dialect.REDUNDANT)
    )
    assert elided <= documented <= redundant == {plan[0].index(request) for request in plan[1]}


@pytest.mark.law("C1")
@many
@given(plans())
def test_adds_and_removes_commute_where_no_index_is_in_both(plan):
    removed, added, moved = C1_ORDER
    outcome = step(*plan)
    assert replay(plan[0], outcome.update, (added, removed, moved)) == outcome.batch


@pytest.mark.law("A1", "A2", "A3", "A4")
@many
@given(plans())
def test_the_invariants_hold_after_every_step(plan):
    batch = step(*plan).state.batch
    L = Concrete(len(plan[0]) + len(plan[2]) + 1)
    assert well_formed(L, batch)
    assert contiguous(L, batch)


@pytest.mark.law("B6")
@many
@given(plans())
def test_the_same_swaps_backwards_undo_the_swaps(plan):
    batch, finished, new, swaps = plan
    there_and_back = step(batch, finished, new, [*swaps, *swaps[::-1]])
    assert there_and_back.batch == step(batch, finished, new).batch


@pytest.mark.law("B9")
@many
@given(plans())
def test_condense_closes_in_from_both_ends(plan):
    update = step(*plan[:3]).update
    moves = update.moved if update else []
    assert all(source > destination for source, destination, _ in moves)
    assert all(a[0] > b[0] and a[1] < b[1] for a, b in pairwise(moves))


@pytest.mark.law("C3")
def test_moves_before_adds_is_wrong():
    outcome = step("", "", "XY", [(0, 1)])
    assert outcome.batch == ["Y", "X"]
    assert replay([], outcome.update, (Phase.REMOVED, Phase.MOVED, Phase.ADDED)) == ["X", "Y"]
