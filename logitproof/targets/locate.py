"""From `package.module:Name` or `path/to/file.py:Name` to the Python object."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from functools import partial
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any

from logitproof.standin import offer

from .as_package import as_package, relative_levels
from .errors import TargetError, one_line
from .missing import with_what_is_missing


def locate(spec: str, what: str = "target") -> Any:
    """The object that `spec` names. Raises TargetError in one line for anything that goes wrong on the way."""
    place, name = _place_and_name(spec, what)
    module = _from_file(place, what) if place.endswith(".py") else _from_name(place, what)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise _lacks(spec, what, part, dir(found))
        found = getattr(found, part)
    return found


def glance(spec: str, what: str = "target") -> None:
    """Look for what `spec` names without running it. Raises TargetError only for what is certainly missing."""
    place, name = _place_and_name(spec, what)
    if place.endswith(".py"):
        names = _names_in(_existing(place, what))
        first = name.partition(".")[0]
        if names is not None and first not in names:
            raise _lacks(spec, what, first, names)
        return
    package = place.partition(".")[0]
    if package not in sys.modules and importlib.util.find_spec(package) is None:
        raise _not_found(place, package, what)


def _place_and_name(spec: str, what: str) -> tuple[str, str]:
    """Both halves of a spec; what it names can be imported from the folder we stand in after this."""
    place, colon, name = spec.rpartition(":")
    if spec.endswith(".py") and (candidates := _targets_in(Path(spec))):
        raise TargetError(f"{what} {spec!r} names a file; did you mean {' or '.join(candidates)}?")
    if not colon or not place or not name:
        raise TargetError(
            f"Expected {what} as package.module:Name or path/to/file.py:Name but got {spec!r}; the part after the "
            f"colon is the class or function"
        )
    here = str(Path.cwd())
    if here not in sys.path:  # as `python -m` does: users name modules of the project they stand in
        sys.path.insert(0, here)
    offer()
    return place, name


def _existing(place: str, what: str) -> Path:
    path = Path(place)
    if not path.is_file():
        raise TargetError(f"{what} file {place!r} does not exist (looked in {Path.cwd()})")
    return path


def _names_in(path: Path) -> set[str] | None:
    """Every name that a file binds anywhere; None where others may come to it that cannot be read off it."""
    try:
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    except (OSError, SyntaxError, ValueError):
        return None  # importing it says what is wrong
    names: set[str] = set()
    for node in nodes:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=asname):
                names.add(asname or name.partition(".")[0])
            case ast.Name(id=name):
                names.add(name)
    return None if names & ANYTHING else names


ANYTHING = {"*", "__getattr__", "globals", "vars", "locals", "exec", "setattr", "__dict__"}
"""Ways to bind names that only show when a file runs."""


def _lacks(spec: str, what: str, part: str, known: Iterable[str]) -> TargetError:
    place = spec.rpartition(":")[0]
    return TargetError(f"{what} {spec!r}: {place} has no {part!r}{_nearest(part, known)}")


def _not_found(name: str, missing: str, what: str) -> TargetError:
    return TargetError(
        f"{what} module {name!r} was not found (no {missing!r} on the import path); for a file write "
        f"path/to/file.py:Name"
    )


def spec_of(found: Any) -> str:
    """The spec under which `locate` finds a class or function from the folder we stand in.

    A test module has a name that no other process can import, so a file is named by its path unless it was installed.
    What was defined inside a function has no spec; the answer then only says which one it is.
    """
    name = getattr(found, "__qualname__", type(found).__qualname__)
    module = sys.modules.get(getattr(found, "__module__", ""))
    file = getattr(module, "__file__", None)
    if module is None or file is None:
        return f"{getattr(found, '__module__', '?')}:{name}"
    path = Path(file).resolve()
    if not path.is_relative_to(Path.cwd()) or _is_importable(module.__name__, path):
        return f"{module.__name__}:{name}"
    return f"{path.relative_to(Path.cwd())}:{name}"


def _is_importable(name: str, path: Path) -> bool:
    """Whether `name` is found by name from the folder we stand in, at that path, without pytest's help."""
    if name == "__main__":
        return False
    parts = name.split(".")
    bases = (Path.cwd() / Path(*parts), Path.cwd().joinpath(*parts[:-1], f"{parts[-1]}.py"))
    return path in (bases[0] / "__init__.py", bases[1])


def _targets_in(path: Path) -> list[str]:
    """Classes in a file that look like processors, as they would be named."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return []  # the usual message says what to write
    methods = {"apply", "update_state", "new_req_logits_processor"}
    return [
        f"{path}:{node.name}"
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and any(isinstance(line, ast.FunctionDef) and line.name in methods for line in node.body)
    ]


def _from_name(name: str, what: str) -> ModuleType:
    try:
        return with_what_is_missing(partial(importlib.import_module, name), of=name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise _not_found(name, error.name, what) from error
        raise _failed(name, what, error) from error
    except Exception as error:
        raise _failed(name, what, error) from error


def _from_file(place: str, what: str) -> ModuleType:
    path = _existing(place, what)
    # The file's folder comes first, as for `python file.py`, so that it may import its neighbours.
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    name = f"logitproof_target_{path.stem}_{blake2b(str(path.resolve()).encode(), digest_size=4).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    if levels := relative_levels(path):
        name = f"{as_package(path.resolve().parent, levels)}.{path.stem}"
        if name in sys.modules:
            return sys.modules[name]
    try:
        return with_what_is_missing(partial(_executed, name, path), path)
    except Exception as error:
        raise _failed(place, what, error) from error
    except SystemExit as error:
        raise _failed(place, what, error) from error


def _executed(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file that can be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickling look a module up by its name
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _failed(place: str, what: str, error: BaseException) -> TargetError:
    remedy = ""
    if isinstance(error, ModuleNotFoundError) and error.name:
        package = error.name.partition(".")[0]
        remedy = f"; install {package} next to logitproof, or stand in the folder that holds it"
    return TargetError(f"{what} {place!r} fails to import: {one_line(error)}{remedy}")


def _nearest(name: str, found: Iterable[str]) -> str:
    near = get_close_matches(name, [known for known in found if not known.startswith("_")], n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
