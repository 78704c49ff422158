"""The consumer's replay on hand-made updates, also those with holes that no engine announces in full."""

from __future__ import annotations

from itertools import permutations

import pytest

from logitproof.model import C1_ORDER, Phase, Update, replay
from logitproof.spec import MoveDirectionality

ONE_WAY, SWAP = MoveDirectionality


def update(removed=(), added=(), moved=()):
    """An update whose size no replay looks at."""
    return Update(0, list(removed), list(added), list(moved))


CASES = {
    # name: slots, removed, added, moved -> slots
    "remove": ("ABC", [1], [], [], "A_C"),
    "remove the last": ("AB", [1], [], [], "A"),
    "remove everybody": ("AB", [0, 1], [], [], ""),
    "add over an occupant": ("AB", [], [(0, "X")], [], "XB"),
    "add past the end": ("AB", [], [(2, "X")], [], "ABX"),
    "remove, then add in the same slot": ("AB", [0], [(0, "X")], [], "XB"),
    "move into a hole": ("A_C", [], [], [(2, 1, ONE_WAY)], "AC"),
    "move over an occupant": ("ABC", [], [], [(2, 0, ONE_WAY)], "CB"),
    "move leaves a hole": ("ABC", [], [], [(0, 2, ONE_WAY)], "_BA"),
    "swap": ("ABC", [], [], [(0, 2, SWAP)], "CBA"),
    "swap with a hole": ("A_C", [], [], [(0, 1, SWAP)], "_AC"),
    "moves in listed order": ("ABC", [], [], [(0, 1, SWAP), (1, 2, SWAP)], "BCA"),
    "a newcomer is moved": ("A", [0], [(0, "X"), (1, "Y")], [(1, 0, ONE_WAY)], "Y"),
}


@pytest.mark.law("A1", "A2", "A3", "A4", "C1", "C6")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_entry_does_what_its_law_says(case):
    slots, removed, added, moved, after = case
    read = replay(_slots(slots), update(removed, added, moved))
    assert read == _slots(after)


def _slots(drawn):
    return [None if name == "_" else name for name in drawn]


@pytest.mark.law("C4")
def test_none_leaves_every_slot_as_it_was_and_copies_the_list():
    slots = ["A", None, "C"]
    read = replay(slots, None)
    assert read == slots
    assert read is not slots


def test_what_comes_in_is_not_changed():
    slots, given = ["A", "B"], update([0], [(0, "X")], [(0, 1, SWAP)])
    assert replay(slots, given) == ["B", "X"]
    assert slots == ["A", "B"]
    assert given == update([0], [(0, "X")], [(0, 1, SWAP)])


EACH_ORDER = {
    "removed added moved": "BX",
    "added removed moved": "B",
    "removed moved added": "X",
    "moved removed added": "XA",
    "added moved removed": "_X",
    "moved added removed": "_A",
}
"""Slots AB after Remove 0, Add X@0 and Swap 0<->1, by the order of the phases."""


@pytest.mark.law("C1", "C3")
@pytest.mark.parametrize(
    "order", list(permutations(Phase)), ids=lambda order: " ".join(p.value for p in order)
)
def test_the_phases_are_read_in_the_order_that_is_asked_for(order):
    given = update([0], [(0, "X")], [(0, 1, SWAP)])
    assert replay(["A", "B"], given, order) == _slots(EACH_ORDER[" ".join(phase.value for phase in order)])


@pytest.mark.law("C1")
def test_removed_then_added_then_moved_is_the_order_unless_told():
    assert C1_ORDER == (Phase.REMOVED, Phase.ADDED, Phase.MOVED)
    given = update([0], [(0, "X")], [(0, 1, SWAP)])
    assert replay(["A", "B"], given) == replay(["A", "B"], given, C1_ORDER) == ["B", "X"]
