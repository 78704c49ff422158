"""Reference rows: one plain float64 function per feature, `(params, prompt, outputs, row) -> row`.

They are what the fast processors are compared with, so they are as plain as can be: scalar loops, no tensors. What
happens to one logit is a kernel (`scalar`), which the proofs read as well. `PIPELINE` is the whole sampler in order.
"""

from .allowed_token_ids import allowed_token_ids_row
from .bad_words import bad_words_row
from .distribution import argmax, possible_tokens, probabilities, support
from .frequency_penalty import frequency_penalty_row
from .logit_bias import logit_bias_row
from .min_p import min_p_row
from .min_tokens import min_tokens_row
from .pipeline import PIPELINE, Stage, constrained_row, pipeline_row
from .presence_penalty import presence_penalty_row
from .reference import BANNED, RowFunction
from .repetition_penalty import repetition_penalty_row
from .temperature import temperature_row
from .top_k import top_k_row
from .top_p import top_p_row

__all__ = [
    "BANNED",
    "PIPELINE",
    "RowFunction",
    "Stage",
    "allowed_token_ids_row",
    "argmax",
    "bad_words_row",
    "constrained_row",
    "frequency_penalty_row",
    "logit_bias_row",
    "min_p_row",
    "min_tokens_row",
    "pipeline_row",
    "possible_tokens",
    "presence_penalty_row",
    "probabilities",
    "repetition_penalty_row",
    "support",
    "temperature_row",
    "top_k_row",
    "top_p_row",
]
