"""What requests look like: hypothesis strategies for `SamplingParams`, one per feature, and what a user may give.

Numbers come from short lists on purpose. A min-p whose logarithm is no multiple of the logits' grid keeps every token
clear of the cutoff by more than rounding, and a bias in quarters adds without rounding, so that a difference seen by an
oracle is a fault and not the last bit of a float.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from logitproof.spec import SamplingParams

from .errors import TargetError, one_line
from .target import ParamsFor

MIN_P = (0.5, 0.1, 0.9, 0.02, 1.0)
BIASES = (-100.0, 4.5, -2.25, 0.75, 50.0)


def tokens(vocab_size: int) -> SearchStrategy[int]:
    """Token ids, low ones more often: scripts sample low ids, so that params and outputs meet."""
    return st.one_of(st.integers(0, min(7, vocab_size - 1)), st.integers(0, vocab_size - 1))


def min_p_params(vocab_size: int) -> SearchStrategy[SamplingParams]:
    """Requests that use min-p."""
    return st.builds(SamplingParams, min_p=st.sampled_from(MIN_P))


def logit_bias_params(vocab_size: int) -> SearchStrategy[SamplingParams]:
    """Requests that bias one to four tokens."""
    biases = st.dictionaries(tokens(vocab_size), st.sampled_from(BIASES), min_size=1, max_size=4)
    return st.builds(SamplingParams, logit_bias=biases)


def min_tokens_params(vocab_size: int) -> SearchStrategy[SamplingParams]:
    """Requests with a minimum length: short, so that histories pass it, and with some outputs already there."""
    return st.builds(
        SamplingParams,
        min_tokens=st.integers(1, 6),
        max_tokens=st.none(),
        stop_token_ids=st.lists(tokens(vocab_size), min_size=1, max_size=3, unique=True),
        eos_token_id=st.one_of(st.none(), tokens(vocab_size)),
    )


def token_list_params(field: str) -> ParamsFor:
    """Requests that set one field to a few token ids."""
    return lambda vocab_size: st.builds(
        SamplingParams, **{field: st.lists(tokens(vocab_size), min_size=1, max_size=3, unique=True)}
    )


def bad_words_params(vocab_size: int) -> SearchStrategy[SamplingParams]:
    """Requests with one or two bad words of one to three tokens."""
    words = st.lists(st.lists(tokens(vocab_size), min_size=1, max_size=3), min_size=1, max_size=2)
    return st.builds(SamplingParams, bad_words=words)


def penalty_params(vocab_size: int) -> SearchStrategy[SamplingParams]:
    """Requests with penalties, alone and together."""
    return st.builds(
        SamplingParams,
        repetition_penalty=st.sampled_from((1.5, 1.0, 0.5)),
        frequency_penalty=st.sampled_from((0.5, 0.0, -0.5)),
        presence_penalty=st.sampled_from((0.0, 1.0, -1.0)),
    )


def truncation_params(vocab_size: int) -> SearchStrategy[SamplingParams]:
    """Requests with top-k or top-p."""
    return st.builds(SamplingParams, top_k=st.integers(0, 5), top_p=st.sampled_from((0.5, 0.9, 1.0)))


FEATURES: dict[frozenset[str], ParamsFor] = {
    frozenset({"min_p"}): min_p_params,
    frozenset({"logit_bias"}): logit_bias_params,
    frozenset({"min_tokens", "stop_token_ids", "all_stop_token_ids", "eos_token_id"}): min_tokens_params,
    frozenset({"allowed_token_ids"}): token_list_params("allowed_token_ids"),
    frozenset({"bad_words"}): bad_words_params,
    frozenset({"repetition_penalty", "frequency_penalty", "presence_penalty"}): penalty_params,
    frozenset({"top_k", "top_p"}): truncation_params,
}
"""Fields that are read together, and requests that use them."""


def params_given(given: Any, where: str) -> ParamsFor:
    """What a user may give for params: a strategy, a function of the vocabulary size, or a list of `SamplingParams`.

    Raises TargetError, naming `where` it came from, for anything else.
    """
    if callable(given) and not isinstance(given, SearchStrategy):
        return lambda vocab_size: _strategy(_call(given, vocab_size, where), where)
    found = _strategy(given, where)
    return lambda vocab_size: found


def _call(function: Any, vocab_size: int, where: str) -> Any:
    try:
        return function(vocab_size)
    except Exception as error:
        raise TargetError(
            f"{where}: calling it with vocab_size={vocab_size} raised {one_line(error)}"
        ) from error


def _strategy(given: Any, where: str) -> SearchStrategy[SamplingParams]:
    if isinstance(given, SearchStrategy):

        def checked(params: Any) -> SamplingParams:
            if not isinstance(params, SamplingParams):
                raise TargetError(
                    f"{where}: expected the strategy to yield logitproof.SamplingParams but it yielded {params!r} "
                    f"(type={type(params).__name__})"
                )
            return params

        return given.map(checked)
    listed = list(given) if isinstance(given, Iterable) else []
    wrong = [params for params in listed if not isinstance(params, SamplingParams)]
    if listed and not wrong:
        return st.sampled_from(listed)
    got = (
        f"one that holds {wrong[0]!r} (type={type(wrong[0]).__name__})"
        if wrong
        else f"{given!r} (type={type(given).__name__})"
    )
    raise TargetError(
        f"{where}: expected a hypothesis strategy, a function vocab_size -> strategy, or a list of "
        f"logitproof.SamplingParams but got {got}; leave it out, and they are learned from the source"
    )
