"""Reference rows for the exhibits' toy features, as plain as can be: `(params, prompt, outputs, row) -> row`."""

from __future__ import annotations

import math

from toy_grammar import following
from toy_thinking import spent

from logitproof.model.rows import (
    frequency_penalty_row,
    min_p_row,
    presence_penalty_row,
    repetition_penalty_row,
    temperature_row,
)


def grammar_row(params, prompt, outputs, row):
    """The toy grammar; end tokens only in its state 0."""
    states = (params.extra_args or {}).get("grammar")
    if states is None:
        return list(row)
    state = 0
    for token in outputs:
        state = following(state, token, states)
    banned = {token for token in range(len(row)) if token % states == state}
    return _without(row, banned | (params.all_stop_token_ids if state else set()))


def thinking_row(params, prompt, outputs, row):
    """The end marker and nothing else once the budget is spent."""
    if "think" not in (params.extra_args or {}):
        return list(row)
    start, end, budget = params.extra_args["think"]
    count = spent([*(prompt or ()), *outputs], start, end)
    if count is None or count < budget:
        return list(row)
    return _without(row, {*range(len(row))} - {end})


def penalties_row(params, prompt, outputs, row):
    """Repetition, then frequency, then presence."""
    for penalise in (repetition_penalty_row, frequency_penalty_row, presence_penalty_row):
        row = penalise(params, prompt, outputs, row)
    return list(row)


def two_penalties_row(params, prompt, outputs, row):
    """Frequency, then presence."""
    return presence_penalty_row(params, prompt, outputs, frequency_penalty_row(params, prompt, outputs, row))


def tempered_min_p_row(params, prompt, outputs, row):
    """Temperature, then min-p."""
    return min_p_row(params, prompt, outputs, temperature_row(params, prompt, outputs, row))


def _without(row, banned):
    after = [-math.inf if token in banned else logit for token, logit in enumerate(row)]
    return after if any(map(math.isfinite, after)) else list(row)
