"""Plain consumers of `BatchUpdate`: objects that follow the batch and transform no logits.

What such an object believes about each slot is observed in every step, and written into the rows as a number that
stands for the value. So whatever compares rows compares beliefs: a slot must hold what the same request's own object
holds when the request is alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from logitproof.spec import SamplingParams

from .construction import constructor
from .errors import TargetError, one_line
from .locate import locate
from .source import imports, source_of
from .target import Target
from .told import Told

if TYPE_CHECKING:
    import torch

METHOD = "update_state"
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
NOTHING = "nothing"
"""What is shown of a slot for which nothing is held."""
DIGITS = 4
"""Columns of a row that hold the number: 8 bits each, which every dtype of logits holds exactly."""


def wrap_consumer(cls: Any, name: str, method: str | None, observe: str | None) -> Target:
    """A target around such a class.

    method: called with the update in every step; `update_state` unless told. observe: an attribute of the object, or
    `module:function` of it; either gives a mapping from slot to value, or a sequence by slot.

    Raises TargetError: no such method, or nothing to observe.
    """
    if not isinstance(cls, type):
        raise TargetError(f"target {name!r} is a {type(cls).__name__}; a consumer is named by its class")
    called = method or METHOD
    if not callable(getattr(cls, called, None)):
        raise TargetError(
            f"target {name!r} has no method {called!r}; name the one that takes the update: --consumer NAME"
        )
    if observe is None:
        raise TargetError(
            f"target {name!r} transforms no logits; say where its state by slot can be seen: --observe ATTRIBUTE, or "
            f"--observe module:function"
        )
    seen_in = observe
    look = _observer(observe)
    reads_vllms = imports(source_of(cls), "vllm")
    seen: dict[tuple[int, ...], str] = {}

    class Observed(Told):
        target, method, reads_vllm = cls, called, reads_vllms
        make_inner = staticmethod(constructor(cls, reads_vllms))

        def apply(self, logits: torch.Tensor) -> torch.Tensor:
            try:
                held = look(self.inner)
            except TargetError:
                raise
            except Exception as error:
                raise TargetError(f"--observe {seen_in}: raised {one_line(error)}") from error
            for slot in range(len(logits)):
                text = _at(held, slot, seen_in)
                digits = tuple(blake2b(text.encode(), digest_size=DIGITS).digest())
                seen[digits] = text
                for column, digit in enumerate(digits):
                    logits[slot, column] = float(digit)
            return logits

        def is_argmax_invariant(self) -> bool:
            return False

        @classmethod
        def validate_params(cls, sampling_params: SamplingParams) -> None:
            return None

    def told(row: Sequence[float]) -> str | None:
        try:
            return seen.get(tuple(int(value) for value in row[:DIGITS]))
        except (ValueError, OverflowError):  # the row as it was given, with infinities
            return None

    Observed.__name__ = Observed.__qualname__ = cls.__name__
    return Target(
        name,
        make=Observed,
        told=told,
        in_vllms_types=reads_vllms,
        consumer_spec=method,
        observe_spec=observe,
        notes=(("observed", f"what {called} leaves in {observe}, by slot"),),
    )


def _observer(observe: str) -> Callable[[Any], Any]:
    if ":" in observe:
        function: Callable[[Any], Any] = locate(observe, "--observe")
        return function

    def attribute(inner: Any) -> Any:
        if not hasattr(inner, observe):
            known = ", ".join(name for name in vars(inner) if not name.startswith("__"))
            raise TargetError(f"--observe {observe}: a {type(inner).__name__} has {known or 'no attributes'}")
        found = getattr(inner, observe)
        return found() if callable(found) else found

    return attribute


def _at(held: Any, slot: int, observe: str) -> str:
    """What is held for a slot, as text that is the same in every run."""
    try:
        if isinstance(held, Mapping):
            value = held.get(slot, NOTHING)
        elif hasattr(held, "__getitem__") and hasattr(held, "__len__"):
            value = held[slot] if slot < len(held) else NOTHING
        else:
            raise TargetError(
                f"--observe {observe}: expected a mapping from slot to value or a sequence but got a "
                f"{type(held).__name__}"
            )
        return NOTHING if value is None or value == NOTHING else ADDRESS.sub("", repr(value))
    except TargetError:
        raise
    except Exception as error:
        raise TargetError(f"--observe {observe}: slot {slot} cannot be shown: {one_line(error)}") from error
