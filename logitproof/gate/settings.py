"""What `[tool.logitproof]` says, read and checked.

[tool.logitproof]
check = true                 # prove the laws too
max_examples = 150           # this and the other options of `fuzz`: for all targets, unless a target says otherwise
replays = "tests/failures"   # folder of saved failures that must stay mended
min_steps = 1000             # a target that plays fewer has missed the gate, unless it says otherwise

[[tool.logitproof.targets]]
target = "my_package.ban:BanToken"
params = "tests/requests.py:ban_token"

[[tool.logitproof.known]]
target = "my_package.ban:BanToken"
oracle = "untouched"
reason = "waits for the fix in 2.4"
expires = 2027-01-31
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from logitproof.fuzz_options import FuzzOptions

from .known import Known
from .table import Table, WrongSettings, did_you_mean

PER_TARGET = ("params", "reference", "args", "vocab", "consumer", "observe")
SHARED = tuple(field.name for field in fields(FuzzOptions) if field.name not in (*PER_TARGET, "shrink"))
"""Options of `fuzz` that may stand for all targets together."""


class Least(NamedTuple):
    """What every target must reach, unless it says otherwise."""

    steps: int
    coverage: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """One target, and how it is to be fuzzed.

    min_steps: fewer have missed the gate. coverage: so has a smaller share of the kinds of operation.
    """

    target: str
    options: FuzzOptions
    min_steps: int
    coverage: float


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the gate is asked to do, with paths as they were written.

    replays: folder of saved failures that must stay mended; None for those of `report_dir`.
    """

    targets: tuple[Wanted, ...]
    check: bool
    seed: int
    replays: Path | None
    report_dir: Path
    known: tuple[Known, ...]


def read_settings(path: Path) -> Settings:
    """The settings in a pyproject.toml. Raises WrongSettings, in one line."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WrongSettings(
            f"{path} cannot be read ({error.strerror}); run this where your pyproject.toml is, or name it with --config"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrongSettings(f"{path} is no TOML file: {error}") from error
    tool = data.get("tool", {})
    if not isinstance(tool, dict) or "logitproof" not in tool:
        raise WrongSettings(
            f'{path} has no [tool.logitproof]; the least is: [tool.logitproof] targets = ["my.module:MyProcessor"]'
        )
    table = Table(tool["logitproof"], "[tool.logitproof]")
    shared = table.given(SHARED)
    _options(shared, table.where)
    least = Least(table.whole("min_steps", 0), table.share("coverage", 0.0))
    targets = tuple(
        _wanted(entry, shared, least, f"targets[{number}]")
        for number, entry in enumerate(table.items("targets"))
    )
    names = [wanted.target for wanted in targets]
    known = tuple(
        _known(entry, names, f"known[{number}]") for number, entry in enumerate(table.items("known"))
    )
    replays = table.text("replays")
    settings = Settings(
        targets=targets,
        check=table.truth("check", False),
        seed=table.whole("seed", 0),
        replays=None if replays is None else Path(replays),
        report_dir=Path(table.text("report_dir") or ".logitproof"),
        known=known,
    )
    table.refuse_others()
    return settings


def _wanted(entry: Any, shared: dict[str, Any], least: Least, where: str) -> Wanted:
    table = Table({"target": entry} if isinstance(entry, str) else entry, where)
    name = table.needed_text("target")
    own = table.given((*PER_TARGET, *SHARED))
    min_steps, coverage = table.whole("min_steps", least.steps), table.share("coverage", least.coverage)
    table.refuse_others()
    for key in ("params", "reference"):
        if key in own and not isinstance(own[key], str):
            table.refuse(key, own[key], "package.module:Name or path/to/file.py:Name")
    return Wanted(name, _options({**shared, **own}, where), min_steps, coverage)


def _options(values: dict[str, Any], where: str) -> FuzzOptions:
    try:
        return FuzzOptions(**values)
    except (TypeError, ValueError) as error:
        raise WrongSettings(f"{where}: {error}") from error


def _known(entry: Any, targets: list[str], where: str) -> Known:
    from logitproof.lockstep import ORACLES
    from logitproof.spec import LAW_BY_ID

    table = Table(entry, where)
    known = Known(
        target=table.needed_text("target"),
        oracle=table.needed_text("oracle"),
        law=table.text("law"),
        reason=table.needed_text("reason"),
        expires=table.day("expires"),
    )
    table.refuse_others()
    codes = [oracle.code for oracle in ORACLES]
    if known.target not in targets:
        raise WrongSettings(
            f"{where}: {known.target!r} is none of the targets{did_you_mean(known.target, targets)}"
        )
    if known.oracle not in codes:
        raise WrongSettings(
            f"{where}: there is no oracle {known.oracle!r}{did_you_mean(known.oracle, codes)}"
        )
    if known.law is not None and known.law not in LAW_BY_ID:
        raise WrongSettings(f"{where}: there is no law {known.law!r}{did_you_mean(known.law, LAW_BY_ID)}")
    return known
