"""An exception inside the processor: the driver catches it, since nobody can look at a step that did not end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from logitproof.standin import NotInStandIn
from logitproof.targets import TargetError

from ..finding import Finding
from ..observation import Observation
from ..watchdog import Unresponsive
from .hang import Hang


class Crash:
    """Any exception in `update_state` or `apply`, in the batch, in a solo run or in a rebuild."""

    code: ClassVar[str] = "crash"
    laws: ClassVar[tuple[str, ...]] = ("D1", "C1", "D6")
    sentence: ClassVar[str] = (
        "the processor raises inside update_state or apply for requests that it admitted"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: a step that can be observed did not crash."""
        yield from ()

    @staticmethod
    def finding(method: str, where: str, error: BaseException, step: int) -> Finding:
        """where: "the batch", "the solo run of B", "a rebuild". Raises TargetError: it is no fault of the processor."""
        if isinstance(error, NotInStandIn):
            raise TargetError(str(error)) from error
        if isinstance(error, Unresponsive):
            return Hang.finding(method, where, str(error), step)
        lines = str(error).strip().splitlines()
        said = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
        return Finding(
            Crash.code,
            "",
            f"{method} of {where} raised {said}",
            step,
            place=_place(error),
        )


def _place(error: BaseException) -> str:
    """`Type at file:line`, of the innermost frame."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return f"{type(error).__name__}{where}"
