"""One step on hand-made cases: the update by law, and every plan that no engine could have."""

from __future__ import annotations

import pytest

from logitproof.model import replay, step
from logitproof.spec import Dialect, MoveDirectionality

ONE_WAY, SWAP = MoveDirectionality

CASES = {
    # name: batch, finished, new, swaps -> batch, removed, added, moved
    "everybody finishes": ("AB", "AB", "", [], "", [0, 1], [], []),
    "everybody is replaced": ("AB", "AB", "XY", [], "XY", [], [(0, "X"), (1, "Y")], []),
    "the first arrivals": ("", "", "XY", [], "XY", [], [(0, "X"), (1, "Y")], []),
    "the last leaves": ("ABC", "C", "", [], "AB", [2], [], []),
    "the first leaves": ("ABC", "A", "", [], "CB", [0], [], [(2, 0, ONE_WAY)]),
    "two holes, two moves": ("ABCDE", "AB", "", [], "EDC", [0, 1], [], [(4, 0, ONE_WAY), (3, 1, ONE_WAY)]),
    "a hole at the end needs no move": ("ABCD", "BD", "", [], "AC", [1, 3], [], [(2, 1, ONE_WAY)]),
    "holes alternate": ("ABCDEF", "ACE", "X", [], "XBFD", [2, 4], [(0, "X")], [(5, 2, ONE_WAY)]),
    "more holes than moves": ("ABCDE", "ACD", "", [], "EB", [0, 2, 3], [], [(4, 0, ONE_WAY)]),
    "arrivals extend after the refills": (
        "ABC",
        "B",
        "XYZ",
        [],
        "AXCYZ",
        [],
        [(1, "X"), (3, "Y"), (4, "Z")],
        [],
    ),
    "swaps are made in order": ("ABC", "", "", [(0, 1), (1, 2)], "BCA", [], [], [(0, 1, SWAP), (1, 2, SWAP)]),
    "a swap may be made twice": ("AB", "", "", [(1, 0), (1, 0)], "AB", [], [], [(1, 0, SWAP), (1, 0, SWAP)]),
    "a swap of a newcomer": ("A", "", "X", [(1, 0)], "XA", [], [(1, "X")], [(1, 0, SWAP)]),
    "a finished request comes again": ("AB", "A", "A", [], "AB", [], [(0, "A")], []),
}


@pytest.mark.law("B1", "B2", "B3", "B4", "B5", "B6", "B8", "B9")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_step_gives_the_batch_and_the_update(case):
    batch, finished, new, swaps, after, removed, added, moved = case
    outcome = step(batch, finished, new, swaps)
    assert "".join(outcome.batch) == after
    update = outcome.update
    assert (update.batch_size, update.removed, update.added, update.moved) == (
        len(after),
        removed,
        added,
        moved,
    )
    assert replay(list(batch), update) == list(after)


@pytest.mark.law("B1", "B3")
def test_the_order_in_which_the_finished_are_named_does_not_matter():
    one, other = step("ABCD", "CA", "X"), step("ABCD", "AC", "X")
    assert (one.batch, one.update) == (other.batch, other.update)


@pytest.mark.law("B7")
@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("batch", ["", "A", "AB"])
def test_when_nothing_happens_the_update_is_none(batch, dialect):
    outcome = step(batch, dialect=dialect)
    assert outcome.update is None
    assert "".join(outcome.batch) == batch


@pytest.mark.law("B7")
@pytest.mark.parametrize(("finished", "new", "swaps"), [("B", "", []), ("", "X", []), ("", "", [(0, 1)])])
@pytest.mark.parametrize("dialect", Dialect)
def test_when_anything_happens_the_update_is_not_none(finished, new, swaps, dialect):
    assert step("AB", finished, new, swaps, dialect).update is not None


@pytest.mark.law("B7", "C2")
def test_a_hole_that_a_move_fills_is_not_announced_when_elided_but_its_move_is():
    update = step("AB", "A", dialect=Dialect.ELIDED).update
    assert (update.removed, update.moved) == ([], [(1, 0, ONE_WAY)])


IMPOSSIBLE = {
    "repeated requests": (("AA",), r"Expected distinct requests but got batch=\['A', 'A'\]"),
    "a stranger finishes": (
        ("AB", "AC"),
        r"Expected finished requests to be in the batch .* but \['C'\] are not",
    ),
    "one finishes twice": (
        ("AB", "AA"),
        r"Expected every finished request once but got finished=\['A', 'A'\]",
    ),
    "one arrives that is there": (
        ("AB", "A", "B"),
        r"not in the batch already but \['B'\] would be there twice",
    ),
    "one arrives twice": (("AB", "A", "XX"), r"not in the batch already but \['X'\] would be there twice"),
    "a swap past the end": (("AB", "", "", [(0, 2)]), r"two different slots below 2 .* but got \(0, 2\)"),
    "a swap that condense cut off": (("AB", "A", "", [(0, 1)]), r"slots below 1 .* but got \(0, 1\)"),
    "a swap below zero": (("AB", "", "", [(-1, 0)]), r"slots below 2 .* but got \(-1, 0\)"),
    "a swap with itself": (("AB", "", "", [(1, 1)]), r"two different slots .* but got \(1, 1\)"),
    "the second swap": (("AB", "", "", [(0, 1), (1, 2)]), r"two different slots .* but got \(1, 2\)"),
}


@pytest.mark.parametrize(("plan", "message"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_plan_that_no_engine_could_have_is_refused(plan, message):
    with pytest.raises(ValueError, match=message):
        step(*plan)
