"""Imports of a target's file that cannot be met: packages that lie above it, and what is not there at all.

A processor often stands in a file that does more: a server, a benchmark. What the rest imports need not be installed.
Only what an import fails for is pretended, so that `try: import x` with a way out takes the way out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

from logitproof.standin import SLIP, Missing, is_installed, lenient, pretend, pretended, stand_in_for

from .source import Source, imports

NO_NAME = re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'")
MOST_MISSING = 40
HIGHEST = 6
"""Folders above a file in which a package of its own project may lie."""


def with_what_is_missing(
    load: Callable[[], ModuleType], path: Path | None = None, of: str = ""
) -> ModuleType:
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
            lacking = name if is_installed(package) else package
            if lacking in pretended():
                raise
            pretend(lacking)
        except ImportError as error:
            if not _give_name(error):
                raise
    return load()


def _give_name(error: ImportError) -> bool:
    """Whether a name could be put into a module that is installed, in a version without it."""
    found = NO_NAME.match(str(error))
    module = sys.modules.get(found["module"]) if found is not None else None
    if found is None or module is None or vars(module).get("__spec__") is None:
        return False
    if getattr(module.__spec__, "_initializing", False):
        return False  # a circle of imports: that is not missing, but not there yet
    if get_close_matches(found["name"], dir(module), n=1, cutoff=SLIP):
        return False
    setattr(module, found["name"], stand_in_for(found["module"], found["name"]))
    pretend(f"{found['module']}.{found['name']}")
    return True


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
