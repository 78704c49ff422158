"""Which params may reach the batch: what the engine checks when a request arrives (contract D6)."""

from __future__ import annotations

from logitproof.spec import SamplingParams, check_token_ids
from logitproof.targets import Target


def admitted(params: SamplingParams, target: Target, vocab: int) -> bool:
    """Whether neither the engine nor the target's `validate_params` refuses them."""
    try:
        check_token_ids(params, vocab)
        target.validate(params)
    except ValueError:
        return False
    return True
