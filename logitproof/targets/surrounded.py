"""Tries settings of a target's surroundings, where without them it cannot be made or never changes a logit.

Many processors are switched on for the whole engine: by an environment variable, or by an entry of `additional_config`.
Both are guessed like arguments of requests are, and told to the user.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from logitproof.spec import SamplingParams

from .arg_language import Argument
from .drawing import few
from .environment import Variable, variables
from .errors import TargetError
from .evidence import Path
from .guesses import guesses, leaves
from .reading import reading
from .source import Source
from .target import Target

if TYPE_CHECKING:
    import torch

    from logitproof.spec import EngineConfig

FURTHEST = 2
SET = "set"
"""The word of the note about it."""
MOST_KINDS = 3
"""Guesses about an entry of `additional_config`."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is set for a run: environment variables, and entries of `additional_config`."""

    variables: tuple[tuple[str, str], ...] = ()
    entries: tuple[tuple[Path, Any], ...] = ()

    def __str__(self) -> str:
        return ", ".join(
            [f"{name}={value}" for name, value in self.variables]
            + [f"additional_config[{'.'.join(path)!r}]={value!r}" for path, value in self.entries]
        )


@dataclass(frozen=True, slots=True)
class Surrounded:
    """`make` with settings."""

    make: Any
    settings: Settings

    def __call__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> Any:
        entries: dict[str, Any] = dict(config.additional_config)
        for (*outer, last), value in self.settings.entries:
            holder = entries
            for key in outer:
                holder = holder.setdefault(key, {})
            holder[last] = value
        with _set(self.settings.variables):
            return self.make(replace(config, additional_config=entries), device, is_pin_memory)

    @property
    def target(self) -> Any:
        """The class of the user's."""
        return getattr(self.make, "target", self.make)


@contextmanager
def _set(values: tuple[tuple[str, str], ...]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name, _ in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def surrounded(target: Target, source: Source, how_far: Callable[[Target], int]) -> Target:
    """The target with the first settings with which it gets furthest; as it is, if none gets it further.

    how_far: 0 if no instance can be made, 1 if no request changes a logit, 2 if one does.
    """
    read = variables(source)
    entries = reading(source, roots=("additional_config",))
    best, reached = target, how_far(target) if read or entries else FURTHEST
    for settings in _candidates(read, entries, target.vocab):
        if reached == FURTHEST:
            break
        tried = _with(target, settings)
        if (got := how_far(tried)) > reached:
            best, reached = tried, got
    return best


def _with(target: Target, settings: Settings) -> Target:
    inner = target.validate

    def validate(params: SamplingParams) -> None:
        with _set(settings.variables):
            inner(params)

    said = f"for this run, since it does nothing without: {settings}"
    return replace(
        target,
        make=Surrounded(target.make, settings),
        validate=validate,
        notes=(*target.notes, (SET, said)),
    )


def _candidates(read: list[Variable], entries: Mapping[Path, Any], vocab: int) -> Iterator[Settings]:
    """What must be set alone, then with one switch, then with all that can be guessed."""
    needed = tuple((each.name, each.guess) for each in read if each.is_required and not each.is_set)
    switches = [
        (each.name, each.guess) for each in read if not each.is_required and each.guess and not each.is_set
    ]
    kinds = {each.path: guesses(each, entries)[:MOST_KINDS] for each in leaves(entries)}
    if needed:
        yield Settings(needed)
    for switch in switches:
        yield Settings((*needed, switch))
    if len(switches) > 1:
        yield Settings((*needed, *switches))
    for number in range(MOST_KINDS if kinds else 0):
        drawn = (
            (path, _drawn(path, each[min(number, len(each) - 1)], vocab)) for path, each in kinds.items()
        )
        yield Settings((*needed, *switches), tuple(drawn))


def _drawn(path: Path, kind: str, vocab: int) -> Any:
    try:
        return few(Argument(path, kind).values(vocab), MOST_KINDS)[-1]
    except TargetError:
        return None  # the vocabulary is too small for it
