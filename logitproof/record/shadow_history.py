"""From the remembered steps of a live batch to a history that `logitproof replay` plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from logitproof.lockstep.history import Arrival, History, Step
from logitproof.lockstep.plain import PLAIN
from logitproof.spec import Dialect, SamplingParams

from .followed_batch import Occupant
from .shadow_window import Played


@dataclass(slots=True)
class _Pools:
    """The params and prompts of a history; equal objects are one entry."""

    translate: Callable[[Any], SamplingParams]
    vocab: int
    params: list[SamplingParams] = field(default_factory=lambda: [PLAIN])
    prompts: list[tuple[int, ...]] = field(default_factory=lambda: [(0,)])

    def arrival(self, who: Occupant, length: int, final: Sequence[int]) -> Arrival:
        """The request with its first `length` outputs; what comes later is its script."""
        params = self.translate(who.params)
        if params not in self.params:
            self.params.append(params)
        prompt = None if who.prompt is None else self._tokens(who.prompt)
        if prompt is not None and prompt not in self.prompts:
            self.prompts.append(prompt)
        outputs = self._tokens(final)
        return Arrival(
            name=f"R{who.request}",
            params=self.params.index(params),
            prompt=None if prompt is None else self.prompts.index(prompt),
            outputs=outputs[:length],
            row=who.request % 64,
            script=outputs or (0,),  # token n of a request is entry n of its script
        )

    def _tokens(self, tokens: Sequence[int]) -> tuple[int, ...]:
        return tuple(min(max(token, 0), self.vocab - 1) for token in tokens)


def history_of(
    steps: Sequence[Played], slots: int, vocab: int, dtype: str, translate: Callable[[Any], SamplingParams]
) -> History:
    """The remembered steps; who was there before them arrives in the first."""
    pools = _Pools(translate, vocab)
    played: list[Step] = []
    live: dict[int, Occupant] = {}
    for position, step in enumerate(steps):
        now = {who.request: who for who in step.requests}
        lengths = dict(zip(now, step.lengths, strict=True))
        order = step.entered if position else tuple(now)
        entering = [request for request in order if request in now]
        following = steps[position + 1] if position + 1 < len(steps) else None
        later = (
            {}
            if following is None
            else dict(zip((who.request for who in following.requests), following.lengths, strict=True))
        )
        played.append(
            Step(
                finished=tuple(f"R{request}" for request in live if request not in now),
                new=tuple(pools.arrival(now[r], lengths[r], now[r].outputs) for r in entering),
                swaps=step.swaps if position else (),
                partial=tuple(f"R{r}" for r in now if later.get(r) == lengths[r]),
            )
        )
        live = now
    return History(
        steps=tuple(played),
        params=tuple(pools.params),
        prompts=tuple(pools.prompts),
        dialect=Dialect.ELIDED,
        slots=max(slots, *(len(step.requests) for step in steps), 1),
        vocab=vocab,
        dtype=dtype,
    )
