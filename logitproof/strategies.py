"""Hypothesis strategies for tests of your own: what lockstep runs are made of.

    from hypothesis import given
    from logitproof import strategies as lst

    @given(lst.logits(3), lst.updates(params=lst.min_p_params()))
    def test_mine(logits, updates): ...

Token ids lie in [0, vocab_size), low ones more often, so that params, prompts and outputs meet. Numbers come from short
lists, chosen so that a difference is a fault and not the last bit of a float. Arguments are checked when a strategy is
made. Raises hypothesis.errors.InvalidArgument: which argument, its value, what was expected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, cast

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import SearchStrategy

from .fuzz_options import DTYPES, FuzzOptions, Spec
from .impl.persistent_batch import PersistentBatch
from .impl.request import Request
from .lockstep import History, generate
from .lockstep.bank import DTYPES as DTYPE_OF
from .lockstep.bank import LEVELS
from .spec import BatchUpdate, Dialect, SamplingParams
from .targets import VOCAB_SIZE, Target
from .targets import params as requests
from .targets.target import accept_all

if TYPE_CHECKING:
    import torch

__all__ = [
    "allowed_token_ids_params",
    "bad_words_params",
    "histories",
    "logit_bias_params",
    "logits",
    "min_p_params",
    "min_tokens_params",
    "penalty_params",
    "sampling_params",
    "tokens",
    "truncation_params",
    "updates",
]


def tokens(vocab_size: int = VOCAB_SIZE) -> SearchStrategy[int]:
    """Token ids in [0, vocab_size)."""
    return requests.tokens(_whole("vocab_size", vocab_size, 1))


def min_p_params(vocab_size: int = VOCAB_SIZE) -> SearchStrategy[SamplingParams]:
    """Requests with min_p between 0.02 and 1."""
    return requests.min_p_params(_whole("vocab_size", vocab_size, 1))


def logit_bias_params(vocab_size: int = VOCAB_SIZE) -> SearchStrategy[SamplingParams]:
    """Requests that bias one to four tokens, by -100 to 50."""
    return requests.logit_bias_params(_whole("vocab_size", vocab_size, 1))


def min_tokens_params(vocab_size: int = VOCAB_SIZE) -> SearchStrategy[SamplingParams]:
    """Requests with min_tokens in [1, 6], one to three stop tokens, and an end token or none."""
    return requests.min_tokens_params(_whole("vocab_size", vocab_size, 4))


def allowed_token_ids_params(vocab_size: int = VOCAB_SIZE) -> SearchStrategy[SamplingParams]:
    """Requests that allow one to three tokens."""
    return requests.token_list_params("allowed_token_ids")(_whole("vocab_size", vocab_size, 4))


def bad_words_params(vocab_size: int = VOCAB_SIZE) -> SearchStrategy[SamplingParams]:
    """Requests with one or two bad words of one to three tokens."""
    return requests.bad_words_params(_whole("vocab_size", vocab_size, 1))


def penalty_params(vocab_size: int = VOCAB_SIZE) -> SearchStrategy[SamplingParams]:
    """Requests with repetition, frequency and presence penalties, alone and together."""
    return requests.penalty_params(_whole("vocab_size", vocab_size, 1))


def truncation_params(vocab_size: int = VOCAB_SIZE) -> SearchStrategy[SamplingParams]:
    """Requests with top_k in [0, 5] or top_p of 0.5, 0.9 or 1."""
    return requests.truncation_params(_whole("vocab_size", vocab_size, 1))


FEATURES: dict[str, Callable[[int], SearchStrategy[SamplingParams]]] = {
    "min_p": min_p_params,
    "logit_bias": logit_bias_params,
    "min_tokens": min_tokens_params,
    "allowed_token_ids": allowed_token_ids_params,
    "bad_words": bad_words_params,
    "penalties": penalty_params,
    "truncation": truncation_params,
}
"""What `sampling_params` can be asked for."""


def sampling_params(*features: str, vocab_size: int = VOCAB_SIZE) -> SearchStrategy[SamplingParams]:
    """Requests that use one of the features, or one of all if none is named: `sampling_params("min_p", "bad_words")`.

    Requests that ask for nothing are not among them; `st.just(SamplingParams())` is one.
    """
    for name in features:
        if name not in FEATURES:
            _refuse("features", name, f"among {', '.join(FEATURES)}")
    return st.one_of(*(FEATURES[name](vocab_size) for name in features or FEATURES))


def logits(
    num_requests: int, vocab_size: int = VOCAB_SIZE, *, dtype: str = "float32", allow_inf: bool = True
) -> SearchStrategy[torch.Tensor]:
    """Float tensors (num_requests, vocab_size) on the CPU, in [-8, 8) and exact in their dtype.

    allow_inf: rows may hold a few -inf, as an earlier processor leaves them, but never nothing else.
    """
    _whole("num_requests", num_requests, 0)
    _whole("vocab_size", vocab_size, 1)
    if dtype not in DTYPE_OF:
        _refuse("dtype", dtype, f"one of {', '.join(DTYPE_OF)}")
    if type(allow_inf) is not bool:
        _refuse("allow_inf", allow_inf, "True or False")
    level = LEVELS[DTYPE_OF[dtype]]
    most_banned = min(3, vocab_size - 1) if allow_inf else 0
    banned = st.lists(st.integers(0, vocab_size - 1), max_size=most_banned)
    size = 2 * num_requests * vocab_size

    def make(data: bytes, banned: list[list[int]]) -> torch.Tensor:
        import torch

        steps = [int.from_bytes(data[at : at + 2]) % (16 * level) for at in range(0, size, 2)]
        # Zero bytes, where shrinking ends, are logits of zero.
        values = [(step if step < 8 * level else step - 16 * level) / level for step in steps]
        tensor = torch.tensor(values, dtype=DTYPE_OF[dtype]).reshape(num_requests, vocab_size)
        for row, ids in zip(tensor, banned, strict=True):
            row[ids] = float("-inf")
        return tensor

    every_row = st.lists(banned, min_size=num_requests, max_size=num_requests)
    return st.builds(make, st.binary(min_size=size, max_size=size), every_row)


def histories(
    target: type | Spec,
    *,
    params: Any = None,
    dialect: Dialect | str = Dialect.DOCUMENTED,
    dtype: str = "float32",
) -> SearchStrategy[History]:
    """Whole histories for a processor: over 30 steps on the average, and they shrink to one or two.

    `logitproof.lockstep.run(history, logitproof.targets.load_target(target))` plays one and lists what is wrong.
    Arguments as for `check_processor`. Raises TargetError: the target cannot be used.
    """
    if dtype == "all" or dtype not in DTYPES:
        _refuse("dtype", dtype, f"one of {', '.join(name for name in DTYPES if name != 'all')}")
    loaded = FuzzOptions(params=params).load(target)
    return generate.histories(loaded, _dialect(dialect), loaded.vocab, dtype)


def updates(
    *,
    params: Any = None,
    dialect: Dialect | str = Dialect.DOCUMENTED,
) -> SearchStrategy[list[BatchUpdate | None]]:
    """What a fresh processor is told, step by step, from an empty batch on: one list is one history.

    None is a step in which nothing changes. `output_token_ids` hold what a request had when it was added, and do not
    grow, since no token is sampled. params: as for `check_processor`; None draws from every feature.
    """
    wanted = None if params is None else requests.params_given(params, "params=")
    nobody = Target("updates", make=cast(Any, None), validate=accept_all, params_for=wanted)
    chosen = _dialect(dialect)
    return generate.histories(nobody, chosen).map(_told)


def _told(history: History) -> list[BatchUpdate | None]:
    from .lockstep.loans import Loans

    batch = PersistentBatch(dialect=history.dialect, max_num_reqs=history.slots)
    loans = Loans(history)
    waiting: dict[str, Request] = {}
    heard: list[BatchUpdate | None] = []
    for step in history.steps:
        live = {request.request_id: request for request in batch.requests}
        newcomers = [*map(loans.lend, step.new), *(waiting.pop(name) for name in step.resumed)]
        waiting |= {name: live[name] for name in step.unscheduled}
        leaving = (*step.finished, *step.unscheduled)
        heard.append(batch.step(finished=leaving, new=newcomers, swaps=step.swaps))
    return heard


def _dialect(given: Any) -> Dialect:
    try:
        return Dialect(given)
    except ValueError:
        _refuse("dialect", given, f"one of {', '.join(dialect.value for dialect in Dialect)}")


def _whole(name: str, value: Any, low: int) -> int:
    if type(value) is not int or value < low:
        _refuse(name, value, f"an integer >= {low}")
    return value


def _refuse(name: str, value: object, expected: str) -> NoReturn:
    raise InvalidArgument(
        f"Expected {name} to be {expected} but got {name}={value!r} (type={type(value).__name__})"
    )
