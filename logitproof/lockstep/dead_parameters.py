"""Parameters that a processor accepts, and that make no difference to any row.

No comparison of batches with solo runs can see them, since both ignore them alike. So requests that differ in one
parameter only are played alone, side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import islice
from typing import Any, ClassVar

import torch

from logitproof.spec import SamplingParams
from logitproof.targets import Target
from logitproof.targets.learned import names_read

from .admission import admitted
from .alone import STEPS, drawn_params, given_alone, rows_alone
from .finding import Figure, Finding, Severity
from .observation import Observation
from .plain import NEUTRAL

MOST_DRAWN = 40
MOST_REQUESTS = 12
"""Requests that are varied, and other values for each: one pair that differs ends the search for a parameter."""
MOST_VALUES = 6


class DeadParameter:
    """D6, a warning: only requests were tried that the strategy draws, on rows and outputs of a few steps.

    A fault where nobody even looks them up: see `unread_params`.
    """

    code: ClassVar[str] = "dead-parameter"
    laws: ClassVar[tuple[str, ...]] = ("D6",)
    sentence: ClassVar[str] = (
        "a parameter that the processor reads, or that its requests declare, makes no difference whatever its value"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: a campaign that ends clean asks `dead_parameters`."""
        yield from ()


def dead_parameters(target: Target, dtype: str = "float32") -> dict[str, Finding]:
    """The warning about parameters without effect, by its code; empty if every parameter has one.

    Counted are keys of `extra_args` and fields of `SamplingParams` that the processor's source reads, where the
    strategy draws more than one value. A processor that changes no row in these runs is not judged.
    """
    with torch.inference_mode():
        trial = _Trial(target, dtype)
        read = names_read(getattr(target.make, "target", target.make))
        names = [name for name in trial.names() if name.startswith("extra_args") or name in read]
        dead = [name for name in names if trial.is_dead(name)]
        if not dead or not trial.changed_a_logit:
            return {}
    what = (
        "parameters that make no difference, whatever their value; if other values or token ids would, draw them: "
        "--params module:strategy"
    )
    tried = f"values on each of {len(trial.pool)} requests, {STEPS} steps, the same rows"
    figures = tuple(Figure(name, trial.values_tried(name), tried) for name in dead)
    finding = Finding(DeadParameter.code, "D6", what, STEPS, severity=Severity.WARNING, figures=figures)
    return {finding.oracle: finding}


class _Trial:
    """Requests of one target, and what became of their rows when they were alone."""

    def __init__(self, target: Target, dtype: str) -> None:
        self._target, self._vocab, self._dtype = target, target.vocab, dtype
        self._given = given_alone(target.vocab, dtype)
        self.changed_a_logit = False
        self._drawn = drawn_params(target, target.vocab, MOST_DRAWN)
        self.pool = self._drawn[:MOST_REQUESTS]
        self._played: dict[int, torch.Tensor | None] = {}

    def names(self) -> list[str]:
        """Parameters with more than one value: "min_p", "extra_args['strength']"."""
        plain = [field.name for field in fields(SamplingParams) if field.name not in (*NEUTRAL, "extra_args")]
        keys = dict.fromkeys(key for params in self._drawn for key in params.extra_args or ())
        return [
            name
            for name in (*plain, *(f"extra_args[{key!r}]" for key in keys))
            if len(self._values(name)) > 1
        ]

    def _values(self, name: str) -> list[Any]:
        values: list[Any] = []
        for params in self._drawn:
            for value in _get(params, name):
                if not any(value is each or _equal(value, each) for each in values):
                    values.append(value)
        return values

    def values_tried(self, name: str) -> int:
        """How many at most, on one request."""
        return min(len(self._values(name)), MOST_VALUES)

    def is_dead(self, name: str) -> bool:
        """Whether no request gets other rows for another value."""
        compared = 0
        for params in self.pool:
            for own in islice(_get(params, name), 1):
                others = (value for value in self._values(name) if not _equal(value, own))
                for value in islice(others, MOST_VALUES):
                    left, right = self._of(params), self._play_if_admitted(params, name, value)
                    if left is None or right is None:
                        continue
                    compared += 1
                    if not torch.equal(left.nan_to_num(), right.nan_to_num()):
                        return False
        return compared > 0

    def _of(self, params: SamplingParams) -> torch.Tensor | None:
        if id(params) not in self._played:
            self._played[id(params)] = self._play(params)
        return self._played[id(params)]

    def _play_if_admitted(self, params: SamplingParams, name: str, value: Any) -> torch.Tensor | None:
        try:
            other = _with(params, name, value)
        except (TypeError, ValueError):
            return None
        return self._play(other) if admitted(other, self._target, self._vocab) else None

    def _play(self, params: SamplingParams) -> torch.Tensor | None:
        """Every row that the request gets, alone, or None if it cannot be played."""
        rows = rows_alone(self._target, params, self._vocab, self._dtype)
        if rows is not None:
            self.changed_a_logit = self.changed_a_logit or not torch.equal(self._given, rows)
        return rows


def _get(params: SamplingParams, name: str) -> list[Any]:
    """The value, or nothing where `extra_args` lack the key."""
    if not name.startswith("extra_args["):
        return [getattr(params, name)]
    return [value for key, value in (params.extra_args or {}).items() if f"extra_args[{key!r}]" == name]


def _with(params: SamplingParams, name: str, value: Any) -> SamplingParams:
    if not name.startswith("extra_args["):
        return replace(params, **{name: value})
    extra = {
        key: value if f"extra_args[{key!r}]" == name else old
        for key, old in (params.extra_args or {}).items()
    }
    return replace(params, extra_args=extra)


def _equal(left: Any, right: Any) -> bool:
    try:
        return type(left) is type(right) and bool(left == right)
    except Exception:  # arrays; two drawn ones are taken for different
        return False
