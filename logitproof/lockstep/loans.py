"""What a history lends to a processor, params and token lists, and whether it comes back as it was and is let go.

Every run lends copies: what a processor writes into its requests stays out of the history, so that the history can be
played again. Requests with equal positions share one copy for as long as one of them is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any
from weakref import ReferenceType, WeakValueDictionary, ref

from logitproof.impl.request import Request
from logitproof.spec import SamplingParams

from .history import Arrival, History
from .plain import is_plain

DEEPEST = 6
"""Levels of objects that are compared inside `extra_args`; the state of a matcher lies one or two down."""


class TokenList(list[int]):
    """A list that can be referred to weakly; in everything else a list."""

    __slots__ = ("__weakref__",)


@dataclass(frozen=True, slots=True)
class Departed:
    """A request that has finished: its last owner of ours is gone, so whoever still has these lists keeps them."""

    name: str
    step: int
    params: ReferenceType[SamplingParams]
    outputs: ReferenceType[TokenList]


class Loans:
    """Makes the requests of one run, and watches what becomes of their params and token lists."""

    def __init__(self, world: History) -> None:
        self._world = world
        self._params: WeakValueDictionary[int, SamplingParams] = WeakValueDictionary()
        self._is_plain = [is_plain(params) for params in world.params]
        self._prompts = [TokenList(prompt) for prompt in world.prompts]
        self._arrivals: dict[str, Arrival] = {}
        self._outputs: dict[str, list[int]] = {}
        self.plain_of: dict[int, bool] = {}
        """Whether params ask for nothing, by their identity."""
        self.departed: list[Departed] = []
        self.written: list[str] = []
        """What was found changed in requests that have finished: "logit_bias of B"."""

    def lend(self, arrival: Arrival) -> Request:
        """A new request."""
        position = arrival.params
        params = self._params.get(position)
        if params is None:
            params = self._params[position] = own_copy(self._world.params[position])
            self.plain_of[id(params)] = self._is_plain[position]
        self._arrivals[arrival.name] = arrival
        self._outputs[arrival.name] = list(arrival.outputs)
        prompt = None if arrival.prompt is None else self._prompts[arrival.prompt]
        return Request(arrival.name, params, prompt, TokenList(arrival.outputs))

    def append(self, request: Request, token: int) -> None:
        """The request has sampled a token."""
        request.output_token_ids.append(token)
        self._outputs[request.request_id].append(token)

    def end(self, request: Request, step: int) -> None:
        """The request has finished and will not come back."""
        self.written += self.changes(request)
        outputs: Any = request.output_token_ids
        self.departed.append(Departed(request.request_id, step, ref(request.params), ref(outputs)))

    def changes(self, request: Request) -> Iterator[str]:
        """Which of the things lent with a request are not as the engine left them."""
        name = request.request_id
        arrival = self._arrivals[name]
        if request.output_token_ids != self._outputs[name]:
            yield f"output_token_ids of {name}"
        if arrival.prompt is not None and request.prompt_token_ids != list(
            self._world.prompts[arrival.prompt]
        ):
            yield f"prompt_token_ids of {name}"
        lent, original = request.params, self._world.params[arrival.params]
        if not _equal(lent, original):
            for field in SamplingParams.__dataclass_fields__:
                if not _unchanged(getattr(lent, field), getattr(original, field), DEEPEST):
                    yield f"{field} of {name}"


def own_copy(params: SamplingParams) -> SamplingParams:
    """A copy that shares nothing with the original that can be written to; tuples and numbers are shared."""
    own = copy(params)
    for field in ("logit_bias", "extra_args"):
        value = getattr(params, field)
        if value is not None:
            try:
                object.__setattr__(own, field, deepcopy(value))
            except Exception:  # holds what cannot be copied, such as a lock: lend the thing itself
                object.__setattr__(own, field, value)
    return own


def _equal(lent: SamplingParams, original: SamplingParams) -> bool:
    try:
        return lent == original
    except Exception:  # `extra_args` hold arrays, which have no single answer
        return False


def _unchanged(lent: Any, original: Any, depth: int) -> bool:
    """Whether a copy still says what the original says.

    An attribute that came to an object is no change: that is how values are computed once and kept.
    """
    if lent is original or depth == 0:
        return True
    if type(lent) is not type(original):
        return False
    if isinstance(original, dict):
        return lent.keys() == original.keys() and all(
            _unchanged(lent[key], original[key], depth - 1) for key in original
        )
    if isinstance(original, list | tuple):
        return len(lent) == len(original) and all(
            _unchanged(one, other, depth - 1) for one, other in zip(lent, original, strict=True)
        )
    compares_identity = not any("__eq__" in vars(cls) for cls in type(original).__mro__[:-1])
    state = getattr(original, "__dict__", None)
    if state is not None and compares_identity:
        own = vars(lent)
        return all(name in own and _unchanged(own[name], state[name], depth - 1) for name in state)
    if compares_identity:
        return True  # nothing to compare it by
    try:
        return bool(lent == original)
    except Exception:  # an array, whose comparison is no single answer
        return bool((lent == original).all()) if hasattr(original, "shape") else True
