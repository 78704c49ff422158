"""Histories as versioned JSON, in our own vocabulary: a file from today can be read by a later release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from logitproof.json_values import token_ids, whole
from logitproof.spec import Dialect, SamplingParams

from .bank import DTYPES
from .hazards import DEFAULT_HAZARDS, Hazard, in_order
from .history import Arrival, History, Step, first_fault

FORMAT = "logitproof.history"
VERSION = 1


class CorruptHistory(Exception):
    """Not a history that this version can play. Its text is one line."""


def to_json(history: History) -> dict[str, Any]:
    """Plain dictionaries, lists, numbers and strings; defaults are left out."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "dialect": history.dialect.value,
        "slots": history.slots,
        "vocab": history.vocab,
        "dtype": history.dtype,
        "seed": history.seed,
        "hazards": [hazard.value for hazard in in_order(history.hazards)],
        "lag": history.lag,
        "padding": history.padding,
        "params": [params_to_json(params) for params in history.params],
        "prompts": [list(prompt) for prompt in history.prompts],
        "steps": [_step_to_json(step) for step in history.steps],
    }


def from_json(data: Any) -> History:
    """The history that `to_json` wrote. Raises CorruptHistory: not one, from a newer version, or impossible to play."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise CorruptHistory(f"expected a JSON object with format={FORMAT!r}")
    version = data.get("version")
    if version != VERSION:
        raise CorruptHistory(
            f"its history has version {version!r}, this logitproof reads version {VERSION}; "
            f"{'upgrade logitproof' if isinstance(version, int) and version > VERSION else 'the file is damaged'}"
        )
    try:
        history = History(
            steps=tuple(_step_from_json(step) for step in data["steps"]),
            params=tuple(params_from_json(params) for params in data["params"]),
            prompts=tuple(token_ids(prompt) for prompt in data["prompts"]),
            dialect=Dialect(data["dialect"]),
            slots=whole(data["slots"]),
            vocab=whole(data["vocab"]),
            dtype=data["dtype"],
            seed=whole(data["seed"]),
            hazards=frozenset(Hazard(name) for name in data["hazards"])
            if "hazards" in data
            else DEFAULT_HAZARDS,
            lag=whole(data.get("lag", 0)),
            padding=whole(data.get("padding", 0)),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CorruptHistory(f"its history is damaged: {type(error).__name__}: {error}") from error
    if (
        history.dtype not in DTYPES
        or not history.params
        or min(history.vocab, history.slots) < 1
        or min(history.lag, history.padding) < 0
    ):
        raise CorruptHistory(
            "its history is damaged: dtype, params, vocab, slots, lag or padding cannot be played"
        )
    if fault := first_fault(history):
        raise CorruptHistory(f"its history cannot be played: {fault}")
    return history


def params_to_json(params: SamplingParams) -> dict[str, Any]:
    """The fields that differ from their defaults; `logit_bias` as pairs, since JSON has no integer keys."""
    plain = SamplingParams()
    written: dict[str, Any] = {}
    for field in fields(params):
        value = getattr(params, field.name)
        if value == getattr(plain, field.name):
            continue
        if field.name == "logit_bias":
            value = [[token, bias] for token, bias in value.items()]
        elif isinstance(value, tuple):
            value = [list(item) if isinstance(item, tuple) else item for item in value]
        elif isinstance(value, Mapping):
            value = dict(value)
        written[field.name] = value
    return written


def params_from_json(data: Mapping[str, Any]) -> SamplingParams:
    """The params that `params_to_json` wrote."""
    given = dict(data)
    if given.get("logit_bias") is not None:
        given["logit_bias"] = dict(given["logit_bias"])
    return SamplingParams(**given)


def _step_to_json(step: Step) -> dict[str, Any]:
    written: dict[str, Any] = {name: list(getattr(step, name)) for name in _NAMES if getattr(step, name)}
    if step.new:
        written["new"] = [asdict(arrival) for arrival in step.new]
    if step.swaps:
        written["swaps"] = [list(pair) for pair in step.swaps]
    return written


_NAMES = ("finished", "unscheduled", "resumed", "partial", "accepted")


def _step_from_json(data: Mapping[str, Any]) -> Step:
    unknown = sorted(set(data) - {*_NAMES, "new", "swaps"})
    if unknown:
        raise ValueError(f"a step has unknown fields {unknown}")
    names = {name: tuple(_name(item) for item in data.get(name, ())) for name in _NAMES}
    new = tuple(_arrival_from_json(arrival) for arrival in data.get("new", ()))
    swaps = tuple((whole(left), whole(right)) for left, right in data.get("swaps", ()))
    return Step(new=new, swaps=swaps, **names)


def _arrival_from_json(data: Mapping[str, Any]) -> Arrival:
    return Arrival(
        name=_name(data["name"]),
        params=whole(data["params"]),
        prompt=None if data["prompt"] is None else whole(data["prompt"]),
        outputs=token_ids(data["outputs"]),
        row=whole(data["row"]),
        script=token_ids(data["script"]),
    )


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"expected a request's name but got {value!r}")
    return value
