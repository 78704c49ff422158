"""How to make an instance of a class whose constructor is not that of a processor (contract D7)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from logitproof.spec import EngineConfig
from logitproof.vllm_config import VllmConfigView

from .errors import TargetError

if TYPE_CHECKING:
    import torch

SLOT_NAMES = (
    "max_num_reqs",
    "max_num_seqs",
    "max_num_requests",
    "max_batch_size",
    "max_slots",
    "num_slots",
    "slots",
)
VOCAB_NAMES = ("vocab_size", "vocab", "n_vocab", "num_tokens")


def constructor(cls: type[Any], reads_vllm: bool) -> Callable[[EngineConfig, torch.device, bool], Any]:
    """`(config, device, is_pin_memory) -> instance`, whatever parameters the class takes.

    The three of a processor's constructor, or none, or any of those that have a default or one of the usual names.
    Raises TargetError: a parameter that nothing is known for.
    """

    def seen(config: EngineConfig) -> Any:
        return VllmConfigView.of(config) if reads_vllm else config

    try:
        signature = inspect.signature(cls)
    except (TypeError, ValueError):  # written in C: it shows no parameters
        return lambda config, device, pin: cls()
    if _takes_three(signature):
        return lambda config, device, pin: cls(seen(config), device, pin)

    def known(config: EngineConfig, device: torch.device, pin: bool) -> dict[str, Any]:
        slots, vocab = config.scheduler_config.max_num_seqs, config.model_config.vocab_size
        named: dict[str, Any] = {name: seen(config) for name in ("config", "vllm_config", "engine_config")}
        named |= {"device": device, "is_pin_memory": pin, "pin_memory": pin}
        return named | dict.fromkeys(SLOT_NAMES, slots) | dict.fromkeys(VOCAB_NAMES, vocab)

    names = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind is not parameter.VAR_KEYWORD
        and parameter.kind is not parameter.VAR_POSITIONAL
    ]
    offered = ("config", "device", "is_pin_memory", *SLOT_NAMES, *VOCAB_NAMES)
    unknown = [name for name in names if name not in (*offered, "vllm_config", "engine_config", "pin_memory")]
    if unknown:
        raise TargetError(
            f"{cls.__name__}{signature}: nothing is known for {', '.join(unknown)}; its constructor may take "
            f"(config, device, is_pin_memory), nothing, or any of {', '.join(offered)}"
        )

    def make(config: EngineConfig, device: torch.device, pin: bool) -> Any:
        values = known(config, device, pin)
        return cls(**{name: values[name] for name in names})

    return make


def _takes_three(signature: inspect.Signature) -> bool:
    try:
        signature.bind(None, None, None)
    except TypeError:
        return False
    required = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    return len(required) == 3 or [*signature.parameters][1:2] == ["device"]
