"""What a test session asks of every check in it: set by the pytest plugin, empty elsewhere."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import blake2b


@dataclass(frozen=True, slots=True)
class Asked:
    """Of `--logitproof-seed` and `--logitproof-max-examples`; None: not given."""

    seed: int | None = None
    max_examples: int | None = None


ASKED: ContextVar[Asked] = ContextVar("logitproof_asked", default=Asked())  # noqa: B039 - frozen


def seed_of(name: str) -> int:
    """A seed that depends on nothing but a name: the same on every machine and in every process."""
    return int.from_bytes(blake2b(name.encode(), digest_size=4).digest()) >> 1
