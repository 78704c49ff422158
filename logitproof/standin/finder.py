"""Makes `import vllm...` find the stand-in, for as long as the process runs, where the real package is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from .names import MODULES, UNPLAYED
from .placeholder import placeholder
from .platform import vllm_logger

PLAYED = ("vllm", "transformers", "pydantic", "regex")
"""Packages that have a stand-in."""
SLIP = 0.9
"""How like another name one is that was meant to be it."""
LOGGERS = ("logger", "logging", "log")
"""Names that packages give to what one logs with: those work, whoever the package is."""


class Missing(ImportError):
    """A name that the stand-in does not have. Its text is one line."""

    @property
    def is_a_slip(self) -> bool:
        """Whether it looks like a name that there is, spelt wrong."""
        own, _, last = str(self.name).rpartition(".")
        return bool(get_close_matches(last, MODULES.get(own, ()), n=1, cutoff=SLIP))


def offer() -> None:
    """From now on the stand-in is found where a package of `PLAYED` is not installed. Safe to call again."""
    if not any(isinstance(finder, StandInFinder) for finder in sys.meta_path):
        sys.meta_path.append(StandInFinder())  # last: a real package is found first


def pretend(name: str) -> None:
    """From now on that package, module or name can be imported, although it is missing; it cannot be used."""
    offer()
    next(finder for finder in sys.meta_path if isinstance(finder, StandInFinder)).pretended.add(name)


def pretended() -> tuple[str, ...]:
    """Everything for which `pretend` was called."""
    finders = [finder for finder in sys.meta_path if isinstance(finder, StandInFinder)]
    return tuple(sorted(set().union(*(finder.pretended for finder in finders))))


def is_offered(package: str) -> bool:
    """Whether this process has imported the stand-in of that package."""
    return isinstance(sys.modules.get(package), StandInModule)


class StandInFinder(MetaPathFinder):
    """Finds modules of the stand-in. Raises Missing for a module of the package that has none."""

    def __init__(self) -> None:
        self.pretended: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package = fullname.partition(".")[0]
        if _is_part_of(fullname, self.pretended):
            return ModuleSpec(fullname, StandInLoader(), is_package=True)
        if package not in PLAYED or (package != fullname and not is_offered(package)):
            return None
        if fullname in MODULES or _is_unplayed(fullname):
            return ModuleSpec(fullname, StandInLoader(), is_package=True)
        raise Missing(_missing(fullname), name=fullname)


def _missing(name: str) -> str:
    """`from a.b import c` asks for the name c, then for the module a.b.c: so either may be what was meant."""
    package = name.partition(".")[0]
    own = name.rpartition(".")[0]
    known = [*MODULES, *(f"{own}.{each}" for each in MODULES.get(own, ()))]
    near = get_close_matches(name, known, n=1, cutoff=0.8)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"logitproof's stand-in for {package} has no {name}{hint} ({_remedy(package)})"


def _is_unplayed(name: str) -> bool:
    return _is_part_of(name, UNPLAYED)


def _is_part_of(name: str, parts: Iterable[str]) -> bool:
    return any(name == part or name.startswith(f"{part}.") for part in parts)


def _remedy(package: str) -> str:
    extra = "'logitproof[vllm]'" if package == "vllm" else package
    return (
        f"{package} is not installed here; import it under TYPE_CHECKING, or install it: pip install {extra}"
    )


class StandInModule(ModuleType):
    """A module whose names come from the table, each when it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        found = self._found(name)
        if isinstance(found, type) and found.__module__.startswith("logitproof.standin"):
            found.__module__ = (
                self.__name__
            )  # the first module that shows a class is the one it says it is from
        setattr(self, name, found)
        return found

    def _found(self, name: str) -> Any:
        own = self.__name__
        names = MODULES.get(own, {})
        if name in names:
            return stand_in_for(own, name)
        if name == "__all__":
            return sorted(names)
        if name.startswith("__"):
            raise AttributeError(name)
        if own == "vllm.envs":
            from .platform import environment_variable

            return environment_variable(name)
        if _is_part_of(f"{own}.{name}", pretended()):
            return vllm_logger if name in LOGGERS else placeholder(own, name)
        if _is_unplayed(own):
            return placeholder(own, name)
        if f"{own}.{name}" in MODULES or _is_unplayed(f"{own}.{name}"):
            return import_module(f"{own}.{name}")
        raise AttributeError(_missing(f"{own}.{name}"))


def stand_in_for(module: str, name: str) -> Any:
    """What plays a name of a module, or a placeholder if nothing does."""
    played = MODULES.get(module, {}).get(name)
    if played is None:
        return placeholder(module, name)
    home, _, attribute = played.partition(":")
    return getattr(import_module(home), attribute)


class StandInLoader(Loader):
    """Makes the modules."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return StandInModule(spec.name, "A stand-in by logitproof: the real package is not installed.")

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: names come when they are asked for."""


def is_installed(package: str) -> bool:
    """Whether the real package can be found, by its path or by an editable install."""
    finders = [finder for finder in sys.meta_path if not isinstance(finder, StandInFinder)]
    return any(finder.find_spec(package, None) is not None for finder in finders)
