"""No n-gram twice, for every request: off unless the server says so, and of no use without a size."""

import os
from dataclasses import replace

import torch
from vllm.v1.sample.logits_processor import BatchUpdate, LogitsProcessor
from vllm.v1.sample.logits_processor.builtin import process_dict_updates


def _required(name: str) -> str:
    value = os.environ.get(name)
    if value is None:
        raise RuntimeError(f"{name} must be set")
    return value


class ServerNGrams(LogitsProcessor):
    def __init__(self, vllm_config, device: torch.device, is_pin_memory: bool):
        self.size = int(_required("NGRAM_SIZE_OF_TEST"))
        self.is_on = os.getenv("NGRAMS_OF_TEST", "0") == "1"
        self.rows: dict[int, list[int]] = {}

    def is_argmax_invariant(self) -> bool:
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        if self.is_on:
            process_dict_updates(self.rows, batch_update, lambda params, prompt, outputs: outputs)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        for row, outputs in self.rows.items():
            head = outputs[len(outputs) - self.size + 1 :]
            for start in range(len(outputs) - self.size + 1):
                if outputs[start : start + self.size - 1] == head:
                    logits[row, outputs[start + self.size - 1]] = float("-inf")
        return logits


class ServerNGramsUnmoved(ServerNGrams):
    """Faulty: rows that move leave their outputs behind."""

    def update_state(self, batch_update):
        super().update_state(batch_update and replace(batch_update, moved=[]))
