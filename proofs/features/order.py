"""Which features may change places, as a table drawn from the verdicts, and the order of the sampler that follows."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap

from logitproof.model.rows import PIPELINE

from ..discharge import Verdict

LEGEND = (
    "= commute on every row   ~ commute while a token is left, else the first wins (D8)   x order matters"
)


def draw_commutation(verdicts: Mapping[str, Verdict]) -> str:
    """The table of all pairs: verdicts by the names of theorems and wrong claims. `?`: not settled."""
    names = [stage.name for stage in PIPELINE]
    lines = [f"{'':24}" + "".join(f"{position:>3}" for position in range(1, len(names)))]
    for position, name in enumerate(names, start=1):
        cells = "".join(f"{_cell(verdicts, other, name):>3}" for other in names[: position - 1])
        lines.append(f"{position:>2} {name:21}{cells}")
    return "\n".join([*lines, "", LEGEND])


def _cell(verdicts: Mapping[str, Verdict], one: str, other: str) -> str:
    plain = verdicts.get(f"{one}_commutes_with_{other}")
    if plain is Verdict.PROVED:
        return "="
    if plain is not Verdict.REFUTED:
        return "?"
    guarded = verdicts.get(f"{one}_commutes_with_{other}_while_a_token_is_left")
    return "~" if guarded is Verdict.PROVED else "x"


def draw_order(width: int = 96) -> str:
    """The sampler's order, each stage with its reason, and the line between the two kinds of stage."""
    lines: list[str] = []
    for position, stage in enumerate(PIPELINE, start=1):
        if stage.argmax_invariant and not PIPELINE[position - 2].argmax_invariant:
            lines.append(
                "-- a greedy request takes its argmax here (E2, E3); what follows keeps the argmax (D5) --"
            )
        title = f"{position:>2} {stage.name:21} "
        lines += wrap(stage.because, width, initial_indent=title, subsequent_indent=" " * len(title))
    return "\n".join(lines)
