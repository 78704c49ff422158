"""Makes a batch processor of a function of one request: `(output_ids, logits)`, or with the prompt ids first."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias

import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from ..row_state import RowStates

RowFunction: TypeAlias = Callable[..., torch.Tensor]
"""Live token lists and one logits row (vocab_size,) to the row's new logits; it may write into the row."""


class PerRequestLogitsProcessor(LogitsProcessor):
    """Calls one function per request that uses it. Subclass it, or let `per_request` do that.

    The function gets the live lists (prompt None for embeddings) and a view of the row; what it returns becomes the
    row. It must depend on its arguments only (contract D4).
    """

    argmax_invariant: ClassVar[bool] = False

    def new_request(self, params: SamplingParams) -> RowFunction | None:
        """The function for a request with these params, or None if it does not use the processor."""
        raise NotImplementedError

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._calls: RowStates[Callable[[torch.Tensor], Any]] = RowStates()

    def is_argmax_invariant(self) -> bool:
        """What the class says; False unless it says otherwise. Source: contract D5."""
        return self.argmax_invariant

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the batch. Source: contract C1, C4."""
        self._calls.update(batch_update, self._bound)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Call each function on its row, in place; float tensor (num_requests, vocab_size). Source: D1 to D4.

        Raises TypeError or ValueError: a function returns no tensor, or one of another shape.
        """
        for row, call in self._calls.items():
            view = logits[row]
            result = call(view)
            if not isinstance(result, torch.Tensor):
                raise TypeError(
                    f"Expected {type(self).__name__}'s function to return the row's logits but got {result!r} "
                    f"(type={type(result).__name__}); a function that writes into the row must return it too"
                )
            if result.shape == (1, *view.shape):
                result = result[0]  # as assigning it to a row would take it
            if result.shape != view.shape:
                raise ValueError(
                    f"Expected {type(self).__name__}'s function to return {tuple(view.shape)} logits but got shape "
                    f"{tuple(result.shape)}; it sees one row, not the batch"
                )
            if result is not view:
                view.copy_(result)
        return logits

    def _bound(
        self, params: SamplingParams, prompt_token_ids: list[int] | None, output_token_ids: list[int]
    ) -> Callable[[torch.Tensor], Any] | None:
        function = self.new_request(params)
        if function is None:
            return None
        if takes_prompt(function):
            return lambda row: function(prompt_token_ids, output_token_ids, row)
        return lambda row: function(output_token_ids, row)


def takes_prompt(function: RowFunction) -> bool:
    """Whether the function takes three arguments rather than two. Raises TypeError: it takes neither two nor three."""
    signature = inspect.signature(function)
    for arguments, answer in (((None, None), False), ((None, None, None), True)):
        try:
            signature.bind(*arguments)
        except TypeError:
            continue
        return answer
    raise TypeError(
        f"Expected a function (output_ids, logits) or (prompt_ids, output_ids, logits) but got "
        f"{getattr(function, '__name__', function)}{signature}; give it one of these two forms"
    )


def per_request(
    function: RowFunction,
    *,
    uses: Callable[[SamplingParams], bool] = lambda params: True,
    argmax_invariant: bool = False,
) -> type[PerRequestLogitsProcessor]:
    """A processor class, ready to be loaded, that calls `function` for every request that uses it.

    uses: whether a request with these params uses it; every request does unless you say otherwise.
    argmax_invariant: whether the function never changes which logit of the row is the highest.

    Raises TypeError: a function of neither form.
    """
    takes_prompt(function)
    name = getattr(function, "__name__", "function")

    class Adapted(PerRequestLogitsProcessor):
        def new_request(self, params: SamplingParams) -> RowFunction | None:
            return function if uses(params) else None

    Adapted.argmax_invariant = argmax_invariant
    Adapted.__name__ = Adapted.__qualname__ = f"per_request({name})"
    Adapted.__doc__ = getattr(function, "__doc__", None)
    return Adapted
