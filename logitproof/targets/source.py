"""The source that belongs to a target: the file it is written in, and the files next to it which that one imports."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

FOREIGN = ("builtins", "abc", "functools", "torch", "logitproof", "vllm", "transformers")
"""Packages that say nothing about a particular target."""
MOST_FILES = 20


@dataclass(frozen=True, slots=True)
class Source:
    """Modules with their syntax trees; the target's own comes first."""

    modules: tuple[tuple[ModuleType, ast.Module], ...]

    def walk(self) -> Iterator[ast.AST]:
        """Every node of every tree."""
        for _, tree in self.modules:
            yield from ast.walk(tree)


def source_of(target: object, with_neighbours: bool = True) -> Source:
    """What can be read of a class or function; nothing for what was not written in a file."""
    waiting = [module for module in map(sys.modules.get, _homes(target)) if module is not None]
    found: dict[str, tuple[ModuleType, ast.Module]] = {}
    while waiting and len(found) < MOST_FILES:
        module = waiting.pop(0)
        if module.__name__ in found:
            continue
        try:
            tree = ast.parse(inspect.getsource(module))
        except (OSError, TypeError, SyntaxError):
            continue  # built in, or typed into a prompt: there is no source to learn from
        found[module.__name__] = module, tree
        waiting += _neighbours(module) if with_neighbours else []
    return Source(tuple(_reached(target, list(found.values()))))


def _reached(
    target: object, modules: list[tuple[ModuleType, ast.Module]]
) -> Iterator[tuple[ModuleType, ast.Module]]:
    """The modules without what the target does not lead to by name: a file may hold several processors."""
    classes = target.__mro__ if isinstance(target, type) else (target,)
    waiting = {str(getattr(each, "__qualname__", "")).partition(".")[0] for each in classes}
    by_name: dict[str, list[ast.stmt]] = {}
    for _, tree in modules:
        for statement in tree.body:
            for name in _defined(statement):
                by_name.setdefault(name, []).append(statement)
    if not waiting & by_name.keys():
        yield from modules
        return
    reached: set[str] = set()
    kept: set[int] = set()
    while waiting:
        name = waiting.pop()
        reached.add(name)
        for statement in by_name.get(name, ()):
            kept.add(id(statement))
            waiting |= _mentioned(statement) - reached
    for module, tree in modules:
        body = [
            line for line in tree.body if id(line) in kept or isinstance(line, ast.Import | ast.ImportFrom)
        ]
        yield module, ast.Module(body, [])


def _defined(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.If() | ast.Try() | ast.With():
            inner = [
                line for line in ast.walk(statement) if isinstance(line, ast.stmt) and line is not statement
            ]
            return [name for line in inner for name in _defined(line)]
    return []


def _mentioned(statement: ast.stmt) -> set[str]:
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(statement) if isinstance(node, ast.Attribute)}


def imports(source: Source, package: str) -> bool:
    """Whether one of the files imports the package, or a module of it."""
    for node in source.walk():
        match node:
            case ast.Import(names=names):
                if any(alias.name.partition(".")[0] == package for alias in names):
                    return True
            case ast.ImportFrom(module=str() as module, level=0) if module.partition(".")[0] == package:
                return True
    return False


def _homes(target: object) -> list[str]:
    classes = target.__mro__ if isinstance(target, type) else (target,)
    homes = [str(getattr(each, "__module__", None) or type(each).__module__) for each in classes]
    first = homes[:1] if homes and _is_foreign(homes[0]) and homes[0] != "builtins" else []
    return list(dict.fromkeys([*first, *(home for home in homes if not _is_foreign(home))]))


def _is_foreign(module: str) -> bool:
    return module.partition(".")[0] in FOREIGN


def _neighbours(module: ModuleType) -> list[ModuleType]:
    """Modules whose names `module` uses and that lie in the same folder, or in the same package."""
    if _is_foreign(module.__name__):
        return []
    folder = Path(str(module.__file__)).parent
    package = module.__name__.partition(".")[0]
    near: dict[str, ModuleType] = {}
    for value in list(vars(module).values()):
        name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        other = sys.modules.get(name) if isinstance(name, str) else None
        if other is None or other is module or _is_foreign(other.__name__):
            continue
        path = getattr(other, "__file__", None)
        if path and (Path(path).parent == folder or other.__name__.partition(".")[0] == package):
            near[other.__name__] = other
    return list(near.values())
