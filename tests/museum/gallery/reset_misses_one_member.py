"""F084 shared-state: a slot's chain is reset for its next request, but one member stays in its final state."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st
from request_kinds import extra, tokens
from row_processor import RowProcessor, ban

from logitproof import MoveDirectionality


def budget_params(vocab_size):
    return extra(bad_token=tokens(vocab_size), end=tokens(vocab_size), budget=st.integers(0, 3))


@dataclass
class BadToken:
    token: int | None = None

    def reset(self, arguments):
        self.token = arguments.get("bad_token")

    def apply(self, logits_row):
        if self.token is not None:
            ban(logits_row, [self.token])


@dataclass
class Budget:
    """Forces the end token once, at the budget; then it is done."""

    done: bool = False

    def reset(self, arguments):
        self.done = False

    def apply(self, logits_row, arguments, outputs):
        if "budget" not in arguments or self.done:
            return
        if len(outputs) == arguments["budget"]:
            ban(logits_row, {*range(len(logits_row))} - {arguments["end"]})
        self.done = len(outputs) > arguments["budget"]


@dataclass
class Chain:
    bad_token: BadToken = field(default_factory=BadToken)
    budget: Budget = field(default_factory=Budget)
    arguments: dict = field(default_factory=dict)
    outputs: list = field(default_factory=list)


class ResetMissesOneMember(RowProcessor):
    logitproof_params = budget_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.chains = [Chain() for _ in range(self.slots)]

    def reset(self, chain):
        chain.bad_token.reset(chain.arguments)  # The fault: chain.budget is not reset.

    def update_state(self, batch_update):
        if batch_update is None:
            return
        chains = self.chains
        for row in batch_update.removed:
            chains[row].arguments, chains[row].outputs = {}, []
            self.reset(chains[row])
        for row, params, _prompt, outputs in batch_update.added:
            chains[row].arguments, chains[row].outputs = params.extra_args or {}, outputs
            self.reset(chains[row])
        for source, destination, how in batch_update.moved:
            chains[source], chains[destination] = chains[destination], chains[source]
            if how is MoveDirectionality.UNIDIRECTIONAL:
                chains[source].arguments, chains[source].outputs = {}, []
                self.reset(chains[source])

    def apply(self, logits):
        for chain, logits_row in zip(self.chains, logits, strict=False):
            chain.bad_token.apply(logits_row)
            chain.budget.apply(logits_row, chain.arguments, chain.outputs)
        return logits
