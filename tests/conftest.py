"""Tests of a released vLLM need its own environment; anywhere else they are reported as skipped, not hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from logitproof.standin import is_installed

INTEROP = Path(__file__).parent / "interop"


class NeedsVllm(pytest.Module):
    """An interop test file that is not imported, since vLLM is missing here."""

    def collect(self):
        pytest.skip("run by make test in .venv-vllm", allow_module_level=True)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path, parent):
    if module_path.is_relative_to(INTEROP) and not is_installed("vllm"):
        return NeedsVllm.from_parent(parent, path=module_path)
    return None
