"""What the exhibits' requests look like: hypothesis strategies by vocabulary size, ids always inside it."""

from __future__ import annotations

from hypothesis import strategies as st

from logitproof import SamplingParams
from logitproof.targets.params import min_p_params, min_tokens_params, tokens

WIDE = 4
"""Tokens in an allow list at least: more than an earlier processor bans in a row, so that one is always left."""


def allowed_params(vocab_size):
    """An allow list that never empties a row."""
    allowed = st.lists(st.integers(0, vocab_size - 1), min_size=WIDE, max_size=8, unique=True)
    return st.builds(SamplingParams, allowed_token_ids=allowed)


def bad_token_params(vocab_size):
    """One to three tokens that must not be sampled."""
    words = st.lists(tokens(vocab_size).map(lambda token: (token,)), min_size=1, max_size=3, unique=True)
    return st.builds(SamplingParams, bad_words=words)


def frequency_params(vocab_size):
    """A frequency penalty."""
    return st.builds(SamplingParams, frequency_penalty=st.sampled_from((0.5, 2.0, -0.5)))


def penalty_params(vocab_size):
    """Repetition, frequency and presence, each with values of its own."""
    return st.builds(
        SamplingParams,
        repetition_penalty=st.sampled_from((1.0, 2.0, 0.5)),
        frequency_penalty=st.sampled_from((0.0, 0.5, -0.25)),
        presence_penalty=st.sampled_from((0.0, 1.0, -1.0)),
    )


def top_k_top_p_params(vocab_size):
    """Few tokens, little mass."""
    return st.builds(SamplingParams, top_k=st.integers(1, 5), top_p=st.sampled_from((0.1, 0.5, 0.9)))


def extra(**arguments):
    """Requests whose `extra_args` hold these, each a strategy."""
    return st.builds(SamplingParams, extra_args=st.fixed_dictionaries(arguments))


def bad_token_args(vocab_size):
    """Tokens to ban, named in `extra_args`, where no engine checks them."""
    return extra(bad_tokens=st.lists(tokens(vocab_size), min_size=1, max_size=3, unique=True))


def greedy_or_random(strategy):
    """The same requests, half of them greedy."""
    return st.tuples(strategy, st.sampled_from((1.0, 0.0))).map(
        lambda pair: SamplingParams(
            temperature=pair[1], bad_words=pair[0].bad_words, extra_args=pair[0].extra_args
        )
    )


__all__ = [
    "allowed_params",
    "bad_token_args",
    "bad_token_params",
    "extra",
    "frequency_params",
    "greedy_or_random",
    "min_p_params",
    "min_tokens_params",
    "penalty_params",
    "tokens",
    "top_k_top_p_params",
]
