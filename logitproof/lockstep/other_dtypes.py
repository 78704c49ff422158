"""A few steps with logits of other dtypes, for a processor that was clean in one."""

from __future__ import annotations

from logitproof.spec import Dialect
from logitproof.targets import Target

from .alone import PROMPT, drawn_params
from .bank import DTYPES
from .driver import run
from .finding import Figure, Finding, Severity
from .history import Arrival, History, Step
from .oracles.other_dtype import OtherDtype
from .plain import PLAIN

MOST_DRAWN = 6
STEPS = 4


def other_dtypes(target: Target, played: str) -> dict[str, Finding]:
    """The warning by its code; empty if other dtypes make no difference. played: the dtype of the campaign."""
    if target.in_vllms_types:
        return {}  # vLLM hands over float32, whatever the model computes in
    pool = (PLAIN, *drawn_params(target, target.vocab, MOST_DRAWN))
    arrivals = tuple(
        Arrival(f"R{number}", number, 0, row=number, script=(number % 8, 1)) for number in range(len(pool))
    )
    steps = (Step(new=arrivals), *(Step() for _ in range(STEPS)))
    told = {}
    for dtype in DTYPES:
        if dtype in (played, "float64"):
            continue
        history = History(
            steps, pool, (PROMPT,), Dialect.ELIDED, slots=len(pool), vocab=target.vocab, dtype=dtype
        )
        faults = run(history, target).faults
        if faults and faults[0].oracle in ("crash", "shape"):
            told[dtype] = faults[0].summary
    if not told:
        return {}
    what = "fails with logits of another dtype: cast helper tensors to logits.dtype, and play all with --dtype all"
    figures = tuple(Figure(dtype, None, summary) for dtype, summary in told.items())
    finding = Finding(OtherDtype.code, "D1", what, STEPS + 1, severity=Severity.WARNING, figures=figures)
    return {OtherDtype.code: finding}
