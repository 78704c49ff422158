"""F081 shared-state: the states of all requests are one map, and a request without history empties the whole map."""

from __future__ import annotations

from row_processor import RowProcessor, ban
from toy_grammar import forbidden, grammar_params, matcher_of


class FirstTokenResetsEveryone(RowProcessor):
    logitproof_params = grammar_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.state_of = {}

    def enter(self, params, prompt, outputs):
        matcher = matcher_of(params, outputs)
        if matcher is not None:
            matcher.feed()  # a request that comes back has a history
            self.state_of[id(outputs)] = matcher.state
        return matcher

    def advance(self, matcher):
        request = id(matcher.outputs)
        if not matcher.outputs:
            self.start(request)
        matcher.state = self.state_of.get(request, 0)
        matcher.feed()
        self.state_of[request] = matcher.state

    def start(self, request):
        self.state_of.clear()  # The fault: only this request starts.

    def update_state(self, batch_update):
        super().update_state(batch_update)
        live = {id(matcher.outputs) for matcher in self.rows.values()}
        self.state_of = {request: state for request, state in self.state_of.items() if request in live}

    def treat(self, logits_row, matcher):
        ban(logits_row, forbidden(matcher.state, matcher.states, self.vocab))
