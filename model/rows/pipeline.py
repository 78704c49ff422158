"""The whole sampler as data: every feature in the order in which it acts, and what one row becomes.

>>> from logitproof.spec import SamplingParams
>>> params = SamplingParams(temperature=0.5, allowed_token_ids=[0, 2], presence_penalty=1.0, top_k=1)
>>> pipeline_row(params, None, [2], [1.0, 9.0, 1.5])
[2.0, -inf, -inf]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from logitproof.spec import SamplingParams

from .allowed_token_ids import allowed_token_ids_row
from .bad_words import bad_words_row
from .frequency_penalty import frequency_penalty_row
from .logit_bias import logit_bias_row
from .min_p import min_p_row
from .min_tokens import min_tokens_row
from .presence_penalty import presence_penalty_row
from .reference import RowFunction
from .repetition_penalty import repetition_penalty_row
from .temperature import temperature_row
from .top_k import top_k_row
from .top_p import top_p_row


@dataclass(frozen=True, slots=True)
class Stage:
    """One feature of the sampler. `because` says why it stands here; what it claims is proved in `proofs.features`."""

    name: str
    row: RowFunction
    argmax_invariant: bool
    because: str


PIPELINE: tuple[Stage, ...] = (
    Stage(
        "allowed_token_ids",
        allowed_token_ids_row,
        False,
        "what may be said at all; of masks with nothing in common the first wins, and this one is the user's list",
    ),
    Stage(
        "bad_words",
        bad_words_row,
        False,
        "a ban, and before min_tokens, since a word to avoid weighs more than a length",
    ),
    Stage("min_tokens", min_tokens_row, False, "the last ban: the first to yield"),
    Stage(
        "logit_bias",
        logit_bias_row,
        False,
        "commutes with every ban, so a bias revives nothing; before the repetition penalty, which scales what it finds",
    ),
    Stage(
        "repetition_penalty",
        repetition_penalty_row,
        False,
        "scales by the sign of the logit, so it comes before frequency and presence shift that sign",
    ),
    Stage("frequency_penalty", frequency_penalty_row, False, "a sum; commutes with bias and presence"),
    Stage("presence_penalty", presence_penalty_row, False, "a sum; commutes with bias and frequency"),
    Stage(
        "temperature",
        temperature_row,
        True,
        "after the sums, whose size is meant in logits; before min-p and top-p, whose probabilities it defines",
    ),
    Stage(
        "min_p",
        min_p_row,
        True,
        "a cut by the highest logit, which no other cut touches; commutes with top-k",
    ),
    Stage(
        "top_k",
        top_k_row,
        True,
        "commutes with temperature and min-p; before top-p, which renormalises what it leaves",
    ),
    Stage(
        "top_p", top_p_row, True, "last, since every other cut would change the probabilities that it adds up"
    ),
)
"""Source: vLLM's order, and contract E1: what may change the argmax acts first.

Custom processors act after `logit_bias` (those that may change the argmax) or after `min_p` (the others).
"""


def constrained_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """The row after everything that may change the argmax: a greedy request gets the argmax of this. Source: E1, E2."""
    return _through((stage for stage in PIPELINE if not stage.argmax_invariant), params, prompt, outputs, row)


def pipeline_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """The row that a request's token is drawn from: `constrained_row` if it is greedy, else after every stage."""
    if params.is_greedy:
        return constrained_row(params, prompt, outputs, row)
    return _through(PIPELINE, params, prompt, outputs, row)


def _through(
    stages: Iterable[Stage],
    params: SamplingParams,
    prompt: Sequence[int] | None,
    outputs: Sequence[int],
    row: Sequence[float],
) -> list[float]:
    after = list(row)
    for stage in stages:
        after = stage.row(params, prompt, outputs, after)
    return after
