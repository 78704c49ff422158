"""Settings in a nested dictionary, read into a dataclass."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from vllm.v1.sample.logits_processor import LogitsProcessor, process_dict_updates


@dataclass
class XtcSettings:
    threshold: float = 0.1
    keep: int = 1
    token_id: int | None = None


@dataclass
class _State:
    settings: XtcSettings
    outputs: list[int]


class ExcludeTop(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        self.states: dict[int, _State] = {}

    def is_argmax_invariant(self):
        return False

    def _state(self, params, _prompt, outputs):
        config = (params.extra_args or {}).get("xtc")
        return _State(XtcSettings(**config), outputs) if config else None

    def update_state(self, batch_update):
        process_dict_updates(self.states, batch_update, self._state)

    def apply(self, logits):
        for index, state in self.states.items():
            self.exclude(logits[index], state.settings)
        return logits

    def exclude(self, row: torch.Tensor, settings: XtcSettings) -> None:
        probabilities = row.softmax(-1)
        above = (probabilities >= settings.threshold).nonzero().flatten()
        order = above[probabilities[above].argsort(descending=True)]
        drop = order[: max(0, len(order) - settings.keep)]
        row[drop] = -float("inf")
        if settings.token_id is not None:
            row[settings.token_id] += 1.0


class ExcludeTopForever(ExcludeTop):
    """Faulty: a state that was there once stays for whoever comes into the slot."""

    def update_state(self, batch_update):
        before = dict(self.states)
        super().update_state(batch_update)
        for index, state in before.items():
            self.states.setdefault(index, state)

    def apply(self, logits):
        for index, state in self.states.items():
            if index < len(logits):
                self.exclude(logits[index], state.settings)
        return logits
