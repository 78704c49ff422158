"""Twin of F104 id-range, without the fault: ids are checked against the width of the logits."""

from __future__ import annotations

from ids_checked_against_the_tokenizer import IdsCheckedAgainstTheTokenizer


class TwinOfIdsCheckedAgainstTheTokenizer(IdsCheckedAgainstTheTokenizer):
    @classmethod
    def validate_params(cls, sampling_params):
        for token in (sampling_params.extra_args or {}).get("bad_tokens", ()):
            if not 0 <= token < 32:
                raise ValueError(f"bad token {token} is not one of the 32 columns")
