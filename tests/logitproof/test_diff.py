"""`logitproof diff`: two processors, the same histories, the first row in which they differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from logitproof.cli import main
from logitproof.cli.exits import Exit

ROOT = Path(__file__).parents[2]
MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"
PIPELINE = "logitproof.impl.pipeline:PipelineLogitsProcessor"
BAN_TOKEN = f"{ROOT}/examples/ban_token.py:BanToken"
QUICK = ("--seed", "1", "--max-examples", "60")
MENDED = """
from ban_token import BanToken

class Mended(BanToken):
    def update_state(self, batch_update):
        for source, destination, how in batch_update.moved if batch_update else ():
            pass
        super().update_state(batch_update)

class Raises(BanToken):
    def apply(self, logits):
        if len(logits) > 1:
            raise ValueError("two")
        return super().apply(logits)

class Wide(BanToken):
    def apply(self, logits):
        return super().apply(logits)[:, :-1]

class Idle(BanToken):
    def apply(self, logits):
        return logits

class Later(BanToken):
    def apply(self, logits):
        return super().apply(logits).add_(0.5 * (len(logits) > 2))
"""


@pytest.fixture
def diff(in_empty_folder):
    Path("ban_token.py").write_text((ROOT / "examples" / "ban_token.py").read_text())
    Path("others.py").write_text(MENDED)

    def run(*arguments):
        return CliRunner().invoke(main, ["diff", *arguments, *QUICK], catch_exceptions=False)

    return run


def test_one_feature_alone_and_inside_the_pipeline_are_the_same(diff):
    result = diff(MIN_P, PIPELINE)
    assert result.exit_code == Exit.HOLDS, result.stdout
    assert "the same rows everywhere; 120 histories" in result.stdout


def test_a_difference_is_made_small_and_drawn(diff):
    result = diff("ban_token.py:BanToken", "others.py:Later")
    assert result.exit_code == Exit.BROKEN
    shown = result.stdout.split("DIFFERENCE")[1]
    assert "differs, in step 1 of 1" in shown
    assert "         first        second" in shown
    assert "  A  plain" in shown
    assert "  D  " not in shown
    assert "logitproof diff ban_token.py:BanToken others.py:Later --seed 1" in shown
    assert max(len(line) for line in result.stdout.splitlines() if "logitproof diff" not in line) <= 80


def test_the_same_as_json(diff):
    told = json.loads(diff("ban_token.py:BanToken", "others.py:Later", "--json").stdout)
    found = told["difference"]
    assert (told["exit"], told["seed"], found["step"]) == (1, 1, 1)
    assert [right - left for left, right in zip(found["expected"], found["actual"], strict=True)] == [
        0.5
    ] * 32
    assert len(told["requests"]) == 3
    same = json.loads(diff("ban_token.py:BanToken", "others.py:Mended", "--json").stdout)
    assert (same["exit"], same["difference"], same["requests"]) == (0, None, [])


def test_the_same_seed_finds_the_same(diff):
    assert diff("ban_token.py:BanToken", "others.py:Later").stdout == (
        diff("ban_token.py:BanToken", "others.py:Later").stdout
    )


def test_one_that_raises_and_one_that_misshapes_differ_from_one_that_does_not(diff):
    assert "the first: raised nothing; the second: apply of the batch raised ValueError: two" in " ".join(
        diff("ban_token.py:BanToken", "others.py:Raises").stdout.split()
    )
    assert "apply returned shape (1, 31) for logits of shape (1, 32)" in " ".join(
        diff("ban_token.py:BanToken", "others.py:Wide").stdout.split()
    )


def test_two_that_change_nothing_are_vacuous(diff):
    result = diff("others.py:Idle", "others.py:Idle")
    assert result.exit_code == Exit.VACUOUS
    assert "neither ever changed a logit" in result.stdout


def test_mistakes_are_one_line(diff):
    result = diff("gone.py:Gone", MIN_P)
    assert result.exit_code == Exit.USAGE
    assert result.stderr.count("\n") == 1
