"""F062 history-view: one-shot forcing looks into a list that may lag whether the forced token has come out already."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor, ban


def forced_params(vocab_size):
    return extra(after=st.integers(0, 3), forced=st.integers(0, 7))


class ForcingDecidedByTheLastToken(RowProcessor):
    logitproof_params = forced_params

    def enter(self, params, prompt, outputs):
        return (params.extra_args, outputs) if params.extra_args else None

    def treat(self, logits_row, state):
        arguments, outputs = state
        if len(outputs) >= arguments["after"] and arguments["forced"] not in outputs[arguments["after"] :]:
            ban(logits_row, {*range(self.vocab)} - {arguments["forced"]})
