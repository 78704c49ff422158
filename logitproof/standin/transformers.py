"""The few names of transformers that such files import, used only when it is not installed."""

from __future__ import annotations

from typing import Any

from logitproof.toy_model import size_of
from logitproof.vllm_config import HfConfigView


class LogitsProcessorList(list[Any]):
    """transformers' list of processors of whole batches of input ids."""

    def __call__(self, input_ids: Any, scores: Any, **kwargs: Any) -> Any:
        for processor in self:
            scores = processor(input_ids, scores, **kwargs)
        return scores


class LogitsProcessor:
    """transformers' base class: `(input_ids, scores) -> scores`."""

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no __call__")


class AutoConfig:
    """Configurations by name."""

    @staticmethod
    def from_pretrained(name: Any = "", *args: Any, **kwargs: Any) -> HfConfigView:
        """The configuration of the toy model, whatever model is named."""
        return HfConfigView(size_of(name))


def banned_ngram_tokens(
    ngram_size: int, prev_input_ids: Any, num_hypos: int, cur_len: int
) -> list[list[int]]:
    """For each row, the tokens that would repeat an n-gram of it."""
    if cur_len + 1 < ngram_size:
        return [[] for _ in range(num_hypos)]
    banned = []
    for row in prev_input_ids[:num_hypos]:
        ids = row.tolist()
        starts = range(len(ids) - ngram_size + 1)
        grams = [tuple(ids[start : start + ngram_size]) for start in starts]
        last = tuple(ids[cur_len + 1 - ngram_size : cur_len])
        banned.append([gram[-1] for gram in grams if gram[:-1] == last])
    return banned
