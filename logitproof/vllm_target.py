"""A processor class written for vLLM, driven like one of ours.

    Driven = adapt_vllm_processor(MinPLogitsProcessor)      # a logitproof.spec.LogitsProcessor class
    processor = Driven(config, device, is_pin_memory)       # config: logitproof.spec.EngineConfig
    processor.update_state(update)                          # update: logitproof.spec.BatchUpdate or None

`AdapterLogitsProcessor` subclasses (vLLM's wrapper for per-request callables) are such classes too.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from .targets.errors import TargetError
from .targets.learned import names_read
from .targets.target import Target
from .vllm_config import VllmConfigView
from .vllm_params import ParamsTranslator, to_vllm_params
from .vllm_update import to_vllm_update

if TYPE_CHECKING:
    import torch


def is_vllm_processor(cls: object) -> bool:
    """Whether `cls` is a subclass of vLLM's own `LogitsProcessor`.

    vLLM takes seconds to import, so it is imported only when a base class comes from it.
    """
    if not isinstance(cls, type) or not any(base.__module__.split(".")[0] == "vllm" for base in cls.__mro__):
        return False
    try:
        from vllm.v1.sample.logits_processor import LogitsProcessor as VllmLogitsProcessor
    except ImportError:
        return False
    return issubclass(cls, VllmLogitsProcessor)


class VllmProcessor(LogitsProcessor):
    """Drives an instance of `target`, which is `inner`, and translates what it is told."""

    target: ClassVar[type[Any]]
    reasons: ClassVar[bool] = False
    """Whether the target reads a reasoning configuration, and so gets one."""

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self.inner = self.target(VllmConfigView.of(config, self.reasons), device, is_pin_memory)
        self._translator = ParamsTranslator()

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Hand the update on in vLLM's types. Source: contract C4."""
        self.inner.update_state(to_vllm_update(batch_update, self._translator.to_vllm))

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """What the target returns, the same tensor object included.

        logits: float tensor (num_requests, vocab_size).
        """
        transformed: torch.Tensor = self.inner.apply(logits)
        return transformed

    def is_argmax_invariant(self) -> bool:
        """The target's own declaration, as it is, so that a wrong type shows too. Source: contract D5."""
        declared: bool = self.inner.is_argmax_invariant()
        return declared

    @classmethod
    def validate_params(cls, sampling_params: SamplingParams) -> None:
        """Let the target judge the params in vLLM's type.

        Raises ValueError: the target refuses them (vLLM's VLLMValidationError is one). Source: contract D6.
        """
        cls.target.validate_params(to_vllm_params(sampling_params))


def adapt_vllm_processor(target: type[Any]) -> type[VllmProcessor]:
    """A class with our interface that drives instances of a vLLM processor class; it carries the target's names.

    Raises TypeError: not a vLLM processor class, or one that still has abstract methods.
    """
    if not is_vllm_processor(target):
        raise TypeError(
            f"Expected a subclass of vllm.v1.sample.logits_processor.LogitsProcessor but got {target!r}; "
            f"check the base class, and that vLLM is installed: pip install 'logitproof[vllm]'"
        )
    if inspect.isabstract(target):
        missing = ", ".join(sorted(target.__abstractmethods__))
        raise TypeError(f"Expected a class that can be constructed but {target.__qualname__} lacks {missing}")
    names: dict[str, Any] = {"target": target, "reasons": "reasoning_config" in names_read(target)}
    names |= {name: getattr(target, name) for name in ("__module__", "__qualname__", "__doc__")}
    if hasattr(target, "logitproof_params"):
        names["logitproof_params"] = target.logitproof_params
    return type(target.__name__, (VllmProcessor,), names)


def wrap(target: type[Any]) -> Target:
    """A lockstep target around a vLLM processor class. Raises TargetError where `adapt_vllm_processor` refuses it."""
    try:
        driven = adapt_vllm_processor(target)
    except TypeError as error:
        raise TargetError(str(error)) from error
    return Target(target.__name__, make=driven, validate=driven.validate_params, in_vllms_types=True)
