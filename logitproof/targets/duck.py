"""Processors by their methods only: `update_state` and `apply`, without a base class of ours or vLLM's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from logitproof.spec import SamplingParams
from logitproof.vllm_params import to_vllm_params

from .construction import constructor
from .source import imports, source_of
from .target import Target
from .told import Told

if TYPE_CHECKING:
    import torch


def is_duck(cls: object) -> bool:
    """Whether it is a class with both methods."""
    return isinstance(cls, type) and all(
        callable(getattr(cls, name, None)) for name in ("update_state", "apply")
    )


def wrap_duck(cls: type[Any], name: str) -> Target:
    """A target around such a class. It is told in vLLM's types if its file imports vllm, else in ours.

    `is_argmax_invariant` and `validate_params` are used where the class has them.
    """
    reads_vllms = imports(source_of(cls), "vllm")
    declared, judge = getattr(cls, "is_argmax_invariant", None), getattr(cls, "validate_params", None)

    class Driven(Told):
        target, reads_vllm = cls, reads_vllms
        make_inner = staticmethod(constructor(cls, reads_vllms))

        def apply(self, logits: torch.Tensor) -> torch.Tensor:
            transformed: torch.Tensor = self.inner.apply(logits)
            return transformed

        def is_argmax_invariant(self) -> bool:
            return False if declared is None else self.inner.is_argmax_invariant()

        @classmethod
        def validate_params(cls, sampling_params: SamplingParams) -> None:
            if judge is not None:
                judge(to_vllm_params(sampling_params) if reads_vllms else sampling_params)

    Driven.__name__ = Driven.__qualname__ = cls.__name__
    return Target(name, make=Driven, validate=Driven.validate_params, in_vllms_types=reads_vllms)
