"""One request and its row, small enough to draw: where witnesses against wrong claims are looked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from logitproof.model.rows.reference import BANNED
from logitproof.spec import SamplingParams

VALUES = (0.0, 1.0, 2.0, -1.0)
"""Logits of both signs and zero, so that rows have ties, order and sign changes."""
SIZES = (2, 3)
"""The smallest vocabularies in which something can be banned, or cut between two survivors."""
OUTPUTS = (0,)
"""Token 0 has just been said."""
USES: dict[str, tuple[dict[str, Any], ...]] = {
    "allowed_token_ids": ({"allowed_token_ids": [0]}, {"allowed_token_ids": [1]}),
    "bad_words": ({"bad_words": [[0]]}, {"bad_words": [[1]]}),
    "min_tokens": (
        {"min_tokens": 2, "stop_token_ids": [0]},
        {"min_tokens": 2, "stop_token_ids": [1]},
    ),
    "logit_bias": ({"logit_bias": {0: -2.0}}, {"logit_bias": {1: 2.0}}),
    "repetition_penalty": ({"repetition_penalty": 2.0},),
    "frequency_penalty": ({"frequency_penalty": 2.0},),
    "presence_penalty": ({"presence_penalty": 2.0},),
    "temperature": ({"temperature": 0.5}, {"temperature": 2.0}),
    "min_p": ({"min_p": 0.5}, {"min_p": 0.3}),
    "top_k": ({"top_k": 1}, {"top_k": 2}),
    "top_p": ({"top_p": 0.5}, {"top_p": 0.7}),
}
"""How a request uses each feature, simplest first."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A request's parameters in use, and its logits."""

    uses: dict[str, Any]
    row: tuple[float, ...]

    @property
    def params(self) -> SamplingParams:
        """The request's parameters."""
        return SamplingParams(**self.uses)

    def draw(self, after: Sequence[tuple[str, Sequence[float]]]) -> str:
        """A small table: the logits before, and under each title the logits after."""
        lines = [("before", self.row), *after]
        width = max(len("token"), *(len(title) for title, _ in lines))
        used = ", ".join(f"{name}={value}" for name, value in self.uses.items())
        return "\n".join(
            [
                f"{used}; output so far {list(OUTPUTS)}",
                f"{'token':{width}}" + "".join(f"{token:>8}" for token in range(len(self.row))),
                *(f"{title:{width}}" + "".join(_number(logit) for logit in row) for title, row in lines),
            ]
        )


def _number(logit: float) -> str:
    return f"{'-' if logit == BANNED else f'{logit:.3g}':>8}"


def scenes(*features: str) -> Iterator[Scene]:
    """Every small scene in which these features are used, small vocabularies first."""
    for size in SIZES:
        for row in product(VALUES, repeat=size):
            for combination in product(*(USES[feature] for feature in features)):
                yield Scene({name: value for use in combination for name, value in use.items()}, row)


def differ(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two rows differ by more than rounding."""
    return any(
        a != b and not abs(a - b) < 1e-9 for a, b in zip(one, other, strict=True)
    )  # banned on one side only: the difference is infinite
