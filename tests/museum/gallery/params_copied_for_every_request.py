"""F137 leak: the params are deep-copied for every request, and with them the compiled automaton that they hold."""

from __future__ import annotations

from copy import deepcopy

from hypothesis import strategies as st
from request_kinds import extra, tokens
from row_processor import RowProcessor, ban


class Automaton:
    """Compiled once, never changed."""

    def __init__(self, token):
        self.banned = tuple({token})
        self.table = tuple(range(1000))


def automaton_params(vocab_size):
    return extra(automaton=st.builds(Automaton, tokens(vocab_size)))


class ParamsCopiedForEveryRequest(RowProcessor):
    logitproof_params = automaton_params

    def enter(self, params, prompt, outputs):
        return self.own(params.extra_args["automaton"]) if params.extra_args else None

    def own(self, automaton):
        return deepcopy(automaton)  # The fault: what never changes is shared.

    def treat(self, logits_row, automaton):
        ban(logits_row, automaton.banned)
