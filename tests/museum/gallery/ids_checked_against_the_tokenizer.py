"""F104 id-range: bad tokens are checked against the tokenizer, which knows more ids than the logits have columns."""

from __future__ import annotations

import math

from request_kinds import bad_token_args
from row_processor import RowProcessor

TOKENIZER_SIZE = 40
"""Placeholders of another modality included; the logits are 32 wide."""


class IdsCheckedAgainstTheTokenizer(RowProcessor):
    logitproof_params = bad_token_args

    @classmethod
    def validate_params(cls, sampling_params):
        for token in (sampling_params.extra_args or {}).get("bad_tokens", ()):
            if not 0 <= token < TOKENIZER_SIZE:
                raise ValueError(f"bad token {token} is not one of the tokenizer's {TOKENIZER_SIZE}")

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("bad_tokens")

    def treat(self, logits_row, bad_tokens):
        for token in bad_tokens:
            logits_row[token] = -math.inf
