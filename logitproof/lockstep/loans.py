"""What a history lends to a processor, params and token lists, and whether it comes back as it was and is let go.

Every run lends copies: what a processor writes into its requests stays out of the history, so that the history can be
played again. Requests with equal positions share one copy for as long as one of them is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from sys import getrefcount
from typing import Any
from weakref import ReferenceType, WeakValueDictionary, ref

from logitproof.impl.request import Request
from logitproof.spec import SamplingParams

from .hazards import Hazard
from .history import Arrival, History
from .plain import is_plain
from .token_lists import Outputs, TokenList

DEEPEST = 6
"""Levels of objects that are compared inside `extra_args`; the state of a matcher lies one or two down."""
UNKEPT = 2
"""References to an object that nobody else has: a local name, and the argument of `getrefcount`."""
_WRITABLE = ("logit_bias", "extra_args")
"""Fields of params that hold what can be written to."""


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
        self.is_plain = [is_plain(params) for params in world.params]
        """Whether params ask for nothing, by their position."""
        self._prompts = [TokenList(prompt) for prompt in world.prompts]
        self._arrivals: dict[str, Arrival] = {}
        self._shares = Hazard.SHARED in world.hazards
        self.outputs: dict[str, Outputs] = {}
        """Of every request that has not finished, by name."""
        self.plain_of: dict[int, bool] = {}
        """Whether params ask for nothing, by their identity."""
        self.departed: list[Departed] = []
        self._vacant: list[TokenList] = []
        """Output lists of requests that have finished, at places in memory that are free if nobody keeps them."""
        self.written: list[str] = []
        """What was found changed in requests that have finished: "logit_bias of B"."""

    def lend(self, arrival: Arrival) -> Request:
        """A new request."""
        position = arrival.params
        params = self._params.get(position) if self._shares else None
        if params is None:
            params = self._params[position] = own_copy(self._world.params[position])
            self.plain_of[id(params)] = self.is_plain[position]
        self._arrivals[arrival.name] = arrival
        outputs = Outputs(arrival.outputs, self._world.lag, self._at_a_used_place())
        self.outputs[arrival.name] = outputs
        prompt = None if arrival.prompt is None else self._prompts[arrival.prompt]
        if prompt is not None and not self._shares:
            prompt = TokenList(prompt)
        return Request(arrival.name, params, prompt, outputs.seen)

    @property
    def came(self) -> int:
        """How many requests have come."""
        return len(self._arrivals)

    def on_time(self, requests: Iterable[Request]) -> list[Request]:
        """The requests with lists that hold every token."""
        return [
            replace(request, output_token_ids=self.outputs[request.request_id].true) for request in requests
        ]

    def waiting(self, names: Iterable[str]) -> dict[int, list[int]]:
        """By row, where the list that was lent ends in placeholders: the tokens that have arrived."""
        outputs = [self.outputs[name] for name in names]
        return {row: each.known for row, each in enumerate(outputs) if each.waits}

    def leave(self, name: str) -> None:
        """The request leaves the batch; nothing of it stays on its way."""
        self.outputs[name].arrive()

    def end(self, request: Request, step: int) -> None:
        """The request has finished and will not come back."""
        self.written += self.changes(request)
        outputs: Any = request.output_token_ids
        del self.outputs[request.request_id]
        self.departed.append(Departed(request.request_id, step, ref(request.params), ref(outputs)))
        self._vacant.append(outputs)

    def _at_a_used_place(self) -> TokenList | None:
        """An empty list where that of a request was that has finished, as chance has it in an engine.

        So that a processor that knows requests by `id` of a list, and forgets none of them, is wrong always.
        """
        while self._vacant:
            tokens = self._vacant.pop()
            if getrefcount(tokens) > UNKEPT:
                continue  # somebody keeps it, so another list would not come to lie there
            tokens.clear()
            return tokens
        return None

    def release(self) -> None:
        """Nothing of requests that have finished is kept here any more."""
        self._vacant.clear()

    def changes(self, request: Request) -> Iterator[str]:
        """Which of the things lent with a request are not as the engine left them."""
        name = request.request_id
        arrival = self._arrivals[name]
        if self.outputs[name].is_changed:
            yield f"output_token_ids of {name}"
        if arrival.prompt is not None and request.prompt_token_ids != list(
            self._world.prompts[arrival.prompt]
        ):
            yield f"prompt_token_ids of {name}"
        lent, original = request.params, self._world.params[arrival.params]
        if not _equal(lent, original):
            for field in SamplingParams.__dataclass_fields__:
                if not unchanged(getattr(lent, field), getattr(original, field)):
                    yield f"{field} of {name}"


def own_copy(params: SamplingParams) -> SamplingParams:
    """A copy that shares nothing with the original that can be written to; tuples and numbers are shared."""
    own = object.__new__(type(params))
    for field in SamplingParams.__dataclass_fields__:  # a tenth of the cost of copy.copy
        value = getattr(params, field)
        if field in _WRITABLE and value is not None:
            with suppress(Exception):  # holds what cannot be copied, such as a lock: lend the thing itself
                value = deepcopy(value)
        object.__setattr__(own, field, value)
    return own


def _equal(lent: SamplingParams, original: SamplingParams) -> bool:
    try:
        return lent == original
    except Exception:  # `extra_args` hold arrays, which have no single answer
        return False


def unchanged(lent: Any, original: Any, depth: int = DEEPEST) -> bool:
    """Whether a copy still says what the original says.

    An attribute that came to an object is no change: that is how values are computed once and kept.
    """
    if lent is original or depth == 0:
        return True
    if type(lent) is not type(original):
        return False
    if isinstance(original, dict):
        return lent.keys() == original.keys() and all(
            unchanged(lent[key], original[key], depth - 1) for key in original
        )
    if isinstance(original, list | tuple):
        return len(lent) == len(original) and all(
            unchanged(one, other, depth - 1) for one, other in zip(lent, original, strict=True)
        )
    compares_identity = not any("__eq__" in vars(cls) for cls in type(original).__mro__[:-1])
    state = getattr(original, "__dict__", None)
    if state is not None and compares_identity:
        own = vars(lent)
        return all(name in own and unchanged(own[name], state[name], depth - 1) for name in state)
    if compares_identity:
        return True  # nothing to compare it by
    try:
        return bool(lent == original)
    except Exception:  # an array, whose comparison is no single answer
        return bool((lent == original).all()) if hasattr(original, "shape") else True
