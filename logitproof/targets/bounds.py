"""Ranges that a target's source refuses to leave: `if k < 1: raise`, `assert 0 < p <= 1`, `Field(ge=0)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

LEAST = 1 / 16
"""How far from an end that is itself refused: floats are drawn in such steps."""
Bound: TypeAlias = tuple[ast.expr, str, ast.expr]
"""An expression, the operator that must hold, and what it is compared with."""
NEGATED = {ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<"}
AFFIRMED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
OF_FIELD = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}


def bounds(node: ast.AST) -> Iterator[Bound]:
    """What must hold for the statement not to raise, both ways round."""
    match node:
        case ast.If(test=test, body=[*_, ast.Raise()]):
            found = _refused(test)
        case ast.Assert(test=test):
            found = _demanded(test)
        case _:
            return
    for left, operator, right in found:
        yield left, operator, right
        yield right, MIRRORED[operator], left


def _refused(test: ast.expr) -> Iterator[Bound]:
    match test:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _refused(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _demanded(operand)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in NEGATED:
            yield left, NEGATED[type(op)], right


def _demanded(test: ast.expr) -> Iterator[Bound]:
    match test:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _demanded(value)
        case ast.Compare(left=left, ops=ops, comparators=others):
            for one, op, other in zip([left, *others], ops, others, strict=False):
                if type(op) in AFFIRMED:
                    yield one, AFFIRMED[type(op)], other


def ends(operator: str, number: float) -> tuple[float | None, float | None]:
    """Lowest and highest value that the operator allows."""
    if operator in (">", ">="):
        return number + LEAST * (operator == ">"), None
    return None, number - LEAST * (operator == "<")
