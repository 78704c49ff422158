"""A request played alone for some steps, outside of any history: what its params do to rows."""

from __future__ import annotations

import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed

from logitproof.spec import BatchUpdate, SamplingParams
from logitproof.targets import Target
from logitproof.targets.learned import any_params
from logitproof.targets.load import cpu, engine_config

from .admission import admitted
from .bank import bank, row_number

STEPS = 12
"""Longer than the minimum lengths and budgets that are drawn."""
SCRIPTS = ((0, 1, 2), (5, 4, 3, 2, 1, 0, 7, 6))
"""What is sampled: a cycle, which repeats itself at once, and tokens that do not."""
PROMPT = (1, 2, 1, 2, 3)


def given_alone(vocab: int, dtype: str) -> torch.Tensor:
    """The logits that a request alone is given: tensor (scripts x steps, vocab)."""
    numbers = [row_number(0, number) for number in range(STEPS)]
    return bank(0, vocab, dtype)[numbers * len(SCRIPTS)]


def rows_alone(target: Target, params: SamplingParams, vocab: int, dtype: str) -> torch.Tensor | None:
    """Every row that the request gets: tensor (scripts x steps, vocab), or None if it cannot be played."""
    given = given_alone(vocab, dtype)
    config, results = engine_config(1, vocab), []
    for start, script in enumerate(SCRIPTS):
        outputs: list[int] = []
        update: BatchUpdate | None = BatchUpdate(1, [], [(0, params, list(PROMPT), outputs)], [])
        try:
            instance = target.make(config, cpu(), False)
            for number in range(STEPS):
                instance.update_state(update)
                place = start * STEPS + number
                results.append(instance.apply(given[place : place + 1].clone()))
                outputs.append(script[number % len(script)])
                update = None
        except Exception:  # other oracles speak of crashes; here the request is left out
            return None
    return torch.cat(results)


def drawn_params(target: Target, vocab: int, most: int) -> list[SamplingParams]:
    """Admitted params that the target's strategy draws, the same in every run."""
    drawn: list[SamplingParams] = []

    @with_seed(0)
    @settings(
        max_examples=most,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given((target.params_for or any_params)(vocab))
    def draw(params: SamplingParams) -> None:
        if admitted(params, target, vocab):
            drawn.append(params)

    draw()
    return drawn
