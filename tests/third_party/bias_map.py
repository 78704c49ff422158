"""Biases by token, as JSON sends them: keys are texts."""

import torch
from vllm.v1.sample.logits_processor import LogitsProcessor, process_dict_updates


class BiasMap(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        self.device = device
        self.biases = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        process_dict_updates(self.biases, batch_update, self._biases)

    def _biases(self, params, _, __):
        given = (params.extra_args or {}).get("token_bias")
        if not given:
            return None
        ids = torch.tensor([int(token) for token in given], device=self.device)
        values = torch.tensor([float(bias) for bias in given.values()], device=self.device)
        return ids, values

    def apply(self, logits):
        for index, (ids, values) in self.biases.items():
            logits[index].index_add_(0, ids, values.to(logits.dtype))
        return logits


class BiasMapAdded(BiasMap):
    """Faulty: adds the biases of a request once more after every update."""

    def update_state(self, batch_update):
        super().update_state(batch_update)
        if batch_update is not None:
            self.biases = {index: (ids, values * 2) for index, (ids, values) in self.biases.items()}
