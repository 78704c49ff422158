"""What a target reads from the `extra_args` of its requests, with the evidence for what it may be."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from .aliases import READS, ROOTS, Aliases, Scope, called
from .assembled import in_extra_args
from .bounds import OF_FIELD, bounds, ends
from .evidence import ELEMENT, Evidence, Path
from .source import Source

CASTS = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "len": "list",
    "set": "list",
    "list": "list",
}
CASTS |= {"tuple": "list", "sorted": "list", "frozenset": "list", "enumerate": "list", "range": "int"}
CASTS |= {
    "tensor": "list",
    "as_tensor": "list",
    "sum": "list",
    "any": "list",
    "all": "list",
    "compile": "str",
    "open": "file",
    "Path": "file",
}
CASTS |= {
    "encode": "str",
    "convert_tokens_to_ids": "str",
    "loads": "str",
    "log": "float",
    "exp": "float",
    "round": "float",
}
TYPES = {"int": "int", "float": "float", "bool": "bool", "str": "str", "dict": "dict", "Mapping": "dict"}
TYPES |= {
    "list": "list",
    "tuple": "list",
    "set": "list",
    "Sequence": "list",
    "Iterable": "list",
    "List": "list",
}
TYPES |= {
    "Number": "float",
    "Real": "float",
    "Integral": "int",
    "Dict": "dict",
    "Set": "list",
    "Tuple": "list",
}
TEXT_METHODS = {
    "split",
    "lower",
    "upper",
    "strip",
    "startswith",
    "endswith",
    "encode",
    "format",
    "replace",
    "casefold",
}
MAPPING_METHODS = {"items", "keys", "values"}
BUILDERS = {"model_validate", "parse_obj", "from_dict", "from_args", "from_extra_args"}
"""Class methods that make an object of a dictionary whose keys are the fields of the class."""


def reading(source: Source, roots: tuple[str, ...] = ROOTS) -> dict[Path, Evidence]:
    """Evidence about every path that is read, in the order in which the paths are met.

    roots: names of attributes that hold what is read.
    """
    found = _Reader(source, roots).found.values()
    if roots != ROOTS:
        return {each.path: each for each in found}
    return {path: replace(each, path=path) for each in found for path in [in_extra_args(each.path)]}


class _Reader:
    def __init__(self, source: Source, roots: tuple[str, ...]) -> None:
        self._aliases = Aliases(source, roots)
        self._source = source
        self.found: dict[Path, Evidence] = {}
        for scope, node in self._aliases.nodes:
            self._visit(scope, node)
        self.found.pop((), None)

    def _of(self, node: ast.AST | None, scope: Scope) -> list[Evidence]:
        return [
            self.found.setdefault(path, Evidence(path))
            for path in sorted(self._aliases.paths(node, scope))
            if path
        ]

    def _visit(self, scope: Scope, node: ast.AST) -> None:
        for one, operator, other in bounds(node):
            self._bound(self._of(one, scope), operator, self._value(other, scope))
        match node:
            case ast.Call():
                self._visit_call(node, scope)
            case ast.Subscript(value=value, slice=key):
                for each in self._of(node, scope):
                    each.is_required = each.is_required or isinstance(node.ctx, ast.Load)
                self._visit_index(value, key, scope)
            case ast.Compare(left=left, comparators=others):
                self._visit_comparison(node, left, others, scope)
            case ast.For(iter=each) | ast.comprehension(iter=each):
                self._say(each, scope, "list")
            case ast.BinOp(left=left, right=right, op=op):
                self._visit_arithmetic(left, right, op, scope)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                for fact in _facts_of(annotation):
                    self._say(value or target, scope, fact)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                inner = (*scope, node.name)
                for parameter in (*node.args.posonlyargs, *node.args.args):
                    for fact in _facts_of(parameter.annotation):
                        self._say(ast.Name(parameter.arg), inner, fact)
            case ast.If(test=test) | ast.UnaryOp(op=ast.Not(), operand=test):
                self._say(test, scope, "tested")

    def _bound(self, found: list[Evidence], operator: str, number: Any) -> None:
        if isinstance(number, int | float) and not isinstance(number, bool):
            low, high = ends(operator, number)
            for each in found:
                each.low = each.low if low is None else low
                each.high = each.high if high is None else high

    def _say(self, node: ast.AST | None, scope: Scope, fact: str) -> None:
        for each in self._of(node, scope):
            each.facts.add(fact)

    def _visit_call(self, node: ast.Call, scope: Scope) -> None:
        for each in self._of(node, scope):
            if isinstance(node.func, ast.Attribute) and node.func.attr in READS and len(node.args) > 1:
                default = self._value(node.args[1], scope)
                if default is not None and default not in each.defaults:
                    each.defaults.append(default)
        name = called(node)
        if name in self._aliases.functions and self._aliases.keys_told(node, scope):
            self._default_told(node, scope)
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[value, types]):
                for fact in _facts_of(types):
                    self._say(value, scope, fact)
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in TEXT_METHODS:
                self._say(value, scope, "str")
                if method == "split" and node.args:
                    self._say(value, scope, "csv")
            case ast.Call(func=ast.Attribute(attr="loads"), args=[value, *_]):
                self._say(value, scope, "json")
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in MAPPING_METHODS or (
                method in READS and any(path[-1:] == (ELEMENT,) for path in self._aliases.paths(node, scope))
            ):
                self._say(value, scope, "dict")
        if name in CASTS and node.args:
            self._say(node.args[0], scope, CASTS[name])
        self._visit_construction(node, name, scope)

    def _default_told(self, node: ast.Call, scope: Scope) -> None:
        """`read(params, "key", 3)`: the value after the key is what it is without an argument."""
        last = node.args[-1]
        default = self._value(last, scope)
        if default is None or self._aliases.texts(last, scope):
            return
        for each in self._of(node, scope):
            if default not in each.defaults:
                each.defaults.append(default)

    def _visit_construction(self, node: ast.Call, name: str, scope: Scope) -> None:
        """`Config(**args)` and `Config.from_dict(args)` read the fields of the class, `f(**args)` its parameters."""
        spread = [word.value for word in node.keywords if word.arg is None]
        owner = name
        if (
            name in BUILDERS
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            owner, spread = node.func.value.id, node.args[:1]
        if owner == "cls":
            owner = next((part for part in reversed(scope) if part in self._aliases.classes), owner)
        for base in sorted({path for value in spread for path in self._aliases.paths(value, scope)}):
            self._read_fields(base, owner, scope)
            self._read_parameters(base, owner, {word.arg for word in node.keywords}, len(node.args), scope)

    def _read_fields(self, base: Path, owner: str, scope: Scope) -> None:
        definition = self._aliases.classes.get(owner)
        for line in definition.body if definition is not None else ():
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                self._read(base, line.target.id, line.annotation, line.value, scope)

    def _read_parameters(
        self, base: Path, owner: str, given: set[str | None], positional: int, scope: Scope
    ) -> None:
        for _, function in self._aliases.functions.get(owner, ()):
            names = [each for each in (*function.args.posonlyargs, *function.args.args) if each.arg != "self"]
            defaults = [None] * (len(names) - len(function.args.defaults)) + [*function.args.defaults]
            named = [*zip(names, defaults, strict=False)][positional:]
            named += [*zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)]
            for parameter, default in named:
                if parameter.arg not in given:
                    self._read(base, parameter.arg, parameter.annotation, default, scope)

    def _read(
        self, base: Path, name: str, annotation: ast.AST | None, default: ast.AST | None, scope: Scope
    ) -> None:
        path = (*base, name)
        each = self.found.setdefault(path, Evidence(path))
        each.facts.update(_facts_of(annotation))
        each.literals += _literals_of(annotation)
        if inner := _facts_inside(annotation):
            self.found.setdefault((*path, ELEMENT), Evidence((*path, ELEMENT))).facts.update(inner)
        if isinstance(default, ast.Call) and called(default) == "Field":
            for word in default.keywords:
                if word.arg in OF_FIELD:
                    self._bound([each], OF_FIELD[word.arg], self._value(word.value, scope))
            given = [*default.args, *(word.value for word in default.keywords if word.arg == "default")]
            default = given[0] if given else None
        each.is_required = each.is_required or default is None
        value = self._value(default, scope)
        if value is not None and value not in each.defaults:
            each.defaults.append(value)

    def _visit_index(self, value: ast.AST, key: ast.AST, scope: Scope) -> None:
        parts = key.elts if isinstance(key, ast.Tuple) else [key]
        if self._aliases.paths(value, scope):
            if isinstance(key, ast.Slice) or (isinstance(key, ast.Constant) and isinstance(key.value, int)):
                self._say(value, scope, "list")
            return
        table = self._value(value, scope)
        for part in parts:
            if isinstance(table, dict):
                for each in self._of(part, scope):
                    each.literals += [key for key in table if isinstance(key, str)]
            elif isinstance(part, ast.Slice):
                for bound in (part.lower, part.upper):
                    self._say(_without_sign(bound), scope, "int")
            else:
                self._say(part, scope, "index")

    def _visit_comparison(
        self, node: ast.Compare, left: ast.AST, others: list[ast.expr], scope: Scope
    ) -> None:
        for one, other in ((left, others[0]), (others[0], left)):
            for each in self._of(one, scope):
                for constant in _listed(self._value(other, scope)):
                    if isinstance(constant, str):
                        each.literals.append(constant)
                    elif isinstance(constant, int | float) and not isinstance(constant, bool):
                        each.numbers.append(constant)
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            for path in self._aliases.paths(others[0], scope):
                for text in sorted(self._aliases.texts(left, scope)):
                    self.found.setdefault((*path, text), Evidence((*path, text)))
                if path and not self._aliases.texts(left, scope):
                    self._say(others[0], scope, "list")

    def _visit_arithmetic(self, left: ast.AST, right: ast.AST, op: ast.operator, scope: Scope) -> None:
        for one in (left, right):
            if isinstance(op, ast.Mod | ast.FloorDiv):
                self._say(one, scope, "int")
            elif isinstance(op, ast.Sub | ast.Mult | ast.Div | ast.Pow):
                self._say(one, scope, "number")

    def _value(self, node: ast.AST | None, scope: Scope) -> Any:
        """A literal, or a constant of the module or of a class in it; None for anything else."""
        if node is None:
            return None
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError):
            pass  # no literal: perhaps the name of one
        wanted = getattr(node, "id", None) or getattr(node, "attr", None)
        for module, _ in self._source.modules:
            holders = [module, *(value for value in vars(module).values() if isinstance(value, type))]
            for holder in holders if isinstance(wanted, str) else ():
                value = vars(holder).get(str(wanted))
                if isinstance(value, int | float | str | list | tuple | set | frozenset | dict):
                    return value
        return None


def _listed(value: Any) -> list[Any]:
    """What a value is, or holds, or its keys; in the same order in every process, which a set of texts is not."""
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    return list(value) if isinstance(value, list | tuple | dict) else [value]


def _without_sign(node: ast.AST | None) -> ast.AST | None:
    return node.operand if isinstance(node, ast.UnaryOp) else node


def _facts_inside(annotation: ast.AST | None) -> set[str]:
    """What stands in the brackets of a list or a dictionary: of `dict[str, list[int]] | None` a list."""
    match annotation:
        case ast.BinOp(left=left, right=right):
            return _facts_inside(left) | _facts_inside(right)
        case ast.Subscript(value=ast.Name(id="Optional" | "Union" | "Annotated"), slice=inner):
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return set().union(*(_facts_inside(part) for part in parts))
        case ast.Subscript(value=outer, slice=inner) if _facts_of(outer) & {"list", "dict"}:
            return _facts_of(inner.elts[-1] if isinstance(inner, ast.Tuple) else inner)
    return set()


def _literals_of(annotation: ast.AST | None) -> list[str]:
    """The texts of `Literal["a", "b"]`, wherever it stands in an annotation."""
    found = [] if annotation is None else [*ast.walk(annotation)]
    return [
        text
        for node in found
        if isinstance(node, ast.Subscript)
        and getattr(node.value, "id", getattr(node.value, "attr", "")) == "Literal"
        for text in (getattr(part, "value", None) for part in ast.walk(node.slice))
        if isinstance(text, str)
    ]


def _facts_of(annotation: ast.AST | None) -> set[str]:
    """Types that are named: `list[int] | None` names a list; what stands in the brackets is not the type."""
    match annotation:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return {TYPES[name]} if name in TYPES else set()
        case ast.Constant(value=str() as text):
            try:
                return _facts_of(ast.parse(text, mode="eval").body)
            except SyntaxError:
                return set()
        case ast.BinOp(left=left, right=right):
            return _facts_of(left) | _facts_of(right)
        case ast.Subscript(value=ast.Name(id="Optional" | "Union" | "Annotated"), slice=inner):
            return _facts_of(inner)
        case ast.Subscript(value=value):
            return _facts_of(value)
        case ast.Tuple(elts=elements):
            return set().union(*(_facts_of(each) for each in elements))
    return set()
