"""Penalises runs of one token; its settings are read by a module beside it."""

import torch
from helper_module_settings import settings_of
from vllm.v1.sample.logits_processor import LogitsProcessor, process_dict_updates


class RunPenalty(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        self.reqs = {}

    @classmethod
    def validate_params(cls, params):
        settings_of(params)

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        process_dict_updates(self.reqs, batch_update, self.new_request)

    @staticmethod
    def new_request(params, prompt, outputs):
        settings = settings_of(params)
        return None if settings is None else (*settings, outputs)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        for index, (token, penalty, outputs) in self.reqs.items():
            run = 0
            for output in reversed(outputs):
                if output != token:
                    break
                run += 1
            logits[index, token] -= penalty * (run + 1)
        return logits


class RunPenaltyInvariant(RunPenalty):
    """Faulty: keeps the row of the last batch and gives it to somebody else."""

    def apply(self, logits):
        logits = super().apply(logits)
        for index, (token, _, _) in self.reqs.items():
            logits[(index + 1) % len(logits), token] = logits[index, token]
        return logits
