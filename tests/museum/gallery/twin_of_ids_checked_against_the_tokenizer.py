"""Twin of F104 id-range, without the fault: ids are checked against the width of the logits."""

from __future__ import annotations

from ids_checked_against_the_tokenizer import IdsCheckedAgainstTheTokenizer


class TwinOfIdsCheckedAgainstTheTokenizer(IdsCheckedAgainstTheTokenizer):
    @classmethod
    def validate_params(cls, sampling_params):
        bad_tokens = (sampling_params.extra_args or {}).get("bad_tokens", [])
        if not isinstance(bad_tokens, list):
            raise ValueError(f"bad_tokens is {bad_tokens!r}, not a list")
        for token in bad_tokens:
            if type(token) is not int or not 0 <= token < 32:
                raise ValueError(f"bad token {token!r} is not one of the 32 columns")
