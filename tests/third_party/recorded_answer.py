"""Replays a recorded answer token by token, and gives up where the recording ends."""

import torch
from vllm.v1.sample.logits_processor import LogitsProcessor
from vllm.v1.sample.logits_processor.builtin import process_dict_updates


class Recorded(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        self.requests = {}

    def is_argmax_invariant(self):
        return False

    def new(self, params, prompt, outputs):
        recorded = (params.extra_args or {}).get("recorded_ids")
        return None if recorded is None else (recorded, outputs)

    def update_state(self, batch_update):
        process_dict_updates(self.requests, batch_update, self.new)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        for row, (recorded, outputs) in self.requests.items():
            if len(outputs) >= len(recorded):
                raise RuntimeError("nothing was recorded beyond this token")
            logits[row] = float("-inf")
            logits[row, recorded[len(outputs)]] = 0.0
        return logits


class RecordedCounted(Recorded):
    """Faulty: counts its own calls, which a request that comes back starts anew."""

    def new(self, params, prompt, outputs):
        state = super().new(params, prompt, outputs)
        return None if state is None else (state[0], [])

    def apply(self, logits):
        returned = super().apply(logits)
        for _, counted in self.requests.values():
            counted.append(0)
        return returned
