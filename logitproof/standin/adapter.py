"""`AdapterLogitsProcessor`: a batch processor around one callable per request."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeAlias

from .dict_updates import process_dict_updates
from .interface import BatchUpdate, LogitsProcessor
from .sampling_params import SamplingParams

if TYPE_CHECKING:
    import torch

RequestLogitsProcessor: TypeAlias = Callable[..., "torch.Tensor"]
"""`(output_ids, logits)` or `(prompt_ids, output_ids, logits)` to the logits of one row."""


class AdapterLogitsProcessor(LogitsProcessor):
    """Subclasses say which callable a request gets; its row goes through it in every step."""

    def __init__(self, vllm_config: Any, device: torch.device, is_pin_memory: bool) -> None:
        self.req_info: dict[int, partial[Any]] = {}

    @abstractmethod
    def new_req_logits_processor(self, params: SamplingParams) -> RequestLogitsProcessor | None:
        """The callable of a request with these params, or None if it needs none."""
        raise NotImplementedError

    def _new_state(
        self, params: SamplingParams, prompt_ids: list[int] | None, output_ids: list[int]
    ) -> partial[Any] | None:
        function = self.new_req_logits_processor(params)
        if not function:
            return None
        if len(signature(function).parameters) != 3:
            return partial(function, output_ids)
        if prompt_ids is None:
            raise ValueError("the request has no prompt token ids, which its logits processor takes")
        return partial(function, prompt_ids, output_ids)

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the batch."""
        process_dict_updates(self.req_info, batch_update, self._new_state)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Give every request's row to its callable."""
        for slot, function in self.req_info.items():
            row = logits[slot]
            transformed = function(row)
            if transformed is not row:
                logits[slot] = transformed
        return logits
