"""Which kind of fault is named, where several look alike at first."""

from __future__ import annotations

import pytest
import torch
from hypothesis import strategies as st

from logitproof import LogitsProcessor, MoveDirectionality
from logitproof.lockstep import fuzz
from logitproof.report.failure import kind_of
from logitproof.spec import SamplingParams
from logitproof.targets import load_target


class Lifts(LogitsProcessor):
    """Lifts the tokens of a request. This one is right."""

    def __init__(self, config, device, is_pin_memory):
        self.rows, self.cache = {}, {}

    @staticmethod
    def logitproof_params(vocab_size):
        lists = st.lists(st.integers(0, vocab_size - 1), min_size=2, max_size=3, unique=True)
        return st.builds(lambda tokens: SamplingParams(extra_args={"lift": tokens}), lists)

    def is_argmax_invariant(self):
        return False

    def enter(self, params):
        return (params.extra_args or {}).get("lift")

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.rows.pop(row, None)
        for row, params, _, _ in batch_update.added:
            self.rows[row] = self.enter(params)
        for source, to, how in batch_update.moved:
            here, there = self.rows.get(source), self.rows.get(to)
            self.rows[to] = here
            self.rows[source] = there if how is MoveDirectionality.SWAP else None

    def apply(self, logits):
        for row, tokens in self.rows.items():
            if tokens:
                logits[row, tokens] += 2.0
        return logits


class CachesByTheSum(Lifts):
    """Two lists with the same sum get what the first of them asked for."""

    def enter(self, params):
        tokens = super().enter(params)
        return tokens and self.cache.setdefault(sum(tokens), tokens)


class SkipsThePlainOnes(Lifts):
    """Rows that ask for something are counted instead of looked up, and what they get overwrites the others."""

    def apply(self, logits):
        users = sorted(row for row, tokens in self.rows.items() if tokens)
        for place, row in enumerate(users):
            lifted = logits[row].clone()
            lifted[self.rows[row]] += 2.0
            logits[place] = lifted
        return logits


class WidensTheLogits(Lifts):
    def apply(self, logits):
        return super().apply(logits).to(torch.float64)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("processor", "kind"),
    [(CachesByTheSum, "shared-state"), (SkipsThePlainOnes, "row-map"), (WidensTheLogits, "dtype")],
)
def test_the_kind_is_that_of_the_cause(processor, kind, seed):
    target = load_target(processor)
    caught = fuzz(target, seed).caught[0]
    assert kind_of(target, caught) == kind
    assert len(caught.history.steps) <= 2


def test_without_a_fault_it_is_clean():
    assert fuzz(load_target(Lifts), 0).caught == []
