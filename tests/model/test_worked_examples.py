"""The contract's two worked examples, exactly, in the three dialects, as update, as slots and as a picture."""

from __future__ import annotations

import pytest

from logitproof.model import draw_step, replay, step
from logitproof.spec import Dialect, MoveDirectionality

ONE_WAY, SWAP = MoveDirectionality
BATCH = ["A", "B", "C", "D"]
FIRST = {"batch": BATCH, "finished": ["A", "C"], "new": ["E"], "swaps": [(0, 1)]}
SECOND = {"batch": BATCH, "finished": ["C"], "new": ["E", "F"], "swaps": [(0, 1)]}
FIRST_REMOVED = {Dialect.DOCUMENTED: [2], Dialect.ELIDED: [], Dialect.REDUNDANT: [0, 2]}
SECOND_REMOVED = {Dialect.DOCUMENTED: [], Dialect.ELIDED: [], Dialect.REDUNDANT: [2]}


@pytest.mark.law("A2", "B1", "B3", "B4", "B5", "B6")
@pytest.mark.parametrize("dialect", Dialect)
def test_the_first_example(dialect):
    outcome = step(**FIRST, dialect=dialect)
    assert outcome.batch == ["B", "E", "D"]
    assert outcome.update.batch_size == 3
    assert outcome.update.removed == FIRST_REMOVED[dialect]
    assert outcome.update.added == [(0, "E")]
    assert outcome.update.moved == [(3, 2, ONE_WAY), (0, 1, SWAP)]


@pytest.mark.law("A2", "B1", "B2", "B6")
@pytest.mark.parametrize("dialect", Dialect)
def test_the_second_example(dialect):
    outcome = step(**SECOND, dialect=dialect)
    assert outcome.batch == ["B", "A", "E", "D", "F"]
    assert outcome.update.batch_size == 5
    assert outcome.update.removed == SECOND_REMOVED[dialect]
    assert outcome.update.added == [(2, "E"), (4, "F")]
    assert outcome.update.moved == [(0, 1, SWAP)]


@pytest.mark.law("C1", "C2")
@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("example", [FIRST, SECOND], ids=["first", "second"])
def test_replaying_an_example_gives_its_batch(example, dialect):
    outcome = step(**example, dialect=dialect)
    assert replay(BATCH, outcome.update) == outcome.batch


def test_the_first_example_drawn():
    assert draw_step(**FIRST) == _as_drawn("""
                      [A,B,C,D]
        Add E@0    -> [E,B,C,D]   A is discarded
        Remove 2   -> [E,B,_,D]   C is discarded
        Move 3->2  -> [E,B,D]
        Swap 0<->1 -> [B,E,D]
    """)


def test_the_second_example_drawn():
    assert draw_step(**SECOND) == _as_drawn("""
                      [A,B,C,D]
        Add E@2    -> [A,B,E,D]     C is discarded
        Add F@4    -> [A,B,E,D,F]
        Swap 0<->1 -> [B,A,E,D,F]
    """)


def _as_drawn(text):
    """Without the indentation of the operations; the first line has none of its own."""
    lines = text.strip("\n").splitlines()[:-1]
    return "\n".join(line[8:] for line in lines)


def test_an_update_is_written_like_a_batch_update():
    assert repr(step(**FIRST).update) == (
        "Update(batch_size=3, removed=[2], added=[(0, 'E')], moved=[(3, 2, UNIDIRECTIONAL), (0, 1, SWAP)])"
    )
