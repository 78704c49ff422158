"""Slots as text: holes inside are drawn, empty slots at the end are not, unless they are asked for."""

from __future__ import annotations

import pytest

from logitproof.model import draw_slots, draw_step
from logitproof.model.picture import draw_touched


@pytest.mark.parametrize(
    ("slots", "cut", "drawn"),
    [
        ([], None, "[]"),
        ([None, None], None, "[]"),
        (["A", None, "C", None], None, "[A,_,C]"),
        (["A", None, None], 2, "[A,_]"),
        ([None], 1, "[_]"),
        ([1, 0], None, "[1,0]"),
    ],
)
def test_slots_are_drawn(slots, cut, drawn):
    assert draw_slots(slots, cut) == drawn


def test_a_step_in_which_nothing_happens_is_its_batch():
    assert draw_step("AB").strip() == "[A,B]"


def test_every_operation_of_a_step_is_one_line():
    lines = [line.split(maxsplit=2)[:2] for line in draw_step("ABC", "AB", "X", [(0, 1)]).splitlines()]
    assert lines == [["[A,B,C]"], ["Add", "X@0"], ["Remove", "1"], ["Move", "2->1"], ["Swap", "0<->1"]]


def test_of_a_large_batch_only_what_is_touched_is_drawn():
    batch = [f"R{slot}" for slot in range(60)]
    drawn = draw_step(batch, ["R3", "R9"], ["X"], [(0, 50)], width=48)
    assert drawn.splitlines() == [
        "               [0:R0, 3:R3, 9:R9, 50:R50, 59:R59; 60 slots]",
        "Add X@3     -> [0:R0, 3:X, 9:R9, 50:R50, 59:R59; 60 slots]    R3 is discarded",
        "Remove 9    -> [0:R0, 3:X, 9:_, 50:R50, 59:R59; 60 slots]     R9 is discarded",
        "Move 59->9  -> [0:R0, 3:X, 9:R59, 50:R50; 59 slots]",
        "Swap 0<->50 -> [0:R50, 3:X, 9:R59, 50:R0; 59 slots]",
    ]


@pytest.mark.parametrize("width", [12, 20, 40])
def test_what_is_touched_fits_into_its_width(width):
    drawn = draw_touched([f"R{slot}" for slot in range(300)], range(300), width=width)
    assert len(drawn) <= max(width, len("[..; 300 slots]"))
    assert drawn.endswith("; 300 slots]")
