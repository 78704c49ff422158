"""The error for a row that no token can be drawn from."""

from __future__ import annotations

import torch

from .request import Request


class UnsampleableRowError(ValueError):
    """A request's logits define no distribution; no token id would be an honest answer. Source: contract D8."""


def unsampleable(logits: torch.Tensor, row: int, request: Request) -> UnsampleableRowError:
    """The error for one row, with what is wrong in it. logits: float tensor (num_requests, vocab_size)."""
    values = logits[row]
    if bool(values.isnan().any()):
        what, cause = "NaN", "the forward pass or a processor produced NaN (overflow, 0/0, -inf plus inf)"
    elif bool(values.isposinf().any()):
        what, cause = (
            "a logit of +inf",
            "a processor forced a token with +inf: set the others to -inf instead",
        )
    else:
        what, cause = (
            "no finite logit",
            "masks that leave nothing in common (for instance a grammar and min_tokens)",
        )
    return UnsampleableRowError(
        f"Expected every row to have a finite highest logit but request {request.request_id!r} (row {row}) has {what}; "
        f"likely cause: {cause}. Run each processor through `logitproof fuzz` to see which one breaks law D8"
    )
