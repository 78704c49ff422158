"""Which expressions in a target's source stand for `extra_args`, or for something inside of it.

A flow-insensitive analysis: a name that is assigned something from `extra_args` anywhere in a function stands for it
everywhere in that function. That errs on the side of finding too much, which the probe puts right.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import Any, TypeAlias

from .evidence import ELEMENT, Path
from .source import Source

ROOTS = ("extra_args", "vllm_xargs")
KEEPS = {
    "loads",
    "dict",
    "copy",
    "deepcopy",
    "int",
    "float",
    "bool",
    "str",
    "list",
    "tuple",
    "set",
    "frozenset",
    "sorted",
    "cast",
}
"""Functions of one value that give the same value, in another form."""
READS = ("get", "pop", "setdefault")
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Scope: TypeAlias = tuple[str, ...]
"""Names of the modules, classes and functions around a node, from the outside in."""
DEEPEST = 4
"""Keys of a path at most: a loop that walks down a dictionary would make longer ones without end."""
PASSES = 5
"""A value goes through few names from where it is read to where it is used."""


class Aliases:
    """Paths of expressions; `paths` is right once `solve` has run."""

    def __init__(self, source: Source, roots: tuple[str, ...] = ROOTS) -> None:
        self._source, self._roots = source, roots
        self._names: defaultdict[tuple[Scope, str], set[Path]] = defaultdict(set)
        self._members: defaultdict[str, set[Path]] = defaultdict(set)
        self._texts: defaultdict[tuple[Scope, str], set[str]] = defaultdict(set)
        self._returns: defaultdict[str, set[Path]] = defaultdict(set)
        self.functions: dict[str, list[tuple[Scope, Function]]] = defaultdict(list)
        self.classes: dict[str, ast.ClassDef] = {}
        self.nodes: list[tuple[Scope, ast.AST]] = []
        for module, tree in source.modules:
            self._collect(tree, (module.__name__,))
        for _ in range(PASSES):
            for scope, node in self.nodes:
                self._follow(scope, node)

    def _collect(self, node: ast.AST, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            self.nodes.append((scope, child))
            inner = scope
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = (*scope, child.name)
                name = scope[-1] if child.name == "__init__" else child.name
                self.functions[name].append((inner, child))
            elif isinstance(child, ast.ClassDef):
                inner = (*scope, child.name)
                self.classes[child.name] = child
            self._collect(child, inner)

    def paths(self, node: ast.AST | None, scope: Scope) -> set[Path]:
        """What the expression may stand for; empty if it has nothing to do with `extra_args`."""
        match node:
            case ast.Attribute(attr=name) if name in self._roots:
                return {()}
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                return self._members[name]
            case ast.Attribute(value=value, attr=name) if name in self._members and isinstance(
                value, ast.Name
            ):
                return self._members[name]
            case ast.Name(id=name):
                return self._lookup(self._names, name, scope) or ({()} if name in self._roots else set())
            case ast.BoolOp(values=values):
                return set().union(*(self.paths(value, scope) for value in values))
            case ast.IfExp(body=body, orelse=other):
                return self.paths(body, scope) | self.paths(other, scope)
            case ast.NamedExpr(value=value) | ast.Starred(value=value):
                return self.paths(value, scope)
            case ast.Subscript(value=value, slice=key):
                return self._entries(value, key, scope)
            case ast.Call():
                return self._of_call(node, scope)
        return set()

    def _of_call(self, node: ast.Call, scope: Scope) -> set[Path]:
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=name), *_]):
                return {()} if name in self._roots else set()
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=[key, *_]) if name in READS:
                if found := self._entries(value, key, scope) or self._any_entry(value, key, scope):
                    return found
            case ast.Call(func=ast.Attribute(value=value, attr="copy"), args=[]):
                return self.paths(value, scope)
        name = called(node)
        if name in KEEPS and node.args:
            return self.paths(node.args[-1], scope)
        return self._returned(node, name, scope) if name in self.functions else set()

    def _returned(self, node: ast.Call, name: str, scope: Scope) -> set[Path]:
        """What a function gives; of one that is told a key, the entry with that key."""
        keys = self.keys_told(node, scope)
        told = {path for path in self._returns[name] if path and path[-1] in keys}
        return told or self._returns[name]

    def keys_told(self, node: ast.Call, scope: Scope) -> set[str]:
        """The constant texts among the arguments of a call."""
        return set().union(*(self.texts(each, scope) for each in node.args if _is_constant(each)))

    def _entries(self, value: ast.AST, key: ast.AST, scope: Scope) -> set[Path]:
        base = {path for path in self.paths(value, scope) if len(path) < DEEPEST}
        if not base:
            return set()
        if isinstance(key, ast.Constant) and isinstance(key.value, int):
            return {(*path, ELEMENT) for path in base}
        return {(*path, text) for path in base for text in self.texts(key, scope)}

    def texts(self, node: ast.AST | None, scope: Scope) -> set[str]:
        """The texts that the expression may be, when it is a constant."""
        match node:
            case ast.Constant(value=str() as text):
                return {text}
            case ast.Name(id=name):
                return self._lookup(self._texts, name, scope) or self._live(name, scope)
            case ast.Attribute(attr=name):
                return set().union(*(found for (_, each), found in self._texts.items() if each == name)) or (
                    self._live(name, scope)
                )
            case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
                return set().union(*(self.texts(each, scope) for each in elements))
        return set()

    def _live(self, name: str, scope: Scope) -> set[str]:
        for module, _ in self._source.modules:
            value: Any = vars(module).get(name)
            if isinstance(value, str) and (module.__name__ == scope[0] or name.isupper()):
                return {str(value)}
        return set()

    def _lookup(self, table: Any, name: str, scope: Scope) -> Any:
        for depth in range(len(scope), 0, -1):
            if found := table.get((scope[:depth], name)):
                return found
        return set()

    def _follow(self, scope: Scope, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value, scope)
            case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                self._bind(target, value, scope)
            case ast.For(target=target, iter=each) | ast.comprehension(target=target, iter=each):
                self._iterate(target, each, scope)
            case ast.Return(value=value):
                name = scope[-1]
                self._returns[name] |= self.paths(value, scope)
            case ast.Call():
                self._pass_on(node, scope)

    def _any_entry(self, value: ast.AST, key: ast.AST, scope: Scope) -> set[Path]:
        """What `args["by_token"].get(token)` stands for: any entry, whatever its key."""
        if isinstance(key, ast.Constant) or self.texts(key, scope):
            return set()
        return {(*path, ELEMENT) for path in self.paths(value, scope) if path and path.count(ELEMENT) <= 1}

    def _bind(self, target: ast.AST, value: ast.AST | None, scope: Scope) -> None:
        found, texts = self.paths(value, scope), self.texts(value, scope)
        match target:
            case ast.Name(id=name):
                self._names[scope, name] |= found
                self._texts[scope, name] |= texts if isinstance(value, ast.Constant) else set()
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                self._members[name] |= found
                self._texts[scope, name] |= texts if isinstance(value, ast.Constant) else set()
            case ast.Tuple(elts=names) if isinstance(value, ast.Tuple) and len(value.elts) == len(names):
                for part, each in zip(names, value.elts, strict=True):
                    self._bind(part, each, scope)

    def _iterate(self, target: ast.AST, each: ast.AST, scope: Scope) -> None:
        match target, each:
            case ast.Tuple(elts=[_, value]), ast.Call(func=ast.Attribute(value=mapping, attr="items")):
                self._bind_paths(
                    value, {(*path, ELEMENT) for path in self.paths(mapping, scope) if path}, scope
                )
            case ast.Tuple(elts=[_, value]), ast.Call(func=ast.Name(id="enumerate"), args=[listed, *_]):
                self._bind_paths(value, {(*path, ELEMENT) for path in self.paths(listed, scope)}, scope)
            case ast.Name(id=name), _:
                self._bind_paths(
                    target, {(*path, ELEMENT) for path in self.paths(each, scope) if path}, scope
                )
                if isinstance(each, ast.List | ast.Tuple | ast.Set | ast.Name):
                    self._texts[scope, name] |= self.texts(each, scope)

    def _bind_paths(self, target: ast.AST, found: set[Path], scope: Scope) -> None:
        if isinstance(target, ast.Name):
            self._names[scope, target.id] |= {path for path in found if path.count(ELEMENT) <= 2}

    def _pass_on(self, node: ast.Call, scope: Scope) -> None:
        """Arguments of a call to a function in the source become its parameters."""
        for inner, function in self.functions.get(called(node), ()):
            names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
            if names[:1] in (["self"], ["cls"]):
                names = names[1:]
            pairs = [*zip(names, node.args, strict=False)]
            pairs += [(word.arg, word.value) for word in node.keywords if word.arg]
            for name, value in pairs:
                self._names[inner, name] |= self.paths(value, scope)
                self._texts[inner, name] |= self.texts(value, scope) if _is_constant(value) else set()


def _is_constant(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant | ast.Attribute) or (
        isinstance(node, ast.Name) and node.id.isupper()
    )


def called(node: ast.Call) -> str:
    """The name of what is called: `f` in f(x), self.f(x) and module.f(x)."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
