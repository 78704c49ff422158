"""Twin of F137 leak, without the fault: the automaton is shared."""

from __future__ import annotations

from params_copied_for_every_request import ParamsCopiedForEveryRequest


class TwinOfParamsCopiedForEveryRequest(ParamsCopiedForEveryRequest):
    def own(self, automaton):
        return automaton
