"""What the engine tells every processor about a step: the `BatchUpdate` and the tuples inside it.

Field names and tuple layouts are those of the seed document, so that a processor written for vLLM reads the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from .params import SamplingParams


class MoveDirectionality(Enum):
    """How a `MovedRequest` is to be read. Source: contract A3, A4."""

    UNIDIRECTIONAL = auto()
    """The request at the source goes to the destination; the source becomes empty."""
    SWAP = auto()
    """The two slots exchange their requests."""


RemovedRequest: TypeAlias = int
"""Index of a slot whose request is discarded. Source: contract A1."""

AddedRequest: TypeAlias = tuple[int, SamplingParams, list[int] | None, list[int]]
"""`(index, params, prompt_token_ids, output_token_ids)`.

The index is the one valid when the Add happens, before any Move. Both lists are live references: the engine
appends to `output_token_ids` in every step. `prompt_token_ids` is None for a request that was given embeddings.
Source: contract A2, C5.
"""

MovedRequest: TypeAlias = tuple[int, int, MoveDirectionality]
"""`(source, destination, directionality)`. Source: contract A3, A4."""


@dataclass(frozen=True)
class BatchUpdate:
    """Every change of the persistent batch in one step.

    A processor handles `removed`, then `added`, then `moved`, and `moved` in listed order (contract C1).
    `batch_size` is the number of live requests once all of it is done (contract B5). A step in which nothing
    changed is announced by None instead of a `BatchUpdate` (contract B7).
    """

    batch_size: int
    removed: Sequence[RemovedRequest]
    added: Sequence[AddedRequest]
    moved: Sequence[MovedRequest]
