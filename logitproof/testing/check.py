"""`check_processor`: what `logitproof fuzz` does, as one function call of a test."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logitproof.fuzz_options import DIALECTS, MAX_EXAMPLES, FuzzOptions, Spec, dialects_given
from logitproof.spec import Dialect

from .defaults import ASKED, seed_of
from .faults import CheckFailed, NothingTested, ProcessorFault, ProcessorWarning, TimeRanOut

if TYPE_CHECKING:
    from logitproof.lockstep import Report


@dataclass(frozen=True, slots=True)
class CheckReport:
    """A clean run: what was exercised. seen: how often each kind of operation happened."""

    target: str
    seed: int
    histories: int
    steps: int
    seen: Mapping[str, int]
    warnings: tuple[str, ...]

    def __str__(self) -> str:
        return f"logitproof: {self.target} clean: {self.histories:,} histories, {self.steps:,} steps, seed {self.seed}"


def check_processor(
    target: type | Spec,
    *,
    params: Any = None,
    args: Iterable[str] | str = (),
    vocab: int | None = None,
    reference: Callable[..., Any] | Spec | None = None,
    seed: int | None = None,
    max_examples: int | None = None,
    max_time: float | None = None,
    dialects: Iterable[Dialect | str] = DIALECTS,
    dtype: str = "float32",
    hazards: str = "default",
    shrink: bool = True,
    report_dir: Path | str = ".logitproof",
) -> CheckReport:
    """Drive a logits processor through random histories in lockstep with the proven model.

        def test_ban_token():
            check_processor(BanToken)

        def test_ban_token_thoroughly():
            check_processor(
                BanToken,
                params=st.builds(lambda token: SamplingParams(extra_args={"ban_token": token}), st.integers(0, 31)),
                reference=banned_row,  # (params, prompt, outputs, row) -> row
                max_examples=1000,
                dtype="all",
            )

    Args:
        target: a processor class, ours or vLLM's, or a spec: "package.module:Name", "path/to/file.py:Name".
        params: what requests look like: a strategy of SamplingParams, a list of them, a function of the vocabulary
            size that returns a strategy, or a spec. Otherwise what the class says in `logitproof_params`, or what can
            be learned from its source. Requests that ask for nothing are always mixed in.
        args: arguments of requests in the place of `params`, as the command line takes them: ("ban_token=token",).
        vocab: width of the logits; 32, or what the token ids in its source need, if not given.
        reference: what is right, a function `(params, prompt, outputs, row) -> row` with rows as lists of floats.
        seed: same seed, same run. Not given, it follows from the class's name alone: a test neither begins to fail nor
            to pass by chance, but also plays the same histories every day. `pytest --logitproof-seed random` plays
            others. The seed is always printed.
        max_examples: histories per dialect, 150 if not given. `pytest --logitproof-max-examples` outweighs it.
        max_time: seconds; a run that it cuts short raises TimeRanOut.
        dialects: "documented" and "elided" unless told; see `logitproof.Dialect`.
        dtype: of the logits: float32, bfloat16, float16, or all in turns.
        hazards: what histories may hold, as `--hazards` takes it: "+async", "all".
        shrink: False shows a failure as it was found.
        report_dir: where a failure is saved, for `logitproof replay` and as a test.

    Returns what was exercised. Findings that are no faults are issued as `ProcessorWarning`.

    Raises ProcessorFault: a law is broken; its text is the picture. NothingTested: no logit ever changed, or a kind of
    operation never happened. TimeRanOut. TargetError: the target cannot be used. ValueError, TypeError: an argument.
    Source: contract D1 to D8.
    """
    __tracebackhide__: Any = is_ours
    from logitproof.lockstep.hazards import UnknownHazard
    from logitproof.targets.errors import TargetError

    asked = ASKED.get()
    folder = Path(report_dir)
    try:
        options = FuzzOptions(
            params=params,
            args=args,
            vocab=vocab,
            reference=reference,
            dialects=dialects_given(dialects),
            dtype=dtype,
            max_examples=asked.max_examples or (MAX_EXAMPLES if max_examples is None else max_examples),
            max_time=max_time,
            hazards=hazards,
            shrink=shrink,
        )
    except (TypeError, ValueError) as error:
        __tracebackhide__ = True
        raise _without_frames(error) from None
    if seed is None:
        name = target.rpartition(":")[2] if isinstance(target, str) else getattr(target, "__qualname__", "")
        seed = seed_of(name) if asked.seed is None else asked.seed
    elif type(seed) is not int or seed < 0:
        raise ValueError(
            f"Expected seed to be an integer >= 0 but got seed={seed!r} (type={type(seed).__name__})"
        )
    from logitproof.report.advice import as_arguments
    from logitproof.report.warning import warning_line

    with one_thread():
        try:
            report = options.fuzz(options.load(target), seed)
        except (TargetError, UnknownHazard) as error:
            __tracebackhide__ = True
            raise _without_frames(error) from None
        _raise_unless_clean(report, seed, folder)
    told = [as_arguments(warning_line(warning)) for warning in report.warnings.values()]
    for each in told:
        warnings.warn(f"{report.target.name}: {each}", ProcessorWarning, stacklevel=2)
    clean = CheckReport(
        report.target.name,
        seed,
        report.histories,
        report.steps,
        report.transitions.table(),
        tuple(told),
    )
    print(clean)
    return clean


def _raise_unless_clean(report: Report, seed: int, report_dir: Path) -> None:
    __tracebackhide__ = is_ours
    from logitproof.lockstep import Verdict
    from logitproof.report.advice import as_arguments
    from logitproof.report.failure import again, first_line, told
    from logitproof.report.kept import keep

    target = report.target
    if report.caught:
        caught = report.caught[0]
        kept = keep(target, caught, report_dir, seed, _rerun(seed))
        lines = [*told(target, caught), "", *again(caught, kept), "", f"seed {seed}"]
        finding = caught.findings[0]
        raise ProcessorFault(
            "\n".join(lines), first_line(target, caught), seed, finding.oracle, finding.law, kept.file
        )
    if report.verdict is Verdict.CLEAN:
        return
    kind = NothingTested if report.verdict is Verdict.VACUOUS else TimeRanOut
    note = as_arguments(report.note)
    raise kind(f"{target.name}: {note} (seed {seed})", note, seed)


def _rerun(seed: int) -> str:
    test, _, _ = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")
    return (
        f"python -m pytest '{test}' --logitproof-seed {seed}"
        if test
        else f"check_processor(..., seed={seed})"
    )


def _without_frames(error: Exception) -> Exception:
    """A mistake of the caller, in the words of a call: where we noticed it tells nobody anything."""
    from logitproof.report.advice import as_arguments

    error.args = (as_arguments(str(error)),)
    return error.with_traceback(None)


@contextmanager
def one_thread() -> Iterator[None]:
    """Rows are tiny: a second thread would only wait. The caller's own number comes back."""
    import torch

    threads = torch.get_num_threads()
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def is_ours(raised: Any) -> bool:
    """Whether pytest shall leave our frames out of a traceback: where the text says everything."""
    return isinstance(raised.value, CheckFailed)
