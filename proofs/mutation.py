"""Broken copies of the model's functions, made from their text: what the obligations must refute.

Every mutant differs from the real function in one place. Where a change breaks no law it is listed in `EQUIVALENT`
with the reason, and a listed mutant that an obligation does refute is an error, so the list cannot rot.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeAlias

from .obligation import MODEL_TEXT, Text

Change: TypeAlias = tuple[str, Callable[[Any], None]]
"""What is changed, in words, and the function that changes the node in place."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One broken copy. `name` is `function: what was changed`; `rule` is the function's name."""

    name: str
    rule: str
    function: Callable[..., Any]

    @property
    def text(self) -> Text:
        """The model with this mutant in place of its function."""
        return Text({self.rule: self.function})


EQUIVALENT: dict[str, str] = {
    "begin: low=0 becomes 1": "open_condense sets the low cursor before condense reads it",
    "begin: high=0 becomes 1": "open_condense sets the high cursor before condense reads it",
    "move_down: s.low < s.high becomes s.low <= s.high": "one slot cannot be both the hole and the live one",
    "exchange: swap(L, s.batch, source, destination) with its two indices exchanged": "a swap is symmetric",
}
"""Mutants that break no law, with the reason."""

OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
NEIGHBOUR: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}


@cache
def mutants() -> tuple[Mutant, ...]:
    """Every mutant of every function under proof, in the order of the text."""
    return tuple(
        mutant for name, function in MODEL_TEXT.items() for mutant in mutants_of(name, function, rule_changes)
    )


def mutants_of(
    name: str, function: Callable[..., Any], changes: Callable[[ast.AST], Iterable[Change]]
) -> Iterator[Mutant]:
    """Every mutant of one function: each change of each place in its text, the same text never twice."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    definition.body = [statement for statement in definition.body if not _is_docstring(statement)]
    seen = {ast.unparse(tree)}
    for position, node in enumerate(ast.walk(tree)):
        for change, mutate in changes(node):
            copy = deepcopy(tree)
            mutate(list(ast.walk(copy))[position])
            source = ast.unparse(copy)
            if source not in seen:
                seen.add(source)
                yield Mutant(f"{name}: {change}", name, _compiled(source, function))


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _compiled(source: str, original: Callable[..., Any]) -> Callable[..., Any]:
    namespace = dict(vars(inspect.getmodule(original)))
    exec(compile(source, f"<mutant of {original.__name__}>", "exec"), namespace)
    return namespace[original.__name__]  # type: ignore[no-any-return]


def rule_changes(node: ast.AST) -> Iterator[Change]:
    """The ways to break one place of a rule."""
    if isinstance(node, ast.Call):
        yield from _call_changes(node)
    elif isinstance(node, ast.Compare):
        yield from _comparison_changes(node)
    elif isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
        yield f"{ast.unparse(node)} without the {ast.unparse(node.right)}", becomes_left
    elif isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant):
        value = node.value.value
        assert isinstance(value, int)
        other = not value if isinstance(value, bool) else value + 1
        yield f"{node.arg}={value} becomes {other}", partial(_set_constant, to=other)


def _comparison_changes(node: ast.Compare) -> Iterator[Change]:
    for table in (OPPOSITE, NEIGHBOUR):
        operator = table.get(type(node.ops[0]))
        if operator is not None:
            changed = ast.Compare(node.left, [operator()], node.comparators)
            yield f"{ast.unparse(node)} becomes {ast.unparse(changed)}", partial(_set_operator, to=operator)


def _call_changes(node: ast.Call) -> Iterator[Change]:
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    text = ast.unparse(node)
    match called:
        case "all_of":
            for index, conjunct in enumerate(node.args):
                yield f"{ast.unparse(conjunct)} is not asked", partial(_drop_argument, index=index)
        case "negate":
            yield f"{text} loses its not", partial(_becomes_argument, index=0)
        case "at":
            yield f"{text} reads one slot too far", _read_the_next
        case "put":
            yield f"{text} is not done", partial(_becomes_argument, index=0)
            yield f"{text} goes one slot too far", _read_the_next
        case "choose":
            yield f"{text} always takes the first", partial(_becomes_argument, index=1)
            yield f"{text} always takes the second", partial(_becomes_argument, index=2)
        case "add" | "remove" | "move" | "swap" | "append_move":
            yield f"{text} is not done", partial(_becomes_argument, index=1)
            if len(node.args) > 3:
                yield f"{text} with its two indices exchanged", _exchange_indices
        case "replace":
            updated = [keyword.arg for keyword in node.keywords]
            for index, name in enumerate(updated):
                yield f"{name} is not updated", partial(_drop_keyword, index=index)
            if ast.unparse(node.args[0]) == "s" and "plan" not in updated:
                yield (
                    "the plan is touched too",
                    partial(_update_too, part="plan", field="swap_count", value="0"),
                )
            if ast.unparse(node.args[0]) == "s" and "record" not in updated:
                forgotten = partial(_update_too, part="record", field="added", value="L.everywhere(-1)")
                yield "the record is touched too", forgotten


def _drop_argument(node: ast.Call, index: int) -> None:
    node.args.pop(index)


def _drop_keyword(node: ast.Call, index: int) -> None:
    node.keywords.pop(index)


def _update_too(node: ast.Call, part: str, field: str, value: str) -> None:
    extra = ast.parse(f"f({part}=replace(s.{part}, {field}={value}))", mode="eval").body
    assert isinstance(extra, ast.Call)
    node.keywords += extra.keywords


def _read_the_next(node: ast.Call) -> None:
    node.args[1] = ast.BinOp(node.args[1], ast.Add(), ast.Constant(1))


def _exchange_indices(node: ast.Call) -> None:
    node.args[2], node.args[3] = node.args[3], node.args[2]


def _set_operator(node: ast.Compare, to: type[ast.cmpop]) -> None:
    node.ops = [to()]


def _set_constant(node: ast.keyword, to: int) -> None:
    node.value = ast.Constant(to)


def _becomes_argument(node: ast.Call, index: int) -> None:
    become(node, node.args[index])


def becomes_left(node: ast.BinOp) -> None:
    become(node, node.left)


def become(node: ast.AST, other: ast.AST) -> None:
    """Turn a node into another one in place, whatever holds it."""
    node.__class__ = other.__class__
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)
