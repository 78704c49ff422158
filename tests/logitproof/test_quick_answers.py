"""What needs neither torch nor a target is answered before either is loaded."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import run

import pytest

from logitproof.targets import TargetError
from logitproof.targets.locate import glance, locate

AT_ONCE = """
import sys
from logitproof.cli import main
try:
    main(sys.argv[1:])
finally:
    print("torch" in sys.modules)
"""
MINE = "class Mine:\n    update_state = apply = None\n"


@pytest.fixture
def here(in_empty_folder):
    Path("mine.py").write_text(MINE)
    return in_empty_folder


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("fuzz --help", ""),
        ("gate --help", ""),
        ("fuzz mine.py:Mine --bogus", "No such option"),
        ("fuzz nofile.py:Mine", "'nofile.py' does not exist"),
        ("fuzz mine.py:Mein", "has no 'Mein'; did you mean 'Mine'?"),
        ("fuzz nowhere.mine:Mine", "(no 'nowhere' on the import path)"),
        ("fuzz mine.py:Mine --params nofile.py:p", "--params file 'nofile.py' does not exist"),
        ("fuzz mine.py:Mine --arg a=tokn", "did you mean 'token'?"),
        ("fuzz mine.py:Mine --hazards asyn", "did you mean 'async'?"),
        ("fuzz mine.py:Mine --exhaustive slots=2", "Expected both slots and steps"),
        ("fuzz mine.py:Mine --seed x", "Expected --seed to be an integer >= 0 but got 'x'"),
        ("fuzz mine.py:Mine --max-time nan", "Expected --max-time to be a number of seconds > 0 but got 'nan'"),
        ("fuzz mine.py:Mine --max-time 0", "but got '0'"),
        ("fuzz mine.py:Mine --workers 0", "Expected --workers to be an integer >= 1 but got '0'"),
        ("diff mine.py:Mine nofile.py:Mine", "'nofile.py' does not exist"),
        ("new nofile.py:Mine", "'nofile.py' does not exist"),
        ("replay zz", "no failure 'zz'"),
        ("gate", "pyproject.toml cannot be read"),
    ],
)  # fmt: skip
def test_it_is_answered_without_torch(here, arguments, message):
    done = run(
        [sys.executable, "-P", "-c", AT_ONCE, *arguments.split()], capture_output=True, text=True, check=False
    )
    assert done.stdout.rstrip().endswith("False"), done.stdout
    assert message in done.stderr
    assert done.stderr.count("\n") == bool(message)


@pytest.mark.parametrize(
    "line", ["from os import *", "globals()['Made'] = 1", "def __getattr__(name): return 1"]
)
def test_names_that_show_only_when_a_file_runs_are_left_to_it(here, line):
    Path("made.py").write_text(f"{line}\n")
    glance("made.py:Made")


@pytest.mark.parametrize(
    "line", ["Made = 1", "import os as Made", "if True:\n    class Made: pass", "for Made in [1]: 0"]
)
def test_whatever_binds_a_name_is_seen(here, line):
    Path("bound.py").write_text(f"{line}\n")
    glance("bound.py:Made")
    with pytest.raises(TargetError, match="has no 'Maid'; did you mean 'Made'"):
        glance("bound.py:Maid")


def test_what_does_not_parse_is_told_by_importing_it(here):
    Path("torn.py").write_text("class")
    glance("torn.py:Torn")
    with pytest.raises(TargetError, match="fails to import: SyntaxError"):
        locate("torn.py:Torn")
