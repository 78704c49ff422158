"""`logitproof diff`: two processors, the same histories, the first row in which they differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from logitproof import ProcessorFault, replay_failure
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
def replay(in_empty_folder):
    return lambda *arguments: CliRunner().invoke(main, ["replay", *arguments], catch_exceptions=False)


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
    assert "differs from that of others.py:Later, in step 1 of 1" in " ".join(shown.split())
    assert "         first        second" in shown
    assert "  A  plain" in shown
    assert "  D  " not in shown
    assert "logitproof replay .logitproof/failures/" in shown
    assert max(len(line) for line in result.stdout.splitlines()) <= 80


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
    assert (
        "the first: raised nothing; the second, others.py:Raises: apply of the batch raised ValueError: two"
        in " ".join(diff("ban_token.py:BanToken", "others.py:Raises").stdout.split())
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


def test_a_difference_is_saved_and_replayed(diff, replay):
    result = diff("ban_token.py:BanToken", "others.py:Later")
    assert result.exit_code == Exit.BROKEN
    (file,) = Path(".logitproof/failures").glob("*.json")
    assert f"reproduce with:\n  logitproof replay {file}\n" in result.stdout
    assert f"  python -m pytest {file.with_name(f'test_{file.stem}.py')}" in result.stdout
    again = replay(file.stem[:4])
    assert again.exit_code == Exit.BROKEN
    assert "difference: row" in again.stdout
    assert "Law" not in again.stdout
    with pytest.raises(ProcessorFault, match="difference: row"):
        replay_failure(file)
    Path("others.py").write_text(MENDED.replace("0.5", "0.0"))
    file.write_text(file.read_text().replace("others.py", "others_mended.py"))
    Path("others_mended.py").write_text(MENDED.replace("0.5", "0.0"))
    assert replay(str(file)).exit_code == Exit.HOLDS
    replay_failure(file)


def test_requests_and_vocabulary_can_be_said(diff):
    told = diff(
        "ban_token.py:BanToken", "others.py:Later", "--arg", "ban_token=int:40..50", "--vocab", "64", "--json"
    )
    assert told.exit_code == Exit.BROKEN
    saved = json.loads(next(Path(".logitproof/failures").glob("*.json")).read_text())
    assert saved["history"]["vocab"] == 64
    assert saved["args"] == ["ban_token=int:40..50"]
    assert json.loads(told.stdout)["replay"].startswith("logitproof replay .logitproof/failures/")
    users = [request["params"] for request in json.loads(told.stdout)["requests"] if request["params"]]
    assert all(40 <= user["extra_args"]["ban_token"] <= 50 for user in users)


def test_a_typo_in_an_argument_is_refused(diff):
    result = diff("ban_token.py:BanToken", "others.py:Later", "--arg", "temperatur=float")
    assert result.exit_code == Exit.USAGE
    assert "SamplingParams has none; did you mean 'temperature'?" in result.stderr
