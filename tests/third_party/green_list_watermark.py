"""A watermark: half of the vocabulary, chosen by the previous token, gets a bonus."""

from dataclasses import dataclass

import torch
from vllm.sampling_params import SamplingParams
from vllm.v1.sample.logits_processor import BatchUpdate, LogitsProcessor, process_dict_updates

HASH_KEY = 15485863


@dataclass
class _Row:
    gamma: float
    delta: float
    key: int
    prompt_tail: int
    outputs: list[int]

    def previous(self) -> int:
        return self.outputs[-1] if self.outputs else self.prompt_tail


class GreenList(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        self.vocab_size = vllm_config.model_config.get_vocab_size()
        self.device = device
        self.rows: dict[int, _Row] = {}

    def is_argmax_invariant(self) -> bool:
        return False

    def _new_row(self, params: SamplingParams, prompt_ids, output_ids):
        extra = getattr(params, "extra_args", None) or {}
        if not extra.get("watermark"):
            return None
        return _Row(
            gamma=float(extra.get("wm_gamma", 0.5)),
            delta=float(extra.get("wm_delta", 2.0)),
            key=int(extra.get("wm_hash_key", HASH_KEY)),
            prompt_tail=prompt_ids[-1] if prompt_ids else 0,
            outputs=output_ids,
        )

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        process_dict_updates(self.rows, batch_update, self._new_row)

    def green_ids(self, row: _Row) -> torch.Tensor:
        generator = torch.Generator(device="cpu")
        generator.manual_seed(row.key * (row.previous() + 1) % (2**31))
        return torch.randperm(self.vocab_size, generator=generator)[: int(row.gamma * self.vocab_size)]

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        for index, row in self.rows.items():
            logits[index, self.green_ids(row)] += row.delta
        return logits


class GreenListCached(GreenList):
    """Faulty: the previous token is looked up when the batch changes, not in every step."""

    def update_state(self, batch_update):
        super().update_state(batch_update)
        if batch_update is not None:
            self.seen = {index: row.previous() for index, row in self.rows.items()}

    def green_ids(self, row):
        index = next(index for index, each in self.rows.items() if each is row)
        generator = torch.Generator(device="cpu")
        generator.manual_seed(row.key * (self.seen[index] + 1) % (2**31))
        return torch.randperm(self.vocab_size, generator=generator)[: int(row.gamma * self.vocab_size)]
