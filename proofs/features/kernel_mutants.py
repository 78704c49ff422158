"""Broken copies of the kernels, made from their text, as those of the rules are; arithmetic is broken here as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache, partial

from ..mutation import Change, Mutant, become, becomes_left, mutants_of, rule_changes
from ..obligation import Text
from .theorem import KERNELS

EQUIVALENT_KERNELS: dict[str, str] = {
    "penalise_repetition: logit > 0 becomes logit >= 0": "zero divided or multiplied is zero",
    "penalise_seen_only: logit > 0 becomes logit >= 0": "zero divided or multiplied is zero",
}
"""Mutants that change no logit, with the reason."""

OTHER_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add, ast.Mult),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.Sub),
}
ALMOST_BANNED = -100
"""The usual wrong ban: a large negative number, which arithmetic moves and a bias revives."""


@cache
def kernel_mutants() -> tuple[Mutant, ...]:
    """Every mutant of every kernel, in the order of the text."""
    return tuple(mutant for name, kernel in KERNELS.items() for mutant in mutants_of(name, kernel, _changes))


def text_with(mutant: Mutant) -> Text:
    """The kernels with this mutant in place of its function."""
    return Text({**KERNELS, mutant.rule: mutant.function})


def _changes(node: ast.AST) -> Iterator[Change]:
    yield from rule_changes(node)
    yield from _kernel_changes(node)


def _kernel_changes(node: ast.AST) -> Iterator[Change]:
    """The ways to break one place of a kernel that the rules do not have."""
    text = ast.unparse(node)
    if isinstance(node, ast.BinOp):
        for operator in OTHER_ARITHMETIC[type(node.op)]:
            changed = ast.BinOp(node.left, operator(), node.right)
            yield f"{text} becomes {ast.unparse(changed)}", partial(_set_arithmetic, to=operator)
        yield f"{text} becomes {ast.unparse(node.left)}", becomes_left
        if isinstance(node.op, ast.Sub | ast.Div):
            yield f"{text} with its operands exchanged", _exchange_operands
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "choose":
        yield f"{text} with its branches exchanged", _exchange_branches
    elif isinstance(node, ast.Attribute) and node.attr == "banned":
        yield f"{text} becomes {ALMOST_BANNED}", partial(become, other=ast.Constant(ALMOST_BANNED))


def _set_arithmetic(node: ast.BinOp, to: type[ast.operator]) -> None:
    node.op = to()


def _exchange_operands(node: ast.BinOp) -> None:
    node.left, node.right = node.right, node.left


def _exchange_branches(node: ast.Call) -> None:
    node.args[1], node.args[2] = node.args[2], node.args[1]
