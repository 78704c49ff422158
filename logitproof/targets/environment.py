"""Environment variables that a target reads, and what each might be set to so that the target does something."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from .source import Source

OPPOSITES = {"0": "1", "false": "true", "off": "on", "no": "yes", "": "1", "none": "1", "disabled": "enabled"}
"""Defaults that switch something off, and what switches it on."""
SWITCHES = ("ENABLE", "ENABLED", "ON", "ACTIVE", "USE")
CASTS = {"int": "2", "float": "0.5", "bool": "1"}


@dataclass(slots=True)
class Variable:
    """One of them. default: the text it is taken for where it is not set. literals: texts it is compared with."""

    name: str
    default: str | None = None
    is_required: bool = False
    literals: list[str] = field(default_factory=list)
    cast: str = ""

    @property
    def is_set(self) -> bool:
        """By the user."""
        return self.name in os.environ

    @property
    def guess(self) -> str:
        """A text to set it to; empty if it is not worth trying."""
        if self.default is not None and self.default.lower() not in OPPOSITES:
            return ""
        if self.literals:
            return next((text for text in self.literals if text.lower() not in OPPOSITES), self.literals[0])
        if self.cast:
            return CASTS[self.cast]
        if self.default is not None:
            return OPPOSITES[self.default.lower()]
        is_switch = any(word in SWITCHES for word in self.name.upper().split("_"))
        return "1" if is_switch or self.is_required else ""


def variables(source: Source) -> list[Variable]:
    """Those that the source reads, in the order in which they are met."""
    found: dict[str, Variable] = {}
    helpers = _helpers(source)
    for node in source.walk():
        for name, default, is_required in _read(node, source, helpers):
            each = found.setdefault(name, Variable(name, default, is_required))
            each.is_required = each.is_required or is_required
    for node in source.walk():
        _look(node, source, helpers, found)
    return list(found.values())


def _helpers(source: Source) -> dict[str, bool]:
    """Functions of the source that read the variable they are told; whether they raise where it is not set."""
    helpers = {}
    for node in source.walk():
        if isinstance(node, ast.FunctionDef) and node.args.args:
            first = node.args.args[0].arg
            if any(_key_of(inner) == first for inner in ast.walk(node)):
                helpers[node.name] = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
    return helpers


def _key_of(node: ast.AST) -> str | None:
    key = _key(node)
    return key.id if isinstance(key, ast.Name) else None


def _key(node: ast.AST) -> ast.AST | None:
    match node:
        case ast.Call(func=ast.Attribute(attr="getenv") | ast.Name(id="getenv"), args=[key, *_]):
            return key
        case ast.Call(
            func=ast.Attribute(
                value=ast.Attribute(attr="environ") | ast.Name(id="environ"), attr="get" | "pop"
            ),
            args=[key, *_],
        ):
            return key
        case ast.Subscript(value=ast.Attribute(attr="environ") | ast.Name(id="environ"), slice=key):
            return key
    return None


def _read(node: ast.AST, source: Source, helpers: dict[str, bool]) -> Iterator[tuple[str, str | None, bool]]:
    key, is_required = _key(node), isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
    match node:
        case ast.Call(func=ast.Name(id=helper), args=[told, *more]) if helper in helpers:
            key, is_required = told, helpers[helper] and not more
    if key is None or (isinstance(node, ast.Subscript) and not is_required):
        return
    default = node.args[1] if isinstance(node, ast.Call) and len(node.args) > 1 else None
    text = str(default.value) if isinstance(default, ast.Constant) and default.value is not None else None
    if default is not None and not isinstance(default, ast.Constant):
        text = "?"  # something, so it need not be set
    for name in text_of(key, source):
        yield name, text, is_required


def _look(node: ast.AST, source: Source, helpers: dict[str, bool], found: dict[str, Variable]) -> None:
    """What the text of a variable is compared with, and what is made of it."""
    match node:
        case ast.Compare(left=left, comparators=[right]):
            names = [name for inner in ast.walk(left) for name, _, _ in _read(inner, source, helpers)]
            texts = [part.value for part in ast.walk(right) if isinstance(part, ast.Constant)]
            for name in names:
                found[name].literals += [text for text in texts if isinstance(text, str)]
        case ast.Call(func=ast.Name(id=cast), args=[inner]) if cast in CASTS:
            for name, _, _ in _read(inner, source, helpers):
                found[name].cast = cast


def text_of(node: ast.AST, source: Source) -> list[str]:
    """The text of a constant, or of a name that a module gives to one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.Name):
        values = (vars(module).get(node.id) for module, _ in source.modules)
        return [value for value in values if isinstance(value, str)][:1]
    return []
