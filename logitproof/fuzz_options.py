"""How targets are fuzzed: one record that the command line, `check_processor` and the gate fill in."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from logitproof.spec import Dialect

if TYPE_CHECKING:
    from logitproof.lockstep import Finding, Report
    from logitproof.lockstep.generate import Source
    from logitproof.targets import Target

EVERY_DTYPE = ("float32", "bfloat16", "float16")
"""What "all" takes turns between."""
DTYPES = (*EVERY_DTYPE, "all")
DIALECTS = (Dialect.DOCUMENTED, Dialect.ELIDED)
"""What engines really say; `redundant` is asked for."""
MAX_EXAMPLES = 150
LEAST_VOCAB = 8
ENOUGH = 40.0
"""Seconds after which a run that nobody gave a time is ended: with what is looked at afterwards, less than a minute."""

Spec: TypeAlias = str
"""`package.module:Name` or `path/to/file.py:Name`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzOptions:
    """What may be said about a run besides its target and its seed.

    params: what requests look like: a spec, a strategy of SamplingParams, a list of them, or a function
    `vocab_size -> strategy`; None: what the target itself says, or what can be learned from it.
    args: arguments of requests, as `--arg` takes them. vocab: width of the logits, if not learned.
    consumer, observe: for a class that only follows the batch: its method, and what shows its state by slot.
    reference: what is right: a spec or a function `(params, prompt, outputs, row) -> row`.
    dialects: how `removed` is worded. dtype: of the logits; "all" takes turns.
    exhaustive: play every history of a scope, such as "slots=2,steps=3", instead of random ones.
    hazards: what histories may hold: "resume,chunked", "+async,-chunked", "all".
    max_examples: histories per dialect. max_time: seconds per target; None: until ENOUGH, unless
    more histories than usual were asked for.
    workers: processes that play.

    Raises ValueError or TypeError, naming the argument, its value and what was expected.
    """

    params: Any = None
    args: Iterable[str] = ()
    vocab: int | None = None
    consumer: str | None = None
    observe: str | None = None
    reference: Spec | Callable[..., Any] | None = None
    dialects: tuple[Dialect, ...] = DIALECTS
    dtype: str = "float32"
    max_examples: int = MAX_EXAMPLES
    max_time: float | None = None
    workers: int = 1
    hazards: str = "default"
    exhaustive: str | None = None
    shrink: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "dialects", dialects_given(self.dialects))
        object.__setattr__(self, "args", _texts("args", self.args))
        for name in ("consumer", "observe"):
            if not isinstance(getattr(self, name), str | None):
                _refuse(name, getattr(self, name), "a name", TypeError)
        if self.vocab is not None and (type(self.vocab) is not int or self.vocab < LEAST_VOCAB):
            _refuse("vocab", self.vocab, f"an integer >= {LEAST_VOCAB}", ValueError)
        if self.dtype not in DTYPES:
            _refuse("dtype", self.dtype, f"one of {', '.join(DTYPES)}", ValueError)
        if type(self.max_examples) is not int:
            _refuse("max_examples", self.max_examples, "an integer >= 1", TypeError)
        if self.max_examples < 1:
            _refuse("max_examples", self.max_examples, "an integer >= 1", ValueError)
        if type(self.workers) is not int or self.workers < 1:
            _refuse("workers", self.workers, "an integer >= 1", ValueError)
        if self.max_time is not None:
            if isinstance(self.max_time, bool) or not isinstance(self.max_time, int | float):
                _refuse("max_time", self.max_time, "a number of seconds > 0, or None", TypeError)
            if not (self.max_time > 0 and math.isfinite(self.max_time)):
                _refuse("max_time", self.max_time, "a number of seconds > 0, or None", ValueError)
        if not isinstance(self.hazards, str):
            _refuse("hazards", self.hazards, "a text such as '+async,-chunked'", TypeError)
        if not isinstance(self.exhaustive, str | None):
            _refuse("exhaustive", self.exhaustive, "a text such as 'slots=2,steps=3'", TypeError)
        if type(self.shrink) is not bool:
            _refuse("shrink", self.shrink, "True or False", TypeError)
        if self.reference is not None and not (isinstance(self.reference, str) or callable(self.reference)):
            _refuse(
                "reference", self.reference, "a function (params, prompt, outputs, row) -> row", TypeError
            )

    def check(self, *targets: Spec | type) -> None:
        """Raise for every mistake that shows without loading torch or a target, so that it is told at once.

        Raises TargetError or ValueError, in one line.
        """
        from logitproof.lockstep.hazards import parse_hazards
        from logitproof.lockstep.scope import parse_scope
        from logitproof.targets.arg_language import parse
        from logitproof.targets.locate import glance

        parse_hazards(self.hazards)
        if self.exhaustive is not None:
            parse_scope(self.exhaustive)
        for text in self.args:
            parse(text)
        named = [("target", target) for target in targets]
        params = None if self.args else self.params  # both are one too many, whatever they say
        for what, spec in (*named, ("--params", params), ("--reference", self.reference)):
            if isinstance(spec, str):
                glance(spec, what)

    def load(self, target: Spec | type) -> Target:
        """The target with its params and its reference.

        Raises TargetError or ValueError, in one line.
        """
        self.check(target)
        from logitproof.targets import load_target

        return load_target(
            target,
            self.params,
            self.reference,
            args=tuple(self.args),
            vocab=self.vocab,
            consumer=self.consumer,
            observe=self.observe,
        )

    def fuzz(
        self,
        target: Target,
        seed: int,
        report: Report | None = None,
        source: Source | None = None,
        known: Callable[[Finding], bool] | None = None,
        progress: Callable[[Report], None] | None = None,
        last_resort: bool = False,
    ) -> Report:
        """Fuzz one target that `load` made; see `logitproof.lockstep.fuzz`.

        last_resort: whether the process may be ended where a call hangs that Python cannot interrupt.
        """
        from logitproof.lockstep import Budget, fuzz
        from logitproof.lockstep.hazards import parse_hazards
        from logitproof.lockstep.scope import parse_scope
        from logitproof.lockstep.sweep import sweep

        budget = Budget(
            self.max_examples,
            self.max_time,
            self.shrink,
            enough=ENOUGH if self.max_time is None and self.max_examples <= MAX_EXAMPLES else None,
            workers=self.workers,
            last_resort=last_resort,
        )
        hazards = parse_hazards(self.hazards)
        if self.exhaustive is not None:
            return sweep(
                target,
                parse_scope(self.exhaustive),
                self.dialects,
                budget,
                self.dtype,
                report,
                known,
                progress,
            )
        return fuzz(target, seed, self.dialects, budget, self.dtype, report, source, hazards, known, progress)


def dialects_given(given: Any) -> tuple[Dialect, ...]:
    """Dialects out of one or several names or members. Raises ValueError or TypeError."""
    names = ", ".join(dialect.value for dialect in Dialect)
    listed = [given] if isinstance(given, str | Dialect) else given
    if not isinstance(listed, Iterable):
        _refuse("dialects", given, f"some of {names}", TypeError)
    chosen = []
    for each in listed:
        try:
            chosen.append(Dialect(each))
        except ValueError:
            _refuse("dialects", each, f"some of {names}", ValueError)
    if not chosen:
        _refuse("dialects", given, f"at least one of {names}", ValueError)
    return tuple(dict.fromkeys(chosen))


def _texts(name: str, given: Any) -> tuple[str, ...]:
    listed = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else (given,)
    if not all(isinstance(each, str) for each in listed):
        _refuse(name, given, "texts such as 'target_token=token'", TypeError)
    return listed


def _refuse(name: str, value: object, expected: str, error: type[Exception]) -> NoReturn:
    raise error(f"Expected {name} to be {expected} but got {name}={value!r} (type={type(value).__name__})")
