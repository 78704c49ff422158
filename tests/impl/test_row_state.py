"""The consumer's side of C1: every combination of tracked and untracked rows."""

from __future__ import annotations

import pytest

from logitproof.impl import RowStates
from logitproof.spec import BatchUpdate, MoveDirectionality, SamplingParams

ONE_WAY, SWAP = MoveDirectionality.UNIDIRECTIONAL, MoveDirectionality.SWAP
PLAIN = SamplingParams()


def with_state(name):
    return SamplingParams(extra_args={"name": name})


def make(params, prompt, outputs):
    return (params.extra_args or {}).get("name")


def states_of(rows):
    states = RowStates()
    added = [(row, with_state(name), None, []) for row, name in rows.items()]
    states.update(BatchUpdate(len(added), [], added, []), make)
    return states


def after(rows, *, removed=(), added=(), moved=()):
    states = states_of(rows)
    changed = states.update(BatchUpdate(9, removed, added, moved), make)
    return dict(states.items()), changed


@pytest.mark.law("A4", "C1")
@pytest.mark.parametrize(
    ("before", "expected"),
    [({0: "a", 1: "b"}, {0: "b", 1: "a"}), ({0: "a"}, {1: "a"}), ({1: "b"}, {0: "b"}), ({}, {})],
)
def test_swap_with_state_on_either_side(before, expected):
    assert after(before, moved=[(0, 1, SWAP)]) == (expected, bool(before))


@pytest.mark.law("A3", "C1", "C6")
@pytest.mark.parametrize(
    ("before", "expected"),
    [({0: "a", 1: "b"}, {0: "b"}), ({0: "a"}, {}), ({1: "b"}, {0: "b"}), ({}, {})],
)
def test_one_way_move_discards_the_occupant_even_if_the_source_is_untracked(before, expected):
    assert after(before, moved=[(1, 0, ONE_WAY)]) == (expected, bool(before))


@pytest.mark.law("A2", "C6")
def test_a_plain_newcomer_clears_a_live_row():
    assert after({0: "a"}, added=[(0, PLAIN, None, [])]) == ({}, True)
    assert after({0: "a"}, added=[(0, with_state("b"), None, [])]) == ({0: "b"}, True)
    assert after({1: "a"}, added=[(0, PLAIN, None, [])]) == ({1: "a"}, False)


@pytest.mark.law("C1", "C3")
def test_removed_then_added_then_moved():
    newcomer = (0, with_state("n"), None, [])
    assert after({0: "a"}, removed=[0], added=[newcomer]) == ({0: "n"}, True)
    assert after({0: "a", 1: "b"}, added=[newcomer], moved=[(0, 1, SWAP)]) == ({0: "b", 1: "n"}, True)
    assert after({}, added=[newcomer], moved=[(0, 1, SWAP), (1, 2, SWAP)]) == ({2: "n"}, True)


@pytest.mark.law("A1", "C6")
def test_removal_reports_whether_it_mattered():
    assert after({0: "a"}, removed=[0]) == ({}, True)
    assert after({0: "a"}, removed=[1]) == ({0: "a"}, False)


@pytest.mark.law("C4")
def test_none_changes_nothing():
    states = states_of({0: "a"})
    assert not states.update(None, make)
    assert dict(states.items()) == {0: "a"}


def test_drop_forgets_the_rows_that_are_over():
    states = states_of({0: "a", 1: "b", 2: "a"})
    states.drop([0, 2])
    states.drop([])
    assert dict(states.items()) == {1: "b"}


@pytest.mark.law("C2", "D4")
def test_random_updates_leave_the_state_with_its_request(random_engine):
    def params(rng):
        return rng.choice([PLAIN, with_state(str(rng.random()))])

    for seed in range(50):
        states = RowStates()
        for update, tenants in random_engine(seed, params):
            before = dict(states.items())
            changed = states.update(update, make)
            expected = {row: make(tenant.params, None, None) for row, tenant in enumerate(tenants)}
            now = dict(states.items())
            assert now == {row: state for row, state in expected.items() if state is not None}
            assert changed or now == before
