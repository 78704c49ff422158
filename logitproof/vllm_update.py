"""A batch update in vLLM's types and in ours. Both have the same layout; enum, dataclass and params differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from logitproof.spec import BatchUpdate, MoveDirectionality, SamplingParams

from .vllm_params import to_spec_params


def to_vllm_update(update: BatchUpdate | None, translate: Callable[[SamplingParams], Any]) -> Any:
    """The update as vLLM would deliver it; token lists stay the same objects.

    `removed` is put into descending order, the only one that vLLM's builder delivers. C1 allows any.
    """
    if update is None:
        return None
    from vllm.v1.sample.logits_processor import BatchUpdate as VllmBatchUpdate
    from vllm.v1.sample.logits_processor import MoveDirectionality as VllmMoveDirectionality

    return VllmBatchUpdate(
        batch_size=update.batch_size,
        removed=sorted(update.removed, reverse=True),
        added=[
            (index, translate(params), prompt, outputs) for index, params, prompt, outputs in update.added
        ],
        moved=[
            (source, destination, VllmMoveDirectionality[how.name])
            for source, destination, how in update.moved
        ],
    )


def to_spec_update(update: Any) -> BatchUpdate | None:
    """What vLLM delivered, in our types and in its own order; every params object is the one it was made from."""
    if update is None:
        return None
    return BatchUpdate(
        batch_size=update.batch_size,
        removed=list(update.removed),
        added=[
            (index, to_spec_params(params), prompt, outputs)
            for index, params, prompt, outputs in update.added
        ],
        moved=[
            (source, destination, MoveDirectionality[how.name]) for source, destination, how in update.moved
        ],
    )
