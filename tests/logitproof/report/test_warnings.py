"""Warnings and what was exercised, as a run tells them: aligned, 80 columns, everywhere, the same for every seed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from logitproof.cli import main
from logitproof.cli.exits import Exit
from logitproof.lockstep.finding import Figure, Finding
from logitproof.report.junit import Case, Outcome, write_junit
from logitproof.report.warning import warning_block, warning_line

WASTEFUL = """
import torch
from logitproof.impl.processors.min_p import MinPLogitsProcessor

class Wasteful(MinPLogitsProcessor):
    def apply(self, logits):
        torch.zeros(logits.shape)
        return super().apply(logits)
"""
FAULTY = f"""
{WASTEFUL}
class Faulty(Wasteful):
    def update_state(self, batch_update):
        if batch_update is not None and not batch_update.moved:
            super().update_state(batch_update)
"""
IDLE = "idle-work (D3): nobody uses it, yet a step with an update about None costs this"
TOLD = Finding(
    "boundary",
    "D6",
    "2 of 9 strange arguments that are admitted do harm",
    1,
    figures=(Figure("IndexError in apply", 1_234, "a=1, b=2"), Figure("no finite logit left", 2)),
)


@pytest.fixture
def call(in_empty_folder):
    Path("wasteful.py").write_text(WASTEFUL)
    Path("faulty.py").write_text(FAULTY)

    def run(*arguments):
        return CliRunner().invoke(main, arguments, catch_exceptions=False)

    return run


def fuzz(call, *arguments, target="wasteful.py:Wasteful", seed=1):
    return call("fuzz", target, "--max-examples", "60", "--seed", str(seed), *arguments)


def test_a_warning_is_an_aligned_block_or_one_line():
    assert warning_block(TOLD, 66) == [
        "boundary (D6): 2 of 9 strange arguments that are admitted do harm",
        "  IndexError in apply   1,234  a=1, b=2",
        "  no finite logit left      2",
    ]
    assert max(map(len, warning_block(TOLD, 40))) <= 40
    long = replace(TOLD, figures=(Figure("TypeError in apply", 2, "extra_args['a_long_name']='text'"),))
    assert warning_block(long, 50)[-2:] == [
        "  TypeError in apply  2",
        "      extra_args['a_long_name']='text'",
    ]
    assert warning_line(TOLD).endswith(
        "do harm. IndexError in apply: 1,234 (a=1, b=2); no finite logit left: 2"
    )


def test_what_is_not_counted_leaves_no_gap():
    told = Finding("dtype", "D1", "fails", 1, figures=(Figure("float16", None, "it raises"),))
    assert warning_block(told, 66) == ["dtype (D1): fails", "  float16  it raises"]
    assert warning_line(told) == "dtype (D1): fails. float16: (it raises)"


def told_by(call, seed, name):
    target = json.loads(fuzz(call, "--json", seed=seed).stdout)["targets"][0]
    return next(each for each in target["warnings"] if each["oracle"] == name)


def test_work_for_nobody_is_told_alike_whatever_the_seed(call):
    told = [told_by(call, seed, "idle-work") for seed in (1, 2, 3)]
    assert told[0] == told[1] == told[2]
    assert told[0]["figures"] == [{"what": "tensors made", "count": 1, "which": "zeros"}]


def test_warnings_are_in_the_junit_file(call):
    assert fuzz(call, "--report", "junit").exit_code == Exit.HOLDS
    (case,) = ElementTree.parse(".logitproof/junit.xml").getroot().iter("testcase")
    assert IDLE in " ".join(case.find("system-out").text.split())


def test_and_stand_beside_a_failure_there(tmp_path):
    case = Case("fuzz", "it", Outcome.FAILED, message="m", text="picture", aside="a warning")
    write_junit(tmp_path / "junit.xml", "logitproof", [case], {})
    (written,) = ElementTree.parse(tmp_path / "junit.xml").getroot().iter("testcase")
    assert (written.find("failure").text, written.find("system-out").text) == ("picture", "a warning")


def test_warnings_are_in_the_table_of_the_gate_and_its_files(call):
    Path("pyproject.toml").write_text(
        '[tool.logitproof]\nmax_examples = 60\ntargets = ["wasteful.py:Wasteful"]\n'
    )
    told = call("gate").stdout
    assert f"warning  {IDLE}" in " ".join(told.split()).replace("warning ", "warning  ")
    assert max(map(len, told.splitlines())) <= 80
    (case,) = ElementTree.parse(".logitproof/junit.xml").getroot().iter("testcase")
    assert IDLE in " ".join(case.find("system-out").text.split())
    (part,) = json.loads(call("gate", "--json").stdout)["parts"]
    assert "idle-work" in [each["oracle"] for each in part["warnings"]]


def test_what_was_exercised_comes_last_and_aligned(call):
    told = fuzz(call).stdout
    assert max(map(len, told.splitlines())) <= 80
    before, seen = told.split("  seen, how often\n")
    assert "warning" in before
    rows, last = seen.split("\n\n")
    assert last.startswith("1 clean")
    assert len(rows.splitlines()) == 7
    assert len({len(row) for row in rows.splitlines()}) == 1
    assert "feature->feature" in rows


def test_a_failure_is_not_pushed_down_by_what_was_exercised(call):
    told = fuzz(call, target="faulty.py:Faulty").stdout
    assert "kinds of operation, up to the failure" in " ".join(told.split())
    assert "seen, how often" not in told


def test_an_exception_is_not_told_with_a_law_that_says_nothing_about_it(call):
    Path("raises.py").write_text(WASTEFUL.replace("torch.zeros(logits.shape)", "raise ValueError('no')"))
    told = fuzz(call, target="raises.py:Wasteful").stdout
    assert "\ncrash: apply of the batch raised ValueError: no, in step 1" in told
    assert "Law" not in told
