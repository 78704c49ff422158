"""Which kind of fault is named, where several look alike at first."""

from __future__ import annotations

import pytest
import torch
from hypothesis import strategies as st

from logitproof import LogitsProcessor
from logitproof.impl.row_state import RowStates
from logitproof.lockstep import fuzz
from logitproof.report.failure import kind_of
from logitproof.spec import SamplingParams
from logitproof.targets import load_target


class Lifts(LogitsProcessor):
    """Lifts the tokens of a request. This one is right."""

    def __init__(self, config, device, is_pin_memory):
        self.states, self.cache = RowStates(), {}

    @staticmethod
    def logitproof_params(vocab_size):
        lists = st.lists(st.integers(0, vocab_size - 1), min_size=2, max_size=3, unique=True)
        return st.builds(lambda tokens: SamplingParams(extra_args={"lift": tokens}), lists)

    def is_argmax_invariant(self):
        return False

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("lift")

    def update_state(self, batch_update):
        self.states.update(batch_update, self.enter)

    def apply(self, logits):
        for row, tokens in self.states.items():
            logits[row, tokens] += 2.0
        return logits


class CachesByTheSum(Lifts):
    """Two lists with the same sum get what the first of them asked for."""

    def enter(self, params, prompt, outputs):
        tokens = super().enter(params, prompt, outputs)
        return tokens and self.cache.setdefault(sum(tokens), tokens)


class SkipsThePlainOnes(Lifts):
    """Rows that ask for something are counted instead of looked up, and what they get overwrites the others."""

    def apply(self, logits):
        for place, (row, tokens) in enumerate(sorted(self.states.items())):
            lifted = logits[row].clone()
            lifted[tokens] += 2.0
            logits[place] = lifted
        return logits


class CountsByAddress(Lifts):
    """How many tokens a list has had is known by its address, where another list may come to lie."""

    forgets = False

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.lengths = {}

    def enter(self, params, prompt, outputs):
        return outputs if params.extra_args else None

    def update_state(self, batch_update):
        super().update_state(batch_update)
        for _, outputs in self.states.items():
            self.lengths[id(outputs)] = max(self.lengths.get(id(outputs), 0), len(outputs))
        if self.forgets:
            there = {id(outputs) for _, outputs in self.states.items()}
            self.lengths = {place: length for place, length in self.lengths.items() if place in there}

    def apply(self, logits):
        for row, outputs in self.states.items():
            logits[row, self.lengths[id(outputs)] % 4] += 2.0
        return logits


class CountsByAddressAndForgets(CountsByAddress):
    forgets = True


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


@pytest.mark.parametrize("seed", range(3))
def test_an_address_that_is_used_again_is_met_in_few_steps(seed):
    caught = fuzz(load_target(CountsByAddress), seed).caught[0]
    assert caught.fails_again
    assert len(caught.history.steps) <= 4


@pytest.mark.parametrize("processor", [Lifts, CountsByAddressAndForgets])
def test_without_a_fault_it_is_clean(processor):
    assert fuzz(load_target(processor), 0).caught == []
