"""Margin: drops the tokens whose logit lies more than `extra_args["margin"]` below the highest one."""

import math

from logitproof.impl.entry import Entry, exact
from logitproof.impl.processors.per_request import PerRequestLogitsProcessor
from logitproof.spec import SamplingParams


class Margin(PerRequestLogitsProcessor):
    argmax_invariant = True

    def new_request(self, params):
        margin = (params.extra_args or {}).get("margin")
        return (
            None
            if margin is None
            else lambda outputs, row: row.masked_fill(lies_below(row, margin), -math.inf)
        )


def lies_below(row, margin):
    return (row.double() < row.max().double() - margin) & row.max().isfinite()


def margin_row(params, prompt, outputs, row):
    margin, highest = (params.extra_args or {}).get("margin", math.inf), max(row)
    if any(map(math.isnan, row)) or not math.isfinite(highest):
        return list(row)
    return [logit if logit >= highest - margin else -math.inf for logit in row]


def sample(rng, vocab_size):
    return SamplingParams(extra_args={"margin": rng.choice([0.0, 1.5, 4.0])})


MARGIN = Entry(
    "margin", Margin, sample, (), True, exact("kept or dropped, never computed"), reference=margin_row
)
