"""What may become of a request whose arguments nobody should send."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..finding import Finding
from ..observation import Observation


class BoundaryArgument:
    """D6, watched after a clean campaign. Severity:

    - A strange value in one request that changes another one's row, or memory that is nobody's: a fault.
    - An exception in `update_state` or `apply`, which ends the step for everybody: a fault for a field of
      `SamplingParams`, a warning for `extra_args`, and a fault there too with `--hazards +boundary`.
    - -1 that acts on the last token, or a row left without a finite logit: as an exception in `extra_args`.

    Fields that vLLM's own front end checks (all of them) are left out for processors with vLLM's interface.
    """

    code: ClassVar[str] = "boundary"
    laws: ClassVar[tuple[str, ...]] = ("D6", "D4")
    sentence: ClassVar[str] = (
        "an argument beyond its range, or of another type, is admitted, and harms the step or another request"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: a campaign that ends clean asks `boundary_arguments`."""
        yield from ()
