"""The verdict on a campaign, and what to say with it."""

from __future__ import annotations

from enum import Enum, auto

from logitproof.spec import Dialect
from logitproof.targets import Target

from .hazards import in_order
from .outcome import Report, Verdict

LEAST_STEPS = 500
"""Of a run that was ended because it had done enough: fewer are not worth calling it clean. Most faults of the museum
show within 100 steps.
"""


class Ending(Enum):
    """Why a campaign played no further."""

    ALL_PLAYED = auto()
    """Everything asked for, or up to a failure."""
    ENOUGH = auto()
    """The default time is over, and nobody asked for a certain number of histories."""
    OUT_OF_TIME = auto()


def conclude(report: Report, ending: Ending, is_given: bool) -> None:
    """Set verdict and note.

    is_given: the histories were asked for, so that what is missing in them is said but does not fail the run.
    """
    missing = report.transitions.missing(report.hazards)
    notes = []
    if report.unsupported:
        left_out = ", ".join(hazard.value for hazard in in_order(report.unsupported))
        notes.append(f"the target says that it does not support, so not played: {left_out}")
    is_cut = ending is Ending.OUT_OF_TIME or (
        ending is Ending.ENOUGH and bool(missing or report.steps < LEAST_STEPS)
    )
    if is_given and missing and not is_cut:
        notes.append(f"not in these histories, so not tested: {', '.join(missing)}")
        missing = []
    if report.caught:
        only_latent = all(caught.history.dialect is Dialect.REDUNDANT for caught in report.caught)
        report.verdict = Verdict.LATENT if only_latent else Verdict.FAILED
    elif is_cut:
        report.verdict = Verdict.OUT_OF_TIME
        before = f", before these happened: {', '.join(missing)}" if missing else ""
        notes.append(
            f"time ran out after {report.histories} histories{before}; give it more with --max-time, or ask for less "
            f"with --max-examples"
        )
    elif missing:
        report.verdict = Verdict.VACUOUS
        notes.append(f"these never happened: {', '.join(missing)}; raise --max-examples")
    elif not report.transitions.changed_a_logit:
        report.verdict = Verdict.VACUOUS
        notes.append(
            f"the processor never changed a logit, so nothing was tested. Its requests came from: "
            f"{report.target.params_from}. {_what_to_try(report.target)}"
        )
    else:
        report.verdict = Verdict.CLEAN
        if ending is Ending.ENOUGH:
            notes.append(
                f"a slow target: {report.histories} histories in {report.seconds:.0f} s; --max-time plays on"
            )
        if not is_given and (unmet := report.transitions.unmet(report.hazards)):
            notes.append(f"never happened, so not tested: {', '.join(unmet)}; raise --max-examples")
    report.note = "; ".join(notes)


def _what_to_try(target: Target) -> str:
    if target.try_next.startswith("--vocab"):
        return f"It raises for a token id beyond the vocabulary. Make it larger: {target.try_next}"
    if target.try_next:
        return f"Say what they look like, for a start: {target.try_next}"
    return (
        "Say what they look like: --arg NAME=KIND, --params module:strategy, or a logitproof_params attribute on the "
        "class"
    )
