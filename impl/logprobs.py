"""Log-probabilities of the rows that asked for them; other rows cost nothing."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .sampled import TokenLogprobs


class LogprobRows:
    """Copies of the rows, taken before anything changes them; float32 tensor (num_rows, vocab_size).

    Raises nothing for rows without a distribution: their log-probabilities are NaN.
    """

    def __init__(self, logits: torch.Tensor, rows: Sequence[int]) -> None:
        self._place = {row: place for place, row in enumerate(rows)}
        self._logits = logits[list(rows)].float()

    def of(self, row: int, token_id: int, most: int) -> TokenLogprobs:
        """The report on a row's token with the `most` likeliest tokens, at most the vocabulary."""
        logprobs = self._logits[self._place[row]].log_softmax(dim=0)
        chosen = logprobs[token_id]
        rank = 1 + int((logprobs > chosen).sum())
        return TokenLogprobs(token_id, float(chosen), rank, _top(logprobs, min(most, len(logprobs))))


def _top(logprobs: torch.Tensor, most: int) -> tuple[tuple[int, float], ...]:
    """The likeliest tokens, ties by id. logprobs: float tensor (vocab_size,)."""
    if most == 0:
        return ()
    lowest = logprobs.topk(most).values[-1]
    # topk takes any of several equal tokens; all of them are candidates here, so that the lowest ids can be kept.
    candidates = ((logprobs >= lowest) & (logprobs > float("-inf"))).nonzero().flatten()
    pairs = zip(candidates.tolist(), logprobs[candidates].tolist(), strict=True)
    return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:most])
