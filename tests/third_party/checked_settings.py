"""Settings checked by a model of fields, under names that the engine's own fields have too."""

from typing import Literal

import regex as re
import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from vllm.v1.sample.logits_processor import LogitsProcessor
from vllm.v1.sample.logits_processor.builtin import process_dict_updates

NAME = re.compile(r"[a-z]+")


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid")
    token_ids: list[int] = Field(min_length=1)
    temperature: float = Field(1.0, gt=0, le=2)
    mode: Literal["lower", "ban"] = "lower"

    @field_validator("token_ids")
    @classmethod
    def none_below_zero(cls, value):
        if min(value) < 0:
            raise ValueError("a token id is negative")
        return value


class CheckedBan(LogitsProcessor):
    @classmethod
    def validate_params(cls, params):
        if params.extra_args:
            try:
                Settings.model_validate(params.extra_args)
            except ValidationError as error:
                raise ValueError(str(error)) from error

    def __init__(self, vllm_config, device: torch.device, is_pin_memory: bool):
        self.rows = {}

    def is_argmax_invariant(self):
        return False

    def new(self, params, prompt, outputs):
        return Settings(**params.extra_args) if params.extra_args else None

    def update_state(self, batch_update):
        process_dict_updates(self.rows, batch_update, self.new)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        for row, settings in self.rows.items():
            if settings.mode == "ban":
                logits[row, settings.token_ids] = float("-inf")
            else:
                logits[row, settings.token_ids] -= settings.temperature
        return logits


class CheckedBanOneForAll(CheckedBan):
    """Faulty: the last settings that came are everybody's."""

    def new(self, params, prompt, outputs):
        self.latest = super().new(params, prompt, outputs)
        return self.latest

    def apply(self, logits):
        for row in self.rows:
            logits[row, self.latest.token_ids if self.latest else [0]] -= 1.0
        return logits
