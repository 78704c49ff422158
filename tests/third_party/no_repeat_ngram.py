"""No n-gram may come twice."""

from collections.abc import Iterable

import torch
from vllm import SamplingParams
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor


class NoRepeatNGram:
    def __init__(self, ngram_size: int, window_size: int, whitelist_token_ids: set[int] | None = None):
        self.ngram_size = ngram_size
        self.window_size = window_size
        self.whitelist_token_ids = whitelist_token_ids or set()

    def __call__(self, output_ids: list[int], logits: torch.Tensor) -> torch.Tensor:
        if len(output_ids) < self.ngram_size:
            return logits
        prefix = tuple(output_ids[len(output_ids) - self.ngram_size + 1 :])
        start = max(0, len(output_ids) - self.window_size)
        banned = {
            output_ids[i + self.ngram_size - 1]
            for i in range(start, len(output_ids) - self.ngram_size + 1)
            if tuple(output_ids[i : i + self.ngram_size - 1]) == prefix
        } - self.whitelist_token_ids
        if banned:
            logits[list(banned)] = -float("inf")
        return logits


class NGramPerRequest(AdapterLogitsProcessor):
    @classmethod
    def validate_params(cls, params: SamplingParams):
        ngram_size = params.extra_args and params.extra_args.get("ngram_size")
        window_size = params.extra_args and params.extra_args.get("window_size", 100)
        whitelist_token_ids = params.extra_args and params.extra_args.get("whitelist_token_ids", None)
        if ngram_size is None:
            return
        if not isinstance(ngram_size, int) or ngram_size <= 0:
            raise ValueError(f"`ngram_size` has to be a positive integer, got {ngram_size}")
        if not isinstance(window_size, int) or window_size <= 0:
            raise ValueError(f"`window_size` has to be a positive integer, got {window_size}")
        if whitelist_token_ids is not None and not isinstance(whitelist_token_ids, Iterable):
            raise ValueError(f"`whitelist_token_ids` has to be iterable, got {whitelist_token_ids}")

    def is_argmax_invariant(self) -> bool:
        return False

    def new_req_logits_processor(self, params: SamplingParams):
        ngram_size = params.extra_args and params.extra_args.get("ngram_size")
        if ngram_size is None:
            return None
        whitelist = params.extra_args.get("whitelist_token_ids", None)
        return NoRepeatNGram(
            ngram_size,
            params.extra_args.get("window_size", 100),
            set(whitelist) if whitelist else None,
        )


class NGramInvariant(NGramPerRequest):
    """Faulty: says that it never changes the highest logit."""

    def is_argmax_invariant(self) -> bool:
        return True
