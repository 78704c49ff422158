"""Every history of one and of two steps on four slots: vLLM's batch against the model, in the `elided` dialect."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from logitproof import model
from logitproof.impl.request import Request
from logitproof.spec import Dialect, SamplingParams
from logitproof.vllm_engine import VllmEngine

SLOTS = 4
NEWCOMERS = 3
ONE_STEP_HISTORIES = 372
TWO_STEP_HISTORIES = 49_946
"""Pinned: a scope that silently shrinks proves less."""
PARAMS = SamplingParams(temperature=0.0)
"""The same for all requests: which slot a request gets cannot depend on them. Greedy ones are the cheapest."""


def steps_from(size):
    """Every step on a batch of `size`: each finished subset, 0..3 new as far as they fit, each swap or none."""
    for leaving in range(size + 1):
        for finished in combinations(range(size), leaving):
            for new in range(min(NEWCOMERS, SLOTS - size + leaving) + 1):
                after = size - leaving + new
                for swap in [None, *combinations(range(after), 2)]:
                    yield finished, new, swap, after


@cache
def expected(size, finished, new, swap):
    """The model's step with requests as numbers: 0.. by slot, new ones from `size` on. It cannot depend on names."""
    swaps = [] if swap is None else [swap]
    return model.step(range(size), finished, range(size, size + new), swaps, dialect=Dialect.ELIDED)


class Player:
    """Plays histories one after the other on one vLLM batch; the step that opens each is compared as well."""

    def __init__(self):
        self.engine = VllmEngine(max_num_reqs=SLOTS)
        self.arrived = 0

    def open(self, size):
        everyone = tuple(range(len(self.engine.requests)))
        self.play(everyone, size, None)

    def play(self, finished, new, swap):
        before = self.engine.requests
        newcomers = [Request(str(self.arrived + i), PARAMS, [1], []) for i in range(new)]
        self.arrived += new
        update = self.engine.step(
            [before[slot].request_id for slot in finished], newcomers, [] if swap is None else [swap]
        )
        outcome = expected(len(before), finished, new, swap)
        names = [*before, *newcomers]
        assert self.engine.requests == [names[number] for number in outcome.batch]
        if outcome.update is None:
            assert update is None
            return
        assert update.batch_size == outcome.update.batch_size
        assert sorted(update.removed) == outcome.update.removed
        assert update.moved == outcome.update.moved
        assert [(index, id(outputs)) for index, _, _, outputs in update.added] == [
            (index, id(names[number].output_token_ids)) for index, number in outcome.update.added
        ]


@pytest.mark.law("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9")
def test_every_history_of_one_and_two_steps():
    player = Player()
    one = two = 0
    for size in range(SLOTS + 1):
        for finished, new, swap, after in steps_from(size):
            one += 1
            for second in steps_from(after):
                two += 1
                player.open(size)
                player.play(finished, new, swap)
                player.play(*second[:3])
    assert (one, two) == (ONE_STEP_HISTORIES, TWO_STEP_HISTORIES)


@pytest.mark.law("C1", "C2")
def test_every_expected_update_replays_to_the_expected_batch():
    for size in range(SLOTS + 1):
        for finished, new, swap, _ in steps_from(size):
            outcome = expected(size, finished, new, swap)
            assert model.replay(range(size), outcome.update) == outcome.batch
