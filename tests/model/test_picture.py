"""Slots as text: holes inside are drawn, empty slots at the end are not, unless they are asked for."""

from __future__ import annotations

import pytest

from logitproof.model import draw_slots, draw_step


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
