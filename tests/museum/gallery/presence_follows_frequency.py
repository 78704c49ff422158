"""F147 silent-drop: the presence penalty is initialised from the frequency penalty's value."""

from __future__ import annotations

from collections import Counter

from hypothesis import strategies as st
from row_processor import RowProcessor

from logitproof import SamplingParams


def two_penalties_params(vocab_size):
    return st.builds(
        SamplingParams,
        frequency_penalty=st.sampled_from((0.0, 0.5, -0.25)),
        presence_penalty=st.sampled_from((0.0, 1.0, -1.0)),
    )


class PresenceFollowsFrequency(RowProcessor):
    logitproof_params = two_penalties_params

    def enter(self, params, prompt, outputs):
        return (params.frequency_penalty, self.presence(params), outputs)

    def presence(self, params):
        return params.frequency_penalty

    def treat(self, logits_row, state):
        frequency, presence, outputs = state
        for token, count in Counter(outputs).items():
            logits_row[token] -= frequency * count
            logits_row[token] -= presence
