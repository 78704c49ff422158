"""The pytest plugin: what a user sees of a failed check, and the options."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[3]
MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"

CLEAN_AND_FAULTY = f"""
import logitproof
from ban_token import BanToken

def test_clean():
    report = logitproof.check_processor("{MIN_P}", max_examples=30)
    print("histories", report.histories, "seed", report.seed)

def test_ban_token():
    logitproof.check_processor(BanToken)

def test_nothing():
    logitproof.check_processor("{MIN_P}", max_examples=1)

def test_an_ordinary_failure():
    assert 1 == 2
"""


@pytest.fixture
def suite(pytester):
    pytester.makepyfile(test_suite=CLEAN_AND_FAULTY)
    (pytester.path / "ban_token.py").write_text((ROOT / "examples" / "ban_token.py").read_text())
    pytester.syspathinsert()
    return pytester


def test_a_fault_is_told_by_its_picture_alone(suite):
    result = suite.runpytest("-k", "ban_token")
    result.assert_outcomes(failed=1)
    text = "\n".join(result.outlines)
    shown = text.split("_ test_ban_token _")[1].split("short test summary")[0]
    assert "test_suite.py:9: logitproof.check_processor(BanToken)" in shown
    assert "\nban_token:BanToken\nstale-slot · untouched (D2): row" in shown
    assert "was treated as" in shown
    assert re.search(r"reproduce with:\n  logitproof replay .logitproof/failures/\w+.json\n", shown)
    assert re.search(r"\nseed \d+\n", shown)
    for internal in ("Traceback", "check.py", "raise ", "def check_processor", "\nE  "):
        assert internal not in shown
    assert max(map(len, shown.splitlines())) <= 80
    result.stdout.fnmatch_lines(["FAILED test_suite.py::test_ban_token - ProcessorFault: stale-slot*"])


def test_the_kept_test_fails_as_it_was_found_and_its_command_replays(suite):
    suite.runpytest("-k", "ban_token")
    (kept,) = Path(suite.path, ".logitproof", "failures").glob("test_*.py")
    again = suite.runpytest(kept)
    again.assert_outcomes(failed=1)
    again.stdout.fnmatch_lines(
        ["stale-slot · untouched (D2): row*", "FAILED *::test_ban_token_untouched - Pr*"]
    )
    command = [
        sys.executable,
        "-c",
        "from logitproof.cli import main; main()",
        "replay",
        str(next(kept.parent.glob("*.json"))),
    ]
    told = subprocess.run(command, cwd=suite.path, capture_output=True, text=True, check=False)
    assert told.returncode == 1, told.stderr
    assert "STILL FAILS" in told.stdout


def test_what_tested_nothing_is_one_line_and_other_failures_stay_as_they_are(suite):
    result = suite.runpytest("-k", "nothing or ordinary")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines([f"{MIN_P}: these never happened: *", "E       assert 1 == 2"])


def test_options_outweigh_the_tests(suite):
    result = suite.runpytest(
        "-k", "clean", "-rP", "--logitproof-seed", "7", "--logitproof-max-examples", "25"
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["logitproof: seed 7, max-examples 25", "histories 50 seed 7"])


def test_without_options_the_header_stays_silent_and_nothing_is_left_behind(suite):
    suite.runpytest("-k", "clean", "--logitproof-seed", "7")
    result = suite.runpytest("-k", "clean", "-rP")
    result.stdout.no_fnmatch_line("logitproof: seed*")
    result.stdout.fnmatch_lines(["histories 60 seed 1162868268"])


def test_a_random_seed_is_drawn_once_and_printed(suite):
    result = suite.runpytest(
        "-k", "clean", "-rP", "--logitproof-seed", "random", "--logitproof-max-examples", "25"
    )
    (header,) = re.findall(r"^logitproof: seed (\d+),", str(result.stdout), re.MULTILINE)
    result.stdout.fnmatch_lines([f"histories 50 seed {header}"])


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--logitproof-seed", "-1"), "expected an integer >= 0 or 'random' but got '-1'"),
        (("--logitproof-seed=x",), "expected an integer >= 0 or 'random' but got 'x'"),
        (("--logitproof-max-examples", "0"), "expected an integer >= 1 but got '0'"),
    ],
)
def test_bad_options_are_usage_errors(suite, option, said):
    result = suite.runpytest(*option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{said}"])


def test_workers_of_xdist_share_the_drawn_seed_and_send_the_picture(suite):
    result = suite.runpytest_subprocess(
        "-n", "2", "-rPf", "-k", "clean or ban_token", "--logitproof-seed", "random"
    )
    result.assert_outcomes(passed=1, failed=1)
    (seed,) = re.findall(r"^logitproof: seed (\d+)", str(result.stdout), re.MULTILINE)
    result.stdout.fnmatch_lines([f"histories * seed {seed}"])
    result.stdout.fnmatch_lines(["test_suite.py:9: *", "*was treated as*", "reproduce with:", f"seed {seed}"])
    result.stdout.fnmatch_lines(["FAILED test_suite.py::test_ban_token - ProcessorFault: *"])


def test_junit_of_pytest_holds_the_picture(suite):
    suite.runpytest("-k", "ban_token", "--junitxml", "junit.xml")
    (failure,) = ElementTree.parse(suite.path / "junit.xml").iter("failure")
    assert failure.get("message").startswith("ProcessorFault: stale-slot · untouched (D2): row")
    assert "reproduce with:" in failure.text


def test_the_plugin_costs_pytest_neither_torch_nor_hypothesis():
    loads = "import sys, logitproof.testing.plugin; print({'torch', 'hypothesis', 'click'} & {*sys.modules})"
    told = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert told.stdout == "set()\n"
