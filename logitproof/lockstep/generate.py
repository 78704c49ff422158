"""Hypothesis strategies for histories: long enough to matter, and still shrinking to a step or two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.errors import HypothesisException
from hypothesis.strategies import SearchStrategy

from logitproof.spec import Dialect, SamplingParams
from logitproof.targets import Target, TargetError
from logitproof.targets.errors import one_line
from logitproof.targets.learned import any_params
from logitproof.targets.target import ParamsFor

from .admission import admitted
from .bank import LARGE
from .decode import LOW_TOKENS, WIDTH, decode
from .hazards import DEFAULT_HAZARDS, Hazard
from .history import History
from .plain import PLAIN
from .tokens_that_matter import with_tokens_that_matter

Source: TypeAlias = Callable[[Target, Dialect, int, str], SearchStrategy[History]]
"""Where histories come from: `(target, dialect, vocab, dtype) -> strategy`, as `histories_at_once`."""

SLOTS = (4, 8, 3, 6, 2, 5, 8, 1)
"""Batches of every size up to eight: a fault needs two requests, rarely more than four."""
FEW_SLOTS = (3, 4, 2, 1)
"""For vocabularies of real models, where every row costs."""
MOST_PARAMS = 8
"""Besides the plain one; more than four on the average. Some faults need one value out of many."""
GREEDY = (0, 0, 0, 0, 0, 0b0101_0101, 0b1110_1111, 0b1111_1101)
"""Which of the params are greedy, by position modulo eight: steps with greedy requests only, and then with others."""
LAGS, PADDINGS = (1, 2), (1, 3, 0)
LONGEST = 64
SHORT = 6
LENGTHS = (*range(1, SHORT + 1), *range(28, LONGEST + 1))
"""Numbers of steps, each as likely as the next."""
_SLOTS, _FEW_SLOTS, _GREEDY, _LAGS, _PADDINGS = map(
    st.sampled_from, (SLOTS, FEW_SLOTS, GREEDY, LAGS, PADDINGS)
)
_PROMPTS, _SEEDS = st.binary(min_size=6, max_size=6), st.integers(0, 3)


def step_bytes() -> SearchStrategy[bytes]:
    """The bytes of one step: one draw, a tenth of the cost of drawing its parts."""
    return st.binary(min_size=WIDTH, max_size=WIDTH)


def step_lists() -> SearchStrategy[list[bytes]]:
    """Lists of steps whose mean length is above 30.

    Lists without a lower bound come out four long on the average, whatever their upper bound. One branch in nine has
    none, and that is the one hypothesis shrinks into. Equal branches would count as one, hence the different bounds.
    """
    long = [st.lists(step_bytes(), min_size=size, max_size=LONGEST) for size in range(28, 36)]
    return st.one_of(st.lists(step_bytes(), min_size=1, max_size=SHORT), *long)


def _token(byte: int, vocab: int) -> int:
    """Low ones more often, as in scripts and params, so that the three meet."""
    return byte % (vocab if byte >= 128 else min(LOW_TOKENS, vocab))


@st.composite
def worlds(
    draw: st.DrawFn,
    target: Target,
    dialect: Dialect,
    vocab: int = 32,
    dtype: str = "float32",
    hazards: frozenset[Hazard] = DEFAULT_HAZARDS,
) -> History:
    """A history without steps: how large the batch is, and the pools that its requests take params and prompts from.

    A plain request is always among the params, at position 0; params that the target refuses are not.
    """
    pool = _drawn_pool(draw, _pools(target.params_for or any_params, vocab), target)
    prompts = draw(_PROMPTS)
    length = 1 + prompts[0] % 6
    greedy = draw(_GREEDY) if Hazard.ALL_GREEDY in hazards else 0
    params = [_greedy(each) if greedy >> place % 8 & 1 else each for place, each in enumerate((PLAIN, *pool))]
    return History(
        steps=(),
        params=(params[0], *(each for each in params[1:] if admitted(each, target, vocab))),
        prompts=((_token(prompts[0], vocab),), tuple(_token(byte, vocab) for byte in prompts[1:length])),
        dialect=dialect,
        slots=draw(_SLOTS if vocab <= LARGE else _FEW_SLOTS),
        vocab=vocab,
        dtype=dtype,
        seed=draw(_SEEDS),
        hazards=hazards,
        lag=draw(_LAGS) if Hazard.ASYNC in hazards else 0,
        padding=draw(_PADDINGS) if Hazard.PADDED in hazards else 0,
    )


@lru_cache(maxsize=64)
def _pools(params_for: ParamsFor, vocab: int) -> SearchStrategy[list[SamplingParams]]:
    """Made once: hypothesis looks at every new strategy before it draws from it."""
    return st.lists(params_for(vocab), min_size=1, max_size=MOST_PARAMS)


def _drawn_pool(
    draw: st.DrawFn, pools: SearchStrategy[list[SamplingParams]], target: Target
) -> list[SamplingParams]:
    """Raises TargetError: the strategy raises."""
    try:
        pool: list[SamplingParams] = draw(pools)
    except (TargetError, HypothesisException):
        raise
    except Exception as error:
        raise TargetError(
            f"{target.params_from or 'the params'}: drawing requests raised {one_line(error)}"
        ) from error
    return pool


def _greedy(params: SamplingParams) -> SamplingParams:
    """The same request at temperature 0, unless it is about temperature."""
    return replace(params, temperature=0.0) if params.temperature == PLAIN.temperature else params


def histories_at_once(
    target: Target,
    dialect: Dialect = Dialect.DOCUMENTED,
    vocab: int = 32,
    dtype: str = "float32",
    hazards: frozenset[Hazard] = DEFAULT_HAZARDS,
) -> SearchStrategy[History]:
    """Whole histories whose steps are two draws, for campaigns: a fifth of the cost of drawing each step.

    Hypothesis shrinks the world and the number of steps; `shrink` knows how to make the steps themselves small.
    """
    length, source = st.sampled_from(LENGTHS), st.integers(0, 2**24 - 1)
    plain = st.builds(_rolled, worlds(target, dialect, vocab, dtype, hazards), length, source)
    return plain.map(partial(with_tokens_that_matter, target=target))


def _rolled(world: History, length: int, source: int) -> History:
    """The first steps of an endless history; fewer steps are its beginning."""
    data = Random(source).randbytes(WIDTH * length)
    return decode(world, [data[start : start + WIDTH] for start in range(0, len(data), WIDTH)])


def histories(
    target: Target,
    dialect: Dialect = Dialect.DOCUMENTED,
    vocab: int = 32,
    dtype: str = "float32",
    hazards: frozenset[Hazard] = DEFAULT_HAZARDS,
) -> SearchStrategy[History]:
    """Whole histories for a target, in whose prompts and outputs the tokens occur that matter to it."""
    plain = st.builds(decode, worlds(target, dialect, vocab, dtype, hazards), step_lists())
    return plain.map(partial(with_tokens_that_matter, target=target))
