"""Once a request has ended, nothing of it stays in the processor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from ..finding import Finding, Severity
from ..lived import Lived
from ..observation import Observation
from ..reachable import kept_by

if TYPE_CHECKING:
    from ..stretch import Stretch


class NothingKept:
    """C6, by weak references to what was lent: params and output lists.

    Counted are requests that had ended when a later update told about other changes. More of them than the batch has
    slots are a leak. Fewer may be what slots still hold until they are used again: a warning. Only what can be reached
    from the processor counts, so that neither our own references nor garbage in cycles can speak against it.
    """

    code: ClassVar[str] = "kept"
    laws: ClassVar[tuple[str, ...]] = ("C6",)
    sentence: ClassVar[str] = (
        "the processor still refers to params or output lists of requests that have ended, and more with every request"
    )

    def is_silent(self, stretch: Stretch) -> bool:
        """Always: asked only about the whole."""
        return True

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: looked at once, at the end of a history."""
        yield from ()

    def conclude(self, lived: Lived) -> Iterator[Finding]:
        in_use = {id(lent) for each in lived.requests for lent in (each.params, each.output_token_ids)}
        suspects: dict[int, str] = {}
        for gone in lived.loans.departed:
            if gone.step >= lived.last_update:
                continue
            for kept in (gone.outputs(), gone.params()):
                if kept is not None and id(kept) not in in_use:
                    suspects[id(kept)] = gone.name
        if not suspects:
            return
        holders = kept_by(lived.processor, suspects.keys())
        names = list(dict.fromkeys(suspects[kept] for kept in suspects if kept in holders))
        if not names:
            return
        holder = next(holders[kept] for kept in suspects if kept in holders)
        what = f"{holder} still leads to what belonged to {', '.join(names[:5])}"
        what += f" and {len(names) - 5} more, which have ended" if len(names) > 5 else ", which have ended"
        grows = len(names) > lived.slots
        what += f": more than the batch has slots ({lived.slots})" if grows else ""
        severity = Severity.FAULT if grows else Severity.WARNING
        yield Finding(self.code, "C6", what, lived.steps, severity=severity)
