"""For every law: the obligations that prove it, the oracles that watch it, the tests that cover it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .spec import LAWS, Law


@dataclass(frozen=True, slots=True)
class Trace:
    """One law and what stands behind it. tests: `path::name`."""

    law: Law
    proved_by: tuple[str, ...]
    watched_by: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def is_gap(self) -> bool:
        """Whether nothing at all stands behind the law."""
        return not (self.proved_by or self.watched_by or self.tests)


def trace(tests: Path | None) -> list[Trace]:
    """Every law, in the order of the contract. tests: a folder of test files to scan, or None."""
    proved, watched = _obligations(), _oracles()
    covered = _tests(tests) if tests is not None else {}
    return [
        Trace(
            law, tuple(proved.get(law.id, ())), tuple(watched.get(law.id, ())), tuple(covered.get(law.id, ()))
        )
        for law in LAWS
    ]


def _obligations() -> dict[str, list[str]]:
    from . import proofs

    by_law = defaultdict(list)
    for obligation in (*proofs.OBLIGATIONS, *proofs.FEATURE_OBLIGATIONS):
        for law in obligation.laws:
            by_law[law].append(obligation.name)
    return by_law


def _oracles() -> dict[str, list[str]]:
    """Read from the source, since importing the oracles imports torch, which takes seconds."""
    by_law = defaultdict(list)
    for path in sorted((Path(__file__).parent / "lockstep").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                said = dict(_class_variables(node))
                if {"code", "laws", "sentence"} <= said.keys():
                    for law in said["laws"]:
                        by_law[law].append(said["code"])
    return by_law


def _class_variables(node: ast.ClassDef) -> Iterator[tuple[str, Any]]:
    """Names and values, where they are plain."""
    for statement in node.body:
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and statement.value
        ):
            with suppress(ValueError):  # not a literal
                yield statement.target.id, ast.literal_eval(statement.value)


def _tests(folder: Path) -> dict[str, list[str]]:
    by_law = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        for name, law in _marked(module):
            by_law[law].append(f"{path}::{name}" if name else str(path))
    return by_law


def _marked(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Names of tests and the laws that their marks name; "" for a mark of the whole file."""
    for statement in module.body:
        if isinstance(statement, ast.Assign) and any(
            ast.unparse(target) == "pytestmark" for target in statement.targets
        ):
            yield from (("", law) for law in _laws_in(statement.value))
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                yield from ((node.name, law) for law in _laws_in(decorator))


def _laws_in(expression: ast.expr) -> Iterator[str]:
    for call in ast.walk(expression):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.law":
            yield from (
                arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            )
