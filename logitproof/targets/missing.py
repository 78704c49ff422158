"""Imports of a target's file that cannot be met: packages that lie above it, and what is not there at all.

A processor often stands in a file that does more: a server, a benchmark. What the rest imports need not be installed.
Only what an import fails for is pretended, so that `try: import x` with a way out takes the way out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from logitproof.standin import Missing, is_installed, lenient, pretend, pretended

from .source import Source, imports

MOST_MISSING = 40
HIGHEST = 6
"""Folders above a file in which a package of its own project may lie."""


def with_what_is_missing(load: Callable[[], ModuleType], path: Path | None = None, of: str = "") -> ModuleType:
    """What `load` gives, tried again for every package that it lacks. Raises what `load` raises.

    path: of the file that is loaded. of: the name of the module that is loaded, which must be there itself.
    """
    for _ in range(MOST_MISSING):
        try:
            with lenient():
                return load()
        except Missing as error:
            if error.is_a_slip or str(error.name) in pretended():
                raise
            pretend(str(error.name))
        except ModuleNotFoundError as error:
            name = error.name or ""
            package = name.partition(".")[0]
            if not package or package == of.partition(".")[0] or package in sys.stdlib_module_names:
                raise
            if path is not None and _add_folder_of(package, path):
                continue
            if package in pretended() or is_installed(package):
                raise
            pretend(package)
    return load()


def _add_folder_of(package: str, path: Path) -> bool:
    """Puts the folder above the file that holds the package on the path, as installing the project would."""
    for folder in [*path.resolve().parents][:HIGHEST]:
        for place in (folder, folder / "src"):
            found = (place / package).is_dir() or (place / f"{package}.py").is_file()
            if found and str(place) not in sys.path:
                sys.path.append(str(place))
                return True
    return False


def pretended_by(source: Source) -> list[str]:
    """Packages that the files of a target import, and that are missing; and names that a stand-in lacks."""
    return [name for name in pretended() if imports(source, name.partition(".")[0])]
