"""Hypothesis strategies for histories: long enough to matter, and still shrinking to a step or two."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from logitproof.spec import Dialect, SamplingParams
from logitproof.targets import Target
from logitproof.targets.learned import any_params

from .admission import admitted
from .decode import LOW_TOKENS, WIDTH, decode
from .history import History
from .plain import PLAIN

SLOTS = (4, 8, 3, 6, 2, 5, 8, 1)
"""Batches of every size up to eight: a fault needs two requests, rarely more than four."""
MOST_PARAMS = 8
"""Besides the plain one; more than four on the average. Some faults need one value out of many."""
LONGEST = 64
SHORT = 6


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
    draw: st.DrawFn, target: Target, dialect: Dialect, vocab: int = 32, dtype: str = "float32"
) -> History:
    """A history without steps: how large the batch is, and the pools that its requests take params and prompts from.

    A plain request is always among the params, at position 0; params that the target refuses are not.
    """
    params_for = target.params_for or any_params
    pool: list[SamplingParams] = draw(st.lists(params_for(vocab), min_size=1, max_size=MOST_PARAMS))
    prompts = draw(st.binary(min_size=6, max_size=6))
    length = 1 + prompts[0] % 6
    return History(
        steps=(),
        params=(PLAIN, *(params for params in pool if admitted(params, target, vocab))),
        prompts=((_token(prompts[0], vocab),), tuple(_token(byte, vocab) for byte in prompts[1:length])),
        dialect=dialect,
        slots=draw(st.sampled_from(SLOTS)),
        vocab=vocab,
        dtype=dtype,
        seed=draw(st.integers(0, 3)),
    )


def histories(
    target: Target, dialect: Dialect = Dialect.DOCUMENTED, vocab: int = 32, dtype: str = "float32"
) -> SearchStrategy[History]:
    """Whole histories for a target."""
    return st.builds(decode, worlds(target, dialect, vocab, dtype), step_lists())
