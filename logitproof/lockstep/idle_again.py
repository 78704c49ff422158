"""The figures of work for nobody, measured in one fixed history: the same for every seed."""

from __future__ import annotations

from logitproof.spec import Dialect
from logitproof.targets import Target

from .alone import PROMPT, drawn_params
from .driver import run
from .finding import Finding
from .history import Arrival, History, Step
from .oracles.idle_work import IdleWork
from .plain import PLAIN


def idle_work_again(target: Target, dtype: str) -> dict[str, Finding]:
    """The warning by its code; empty if this history does not show it. One request uses the processor, and leaves."""
    pool = (PLAIN, *drawn_params(target, target.vocab, 1))
    user = Arrival("U", len(pool) - 1, row=1)
    plain = [Arrival(name, 0, row=row) for row, name in enumerate("PQR", start=2)]
    steps = (Step(new=(user, *plain[:2])), Step(finished=("U",)), Step(), Step(new=(plain[2],)), Step())
    history = History(steps, pool, (PROMPT,), Dialect.ELIDED, slots=3, vocab=target.vocab, dtype=dtype)
    return {met.oracle: met for met in run(history, target).warnings if met.oracle == IdleWork.code}
