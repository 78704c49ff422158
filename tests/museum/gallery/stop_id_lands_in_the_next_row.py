"""F101 id-range: stop ids are column indices without a check, so one past the row bans a token in the next row."""

from __future__ import annotations

import math

from hypothesis import strategies as st
from request_kinds import extra, tokens
from row_processor import RowProcessor


def stop_id_params(vocab_size):
    stop_ids = st.lists(tokens(vocab_size), min_size=1, max_size=3, unique=True)
    return extra(stop_ids=stop_ids, least=st.integers(1, 6))


class StopIdLandsInTheNextRow(RowProcessor):
    logitproof_params = stop_id_params

    def enter(self, params, prompt, outputs):
        return (params.extra_args, outputs) if params.extra_args else None

    def apply(self, logits):
        memory = logits.view(-1)  # as a device addresses it: a column too far is the next row's
        for row, (arguments, outputs) in self.rows.items():
            for token in arguments["stop_ids"] if len(outputs) < arguments["least"] else ():
                address = row * logits.shape[1] + token
                if address < len(memory):  # past the tensor lies somebody else's memory
                    memory[address] = -math.inf
        return logits
