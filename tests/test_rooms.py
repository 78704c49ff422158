"""What the build and the import contracts cannot say themselves about the five rooms."""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = {"logitproof": "logitproof"} | {
    room: f"logitproof.{room}" for room in ("spec", "model", "proofs", "impl")
}


def pins(path: str) -> dict[str, str]:
    lines = [line for line in (ROOT / path).read_text().splitlines() if line and not line.startswith("#")]
    return {name.lower().replace("_", "-"): version for name, version in (line.split("==") for line in lines)}


def test_every_folder_of_modules_is_packaged():
    folders = {module.parent for room in ROOMS for module in (ROOT / room).rglob("*.py")}
    names = set()
    for folder in folders:
        room, *rest = folder.relative_to(ROOT).parts
        names.add(".".join([ROOMS[room], *rest]))
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert set(configuration["tool"]["setuptools"]["packages"]) == names


def imported_at_run_time(source: str) -> set[str]:
    tree = ast.parse(source)
    typing_only = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test).endswith("TYPE_CHECKING")
        for statement in block.body
        for node in ast.walk(statement)
    }
    names = set()
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module)
    return names


@pytest.mark.parametrize("room", ["spec", "model"])
def test_the_oracle_needs_the_standard_library_only(room):
    allowed = sys.stdlib_module_names | {"logitproof"}
    foreign = {
        f"{path}: {name}"
        for path in (ROOT / room).rglob("*.py")
        for name in imported_at_run_time(path.read_text())
        if name.split(".")[0] not in allowed
    }
    assert not foreign


def test_both_environments_pin_the_same_versions():
    ours, interop = pins("constraints.txt"), pins("tests/interop/requirements.txt")
    shared = ours.keys() & interop.keys()
    assert {name: ours[name] for name in shared} == {name: interop[name] for name in shared}
