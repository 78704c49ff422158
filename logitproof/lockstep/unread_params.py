"""Requests whose arguments nobody ever looks up: proof that they are dropped; `dead_parameters` only suspects it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

import torch

from logitproof.spec import Dialect, SamplingParams
from logitproof.targets import Target
from logitproof.targets.source import source_of

from .alone import PROMPT, rows_alone
from .dead_parameters import DeadParameter
from .finding import Finding
from .history import Arrival, History, Step
from .plain import PLAIN


class _LookedUp(BaseException):
    """Somebody has. No `except Exception` on the way may hide it."""


class _Key(str):
    """A key of `extra_args` that notices when it is compared with another, as every look-up does."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise _LookedUp


def unread_params(
    target: Target, requests: Iterable[SamplingParams], dtype: str
) -> tuple[History, Finding] | None:
    """A request alone whose `extra_args` are not looked up in any step, and that is treated as a plain one.

    None if there is none: one look at any request's arguments, or one row that is another than a plain request's,
    and nothing is said. Nor of arguments that the target's source does not name: nobody promised to read those.
    """
    source = source_of(getattr(target.make, "target", target.make))
    named = {node.value for node in source.walk() if isinstance(node, ast.Constant)}
    asking = [params for params in requests if named & (params.extra_args or {}).keys()]
    with torch.inference_mode():
        plain = rows_alone(target, PLAIN, target.vocab, dtype)
        if not asking or plain is None or not all(_is_dropped(target, each, plain, dtype) for each in asking):
            return None
    history = History(
        (Step(new=(Arrival("A", params=1, script=(0,)),)),),
        (PLAIN, asking[0]),
        (PROMPT,),
        Dialect.ELIDED,
        slots=1,
        vocab=target.vocab,
        dtype=dtype,
    )
    names = ", ".join(
        dict.fromkeys(name for each in asking for name in each.extra_args or () if name in named)
    )
    said = f"row 0 (A) is what a plain request gets, and nobody ever looks up its {names}"
    return history, Finding(DeadParameter.code, DeadParameter.laws[0], said, 1, 0, "A")


def _is_dropped(target: Target, params: SamplingParams, plain: torch.Tensor, dtype: str) -> bool:
    watched = replace(
        params, extra_args={_Key(name): each for name, each in (params.extra_args or {}).items()}
    )
    for request in (params, watched):
        try:
            rows = rows_alone(target, request, target.vocab, dtype)
        except _LookedUp:
            return False
        if rows is None or not torch.equal(rows.nan_to_num(), plain.nan_to_num()):
            return False
    return True
