"""The sampler benchmark's table in the README: written by the benchmark, read back by a test."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
SHAPES = ((1, 32_768), (8, 131_072), (64, 131_072), (256, 32_768))
IN_FLOORS = (64, 131_072, "quarter")
"""The column of costs is of this shape and profile."""
NOT_MEASURED = "–"
_BLOCK = re.compile(r"(<!-- sampler: [^>]*-->\n).*?(<!-- /sampler -->)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the benchmark. equal: the two results; ours_in_floors: our time over the floor's.

    warm_vllm_over_ours: of repeats that follow each other at once; None where a second play is other work.
    """

    batch: int
    vocabulary: int
    profile: str
    operation: str
    equal: bool
    vllm_over_ours: float
    ours_in_floors: float
    warm_vllm_over_ours: float | None = None
    warm_ours_in_floors: float | None = None


def table(rows: Iterable[Row]) -> str:
    """Markdown: an operation a line, for each shape the ratios of the profiles in the order in which they were run."""
    by_case = {(row.operation, row.batch, row.vocabulary, row.profile): row for row in rows}
    profiles = list(dict.fromkeys(profile for *_, profile in by_case))
    titles = [f"{batch} × {vocabulary // 1024}k" for batch, vocabulary in SHAPES]
    heads = [
        f"times faster than vLLM ({' / '.join(profiles)})",
        *titles,
        f"floors, {titles[2]} {IN_FLOORS[2]}",
        f"times faster with warm caches, {titles[2]}",
    ]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for operation in dict.fromkeys(operation for operation, *_ in by_case):
        ratios = (
            " / ".join(_short(by_case[operation, *shape, profile].vllm_over_ours) for profile in profiles)
            for shape in SHAPES
        )
        cost = by_case[operation, *IN_FLOORS].ours_in_floors
        warm = (by_case[operation, *IN_FLOORS[:2], profile].warm_vllm_over_ours for profile in profiles)
        at_once = " / ".join(_short(ratio) for ratio in warm if ratio is not None)
        lines.append(f"| {operation} | {' | '.join(ratios)} | {cost:.2f} | {at_once or NOT_MEASURED} |")
    return "\n".join(lines)


def _short(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def ratios_by_operation(text: str) -> dict[str, list[list[float]]]:
    """What the README says, by operation: for each shape the ratios of the profiles, the cost in floors, and last
    the ratios with warm caches.
    """
    found = _BLOCK.search(text)
    assert found is not None, "the README has no block <!-- sampler: … --> … <!-- /sampler -->"
    lines = [line.strip("| \n").split(" | ") for line in found[0].splitlines() if line.startswith("| ")]
    return {name: [_numbers(cell) for cell in cells] for name, *cells in lines[1:]}


def _numbers(cell: str) -> list[float]:
    return [] if cell == NOT_MEASURED else [float(number) for number in cell.split(" / ")]


def write(rows: Iterable[Row]) -> None:
    """Put the table between the README's markers."""
    text = README.read_text(encoding="utf-8")
    README.write_text(
        _BLOCK.sub(lambda found: f"{found[1]}{table(rows)}\n{found[2]}", text), encoding="utf-8"
    )
