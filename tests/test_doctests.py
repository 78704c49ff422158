"""Every example in a docstring of the five rooms holds, under the name that users import."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

ROOMS = ("spec", "model", "proofs", "impl")


def modules() -> list[str]:
    """Names of all modules; `__main__` is left out because importing it runs the command."""
    roots = ["logitproof", *(f"logitproof.{room}" for room in ROOMS)]
    names = set(roots)
    for root in roots:
        path = importlib.import_module(root).__path__
        names |= {module.name for module in pkgutil.walk_packages(path, f"{root}.")}
    return sorted(name for name in names if not name.endswith("__main__"))


@pytest.mark.parametrize("name", modules())
def test_docstring_examples_hold(name):
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] != "vllm":
            raise
        pytest.skip("run by make test in .venv-vllm")
    results = doctest.testmod(module)
    assert results.failed == 0, f"{results.failed} of {results.attempted} examples; see captured output"
