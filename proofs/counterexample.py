"""A counterexample drawn as a batch: what the slots held, what the rule did, and what was claimed."""

from __future__ import annotations

from typing import Any

from logitproof.model.batch import Batch
from logitproof.model.concrete import CONCRETE, TotalMap
from logitproof.model.picture import draw_slots
from logitproof.model.sorts import FLAG, MapSort, leaves
from logitproof.model.step_state import StepState
from logitproof.spec.algebra import EMPTY

from .discharge import Counterexample
from .obligation import MODEL_TEXT
from .obligations.framing import RULES


def draw(found: Counterexample) -> str:
    """Text: the batch before, after each rule that the case speaks of, and every other part of the state."""
    state = found.state
    engine = state if isinstance(state, StepState) else getattr(state, "engine", None)
    lines = [f"arbitrary state, scope {found.scope}; requests are letters, _ is an empty slot"]
    if engine is not None:
        lines.append(f"batch before        {_batch(engine.batch)}")
        for name in found.case.about:
            firing = MODEL_TEXT[name](CONCRETE, engine) if name in RULES else None
            if firing is not None and firing.guard:
                lines.append(f"after {name:13} {_batch(firing.effect().batch)}")
    for name, sort, term in leaves(state):
        lines.append(f"{name:30} {_term(sort, term)}")
    return "\n".join(lines)


def _batch(batch: Batch) -> str:
    slots = (None if number == EMPTY else _letter(number) for number in batch.slots.listed(batch.size))
    return draw_slots(slots, cut=batch.size)


def _letter(request: int) -> str:
    return chr(ord("A") + request)


def _term(sort: Any, term: Any) -> str:
    if not isinstance(term, TotalMap):
        return str(term)
    if isinstance(sort, MapSort) and sort.value is FLAG:
        return f"true at {term.keys_where(bool)}"
    return repr(term)
