"""What a target's source asks of its surroundings, that its requests do not hold: environment variables, a device."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .environment import variables
from .source import Source
from .target import Target

if TYPE_CHECKING:
    import torch

    from logitproof.spec import EngineConfig


def reads_environment(source: Source) -> str:
    """Which environment variables the source reads, as a sentence; empty if none."""
    names = [each.name for each in variables(source)]
    return f"its source reads {', '.join(names)}; set them as for the engine" if names else ""


def asks_for_cuda(source: Source) -> bool:
    """Whether the source compares something with "cuda", or asks whether it is."""
    return any(
        (isinstance(node, ast.Constant) and node.value == "cuda")
        or (isinstance(node, ast.Attribute) and node.attr == "is_cuda")
        for node in source.walk()
    )


@dataclass(frozen=True, slots=True)
class ToldOfCuda:
    """`make` whose instances are told of a CUDA device, which need not be there: logits stay on the CPU."""

    make: Any

    def __call__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> Any:
        import torch

        return self.make(config, torch.device("cuda"), is_pin_memory)

    @property
    def target(self) -> Any:
        """The class of the user's."""
        return getattr(self.make, "target", self.make)


def told_of_cuda(target: Target) -> Target:
    """The target, whose constructor is told of a CUDA device; with a note."""
    said = "its constructor is told of a CUDA device, which it asks for; logits are on the CPU here"
    return replace(target, make=ToldOfCuda(target.make), notes=(*target.notes, ("device", said)))
