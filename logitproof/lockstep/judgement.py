"""What the oracles say of a stretch of steps: about its first step in which something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from .finding import Divergence, Finding, Severity
from .oracles import Hindsight
from .stretch import Stretch


def judge(stretch: Stretch, oracles: Sequence[Hindsight], warn: Callable[[Finding], None]) -> None:
    """Ask each oracle about all steps at once, and step by step only those that have something to say.

    warn: told every warning up to the first fault. Raises Divergence: the faults of one step.
    """
    speaking = [oracle for oracle in oracles if not oracle.is_silent(stretch)]
    at_once = [played.findings for played in stretch.steps]
    if not speaking and not any(at_once):
        return
    for seen, findings in zip(stretch.observations(), at_once, strict=True):
        raise_faults(chain(*(oracle.judge(seen) for oracle in speaking), findings), warn)


def raise_faults(findings: Iterable[Finding], warn: Callable[[Finding], None]) -> None:
    """Raises Divergence if there are faults among them; warnings are told."""
    faults = []
    for finding in findings:
        if finding.severity is Severity.WARNING:
            warn(finding)
        else:
            faults.append(finding)
    if faults:
        raise Divergence(tuple(faults))
