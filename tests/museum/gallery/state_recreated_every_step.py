"""F082 shared-state: the object that holds a request's state is made again from its message in every step."""

from __future__ import annotations

from row_processor import RowProcessor, ban
from toy_grammar import following, forbidden, grammar_params


class StateRecreatedEveryStep(RowProcessor):
    logitproof_params = grammar_params

    def enter(self, params, prompt, outputs):
        states = (params.extra_args or {}).get("grammar")
        if states is None:
            return None
        request = {"states": states, "outputs": outputs, "seen": 0, "state": 0}
        return self.take(request)

    def take(self, request):
        """Advance by the tokens that are new."""
        for token in request["outputs"][request["seen"] :]:
            request["state"] = following(request["state"], token, request["states"])
        request["seen"] = len(request["outputs"])
        return request

    def advance(self, request):
        self.receive(request)
        self.take(request)

    def receive(self, request):
        request["state"] = 0  # The fault: the state has to survive from step to step.

    def treat(self, logits_row, request):
        ban(logits_row, forbidden(request["state"], request["states"], self.vocab))
