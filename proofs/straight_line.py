"""What every proof takes for granted about the text under proof: straight lines, built from functions proved here too.

A branch on a state value would be followed one way only while a formula is built, and a call to anything else would
escape the mutants; so neither may occur.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from .obligation import MODEL_TEXT

BRANCHES = (
    *(ast.If, ast.IfExp, ast.BoolOp, ast.Not, ast.Match, ast.Assert, ast.Try, ast.With, ast.NamedExpr),
    *(ast.For, ast.While, ast.comprehension, ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.Starred),
)
CONSTRUCTORS = {"Batch", "Firing", "Moves", "Record", "StepState", "replace"}
"""What a rule may call besides its algebra and the other functions under proof."""


def departures() -> Iterator[str]:
    """Every place in the functions under proof that is no straight line, in words."""
    for name, function in MODEL_TEXT.items():
        yield from (f"{name}: {what}" for what in _departures_of(function))


def _departures_of(function: Callable[..., Any]) -> Iterator[str]:
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if isinstance(node, BRANCHES):
            yield f"branches or loops in Python: {ast.unparse(node)}"
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            yield f"chains comparisons, which is a branch: {ast.unparse(node)}"
        elif isinstance(node, ast.Call) and not _may_be_called(node.func):
            yield f"calls {ast.unparse(node.func)}, which is not under proof"


def _may_be_called(called: ast.expr) -> bool:
    if isinstance(called, ast.Attribute):
        return ast.unparse(called.value) == "L"
    return ast.unparse(called) in CONSTRUCTORS | MODEL_TEXT.keys()
