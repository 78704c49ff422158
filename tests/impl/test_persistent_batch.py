"""The persistent batch against a naive engine that writes holes down, on every small step."""

from __future__ import annotations

import random
import weakref
from itertools import combinations, permutations

import pytest

from logitproof.impl import PersistentBatch, Request
from logitproof.spec import BatchUpdate, Dialect, MoveDirectionality, SamplingParams

ONE_WAY, SWAP = MoveDirectionality.UNIDIRECTIONAL, MoveDirectionality.SWAP
PARAMS = SamplingParams()


def requests(names):
    return [Request(name, PARAMS, [1]) for name in names]


def batch_of(names, dialect=Dialect.DOCUMENTED, max_num_reqs=None):
    batch = PersistentBatch(dialect, max_num_reqs)
    batch.step(new=requests(names))
    return batch


def names_in(batch):
    return "".join(request.request_id for request in batch.requests)


def naive_step(names, finished, new, swaps, dialect):
    """The engine's rules read aloud: returns the names afterwards, and (removed, added, moved)."""
    slots = [None if name in finished else name for name in names]
    vacated = [slot for slot, name in enumerate(slots) if name is None]
    added, moved = [], []
    for name in new:
        if None in slots:
            slot = slots.index(None)
            slots[slot] = name
        else:
            slot = len(slots)
            slots.append(name)
        added.append((slot, name))
    empty = [slot for slot, name in enumerate(slots) if name is None]
    while None in slots:
        if slots[-1] is None:
            slots.pop()
            continue
        hole = slots.index(None)
        slots[hole] = slots[-1]
        slots[-1] = None
        moved.append((len(slots) - 1, hole, ONE_WAY))
    for left, right in swaps:
        slots[left], slots[right] = slots[right], slots[left]
        moved.append((left, right, SWAP))
    filled = [destination for _, destination, direction in moved if direction is ONE_WAY]
    removed = {
        Dialect.DOCUMENTED: empty,
        Dialect.ELIDED: [slot for slot in empty if slot not in filled],
        Dialect.REDUNDANT: vacated,
    }[dialect]
    return slots, (removed, added, moved)


def check_step(batch, finished, new, swaps, dialect):
    names, (removed, added, moved) = naive_step(names_in(batch), finished, new, swaps, dialect)
    update = batch.step(finished=set(finished), new=requests(new), swaps=swaps)
    assert list(names_in(batch)) == names
    assert [batch.slot_of(name) for name in names] == list(range(len(names)))
    if not (removed or added or moved):
        assert update is None
        return
    assert update.batch_size == len(names) == len(batch)
    assert update.removed == removed
    assert [slot for slot, *_ in update.added] == [slot for slot, _ in added]
    for (_, name), (_, _, _, outputs) in zip(added, update.added, strict=True):
        assert batch.requests[batch.slot_of(name)].output_token_ids is outputs
    assert update.moved == moved


@pytest.mark.law("A2", "B1", "B3", "B4", "B6")
@pytest.mark.parametrize(
    ("dialect", "removed"), [(Dialect.DOCUMENTED, [2]), (Dialect.ELIDED, []), (Dialect.REDUNDANT, [0, 2])]
)
def test_first_worked_example(dialect, removed):
    batch = batch_of("ABCD", dialect)
    [newcomer] = requests("E")
    update = batch.step(finished={"A", "C"}, new=[newcomer], swaps=[(0, 1)])
    assert names_in(batch) == "BED"
    added = [(0, PARAMS, newcomer.prompt_token_ids, newcomer.output_token_ids)]
    assert update == BatchUpdate(3, removed, added, [(3, 2, ONE_WAY), (0, 1, SWAP)])


@pytest.mark.law("A2", "B1", "B2", "B6")
@pytest.mark.parametrize(
    ("dialect", "removed"), [(Dialect.DOCUMENTED, []), (Dialect.ELIDED, []), (Dialect.REDUNDANT, [2])]
)
def test_second_worked_example(dialect, removed):
    batch = batch_of("ABCD", dialect)
    update = batch.step(finished={"C"}, new=requests("EF"), swaps=[(0, 1)])
    assert names_in(batch) == "BAEDF"
    assert (update.batch_size, update.removed) == (5, removed)
    assert [index for index, *_ in update.added] == [2, 4]
    assert update.moved == [(0, 1, SWAP)]


@pytest.mark.law("B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9")
@pytest.mark.parametrize("dialect", Dialect)
def test_every_small_step_is_that_of_the_naive_engine(dialect):
    steps = 0
    for size in range(6):
        names = "ABCDE"[:size]
        for count in range(size + 1):
            for finished in combinations(names, count):
                for new in ("", "V", "VW", "VWX"):
                    left = size - count + len(new)
                    for swaps in [(), *([pair] for pair in permutations(range(left), 2))]:
                        check_step(batch_of(names, dialect), finished, new, swaps, dialect)
                        steps += 1
    # 2**n * (n*n + 5*n + 12) for n from 0 to 5, summed.
    assert steps == 3_192


@pytest.mark.law("B4", "B8", "B9")
@pytest.mark.parametrize("dialect", Dialect)
def test_long_random_histories_are_those_of_the_naive_engine(dialect):
    rng = random.Random(1)
    alphabet = [chr(code) for code in range(0x4E00, 0x4E00 + 60)]
    batch = PersistentBatch(dialect)
    for _ in range(2_000):
        live = names_in(batch)
        finished = [name for name in live if rng.random() < 0.3]
        free = [name for name in alphabet if name not in live or name in finished]
        new = "".join(rng.sample(free, min(len(free), rng.randrange(6))))
        left = len(live) - len(finished) + len(new)
        swaps = [tuple(rng.sample(range(left), 2)) for _ in range(rng.randrange(3))] if left > 1 else []
        check_step(batch, finished, new, swaps, dialect)


@pytest.mark.law("B8")
def test_an_id_may_finish_and_come_back_in_one_step():
    batch = batch_of("AB")
    old = batch.requests[0]
    [again] = requests("A")
    update = batch.step(finished={"A"}, new=[again])
    assert batch.requests[0] is again is not old
    assert (update.removed, [index for index, *_ in update.added]) == ([], [0])
    assert batch.step(finished={"B"}, new=[batch.requests[1]]).added[0][0] == 1


@pytest.mark.law("B7")
def test_a_step_without_changes_is_none():
    assert PersistentBatch().step() is None
    assert batch_of("AB").step() is None


@pytest.mark.law("C6")
def test_a_finished_request_is_not_kept():
    batch = batch_of("AB")
    gone = weakref.ref(batch.requests[1])
    batch.step(finished={"B"})
    assert gone() is None


def test_requests_is_a_live_view():
    batch = batch_of("AB")
    view = batch.requests
    batch.step(finished={"A"})
    assert [request.request_id for request in view] == ["B"]
    assert "B" in batch
    assert "A" not in batch


@pytest.mark.parametrize(
    ("step", "error", "message"),
    [
        ({"finished": {"Z"}}, ValueError, "'Z'.*never added"),
        ({"finished": "A"}, ValueError, r"type=str.*finished=\['A'\]"),
        ({"finished": ["A", "A"]}, ValueError, "slot 0 is listed twice"),
        ({"new": ["B"]}, ValueError, "'B' is live in slot 1"),
        ({"finished": {"A"}, "new": ["B"]}, ValueError, "'B' is live in slot 1"),
        ({"new": ["E", "F", "E"]}, ValueError, "'E' is listed twice"),
        ({"new": ["E", "F", "G"]}, ValueError, "max_num_reqs=5.*leave 6"),
        ({"finished": {"A"}, "swaps": [(0, 2)]}, ValueError, r"\[0, 2\).*\(0, 2\).*after condense"),
        ({"swaps": [(-1, 0)]}, ValueError, r"\(-1, 0\)"),
        ({"swaps": [(1, 1)]}, ValueError, r"two different slots.*\(1, 1\)"),
        ({"swaps": [(0.0, 1)]}, ValueError, r"integer slots.*\(0.0, 1\)"),
        ({"swaps": [3]}, ValueError, "pairs of slots but got 3"),
    ],
)
@pytest.mark.law("B8")
def test_a_wrong_step_is_refused_before_anything_changes(step, error, message):
    batch = batch_of("ABC", max_num_reqs=5)
    with pytest.raises(error, match=message):
        batch.step(**{**step, "new": requests(step.get("new", []))})
    assert names_in(batch) == "ABC"
    assert batch.step() is None
    check_step(batch, "B", "D", [(0, 2)], Dialect.DOCUMENTED)


def test_objects_that_are_no_requests_are_named():
    with pytest.raises(TypeError, match=r"'E'.*type=str"):
        PersistentBatch().step(new=["E"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dialect": "elided"}, "dialect='elided'.*type=str"),
        ({"max_num_reqs": 0}, "max_num_reqs=0"),
        ({"max_num_reqs": True}, "type=bool"),
    ],
)
def test_a_wrong_construction_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        PersistentBatch(**arguments)


def test_an_unknown_id_has_no_slot():
    with pytest.raises(ValueError, match="'Z'"):
        batch_of("A").slot_of("Z")
