"""`logitproof doctor`: says what is there, and exits with 2 where something needed is not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import logitproof.cli.doctor as doctor_command
from logitproof import __version__
from logitproof.cli import main
from logitproof.cli.exits import Exit


@pytest.fixture
def call(in_empty_folder):
    return lambda *arguments: CliRunner().invoke(main, ["doctor", *arguments], catch_exceptions=False)


def test_a_healthy_installation(call):
    result = call()
    assert result.exit_code == Exit.HOLDS, result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert f"ok   logitproof   {__version__} on Python" in result.stdout
    assert result.stdout.endswith("\nall is well; exit 0\n")
    found = json.loads(call("--json").stdout)["found"]
    assert all(each["well"] for each in found.values())
    assert {"torch", "z3", "hypothesis", "pytest", "vllm", "failures", "settings"} <= found.keys()


def test_a_package_that_is_missing(call, monkeypatch):
    monkeypatch.setitem(sys.modules, "z3", None)
    result = call()
    assert result.exit_code == Exit.USAGE
    assert "ILL  z3           does not work: ModuleNotFoundError" in result.stdout
    assert "1 to be mended; exit 2" in result.stdout


def test_a_plugin_that_is_not_registered(call, monkeypatch):
    monkeypatch.setattr(doctor_command, "entry_points", lambda group: [])
    assert "the plugin is not registered" in call().stdout


def test_settings_and_saved_failures(call):
    Path("pyproject.toml").write_text('[tool.logitproof]\ntargets = ["a:B"]\n')
    Path(".logitproof/failures").mkdir(parents=True)
    Path(".logitproof/failures/one.json").write_text("{}")
    text = " ".join(call().stdout.split())
    assert "`logitproof gate` runs what pyproject.toml says (targets: 1, known findings: 0)" in text
    assert "1 saved in .logitproof/failures; `logitproof replay` runs them again" in text
    Path("pyproject.toml").write_text("[tool.logitproof]\nchek = true\n")
    result = call()
    assert result.exit_code == Exit.USAGE
    assert "has no 'chek'; did you mean 'check'?" in result.stdout
