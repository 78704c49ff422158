"""What depends on the hash of text differs from process to process, and so from rank to rank."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from logitproof.cli import main
from logitproof.lockstep import Budget, Verdict, fuzz
from logitproof.lockstep.oracles.hash_seed import HashSeed
from logitproof.lockstep.other_hash_seeds import SEEDS, NotCompared, depends_on_hashes, other_hash_seeds
from logitproof.spec import LogitsProcessor, SamplingParams
from logitproof.targets import load_target
from logitproof.targets.source import source_of

FILE = """
from logitproof import LogitsProcessor
class Hashes(LogitsProcessor):
    def __init__(self, config, device, is_pin_memory): self.vocab = config.model_config.get_vocab_size()
    def is_argmax_invariant(self): return False
    def update_state(self, batch_update): pass
    def token(self): return hash("a word") % self.vocab
    def apply(self, logits):
        logits[:, self.token()] += 1.0
        return logits
class WalksASet(Hashes):
    def token(self): return [ord(word) for word in {"a", "b", "c", "d", "e", "f", "g"}][0] % self.vocab
class Sorts(Hashes):
    def token(self): return [ord(word) for word in sorted({"b", "a", "c"})][0] % self.vocab
class OfNumbers(Hashes):
    def token(self): return max({1, 2, 3})
"""
QUICK = Budget(max_examples=12)


@pytest.fixture
def hashing(in_empty_folder):
    (in_empty_folder / "hashing.py").write_text(FILE)
    return "hashing.py"


@pytest.mark.parametrize(("name", "differs"), [("Hashes", True), ("WalksASet", True), ("Sorts", False)])
def test_two_processes_are_compared(hashing, name, differs):
    found = other_hash_seeds(load_target(f"{hashing}:{name}"), "float32")
    assert (found is not None) is differs
    if found is not None:
        history, finding = found
        assert finding.oracle == HashSeed.code
        assert len(history.steps) == finding.step == 1
        assert finding.expected != finding.actual


def test_it_is_a_fault_that_can_be_replayed(hashing):
    options = ["--max-examples", "12", "--arg", "used=bool", "--json"]
    done = CliRunner().invoke(main, ["fuzz", f"{hashing}:Hashes", *options])
    (failure,) = json.loads(done.output)["targets"][0]["findings"]
    assert (done.exit_code, failure["oracle"], failure["kind"]) == (1, HashSeed.code, "rank-split")
    again = CliRunner().invoke(main, ["replay"])
    assert again.exit_code == 1
    assert "another hash seed" in " ".join(again.output.split())


def test_no_process_is_started_where_nothing_depends_on_hashes(hashing):
    plain, worded = [SamplingParams()], [SamplingParams(extra_args={"words": ["a"]})]
    for name, alone, with_words in (
        ("Hashes", True, True), ("WalksASet", True, True), ("OfNumbers", False, True),
    ):  # fmt: skip
        source = source_of(load_target(f"{hashing}:{name}", learns=False).make)
        assert depends_on_hashes(source, plain) is alone or name == "OfNumbers"
        assert depends_on_hashes(source, worded) is with_words


class Unnamed(LogitsProcessor):
    def __init__(self, config, device, is_pin_memory):
        self.token = hash("a word") % 8

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        return None

    def apply(self, logits):
        logits[:, self.token] += 1.0
        return logits


def test_what_another_process_cannot_import_is_not_compared_and_that_is_said(target_of, in_empty_folder):
    target = target_of(Unnamed)  # its name says no place
    with pytest.raises(NotCompared):
        other_hash_seeds(target, "float32")
    report = fuzz(target, 0, budget=QUICK)
    assert report.verdict is Verdict.CLEAN
    assert "processes with other hash seeds were not compared" in report.note


def test_whoever_watches_is_told_while_it_waits(hashing):
    target = load_target(f"{hashing}:Hashes")
    beats = []
    other_hash_seeds(target, "float32", lambda: beats.append(1))
    assert len(beats) > len(SEEDS)  # one for each process would be none while it plays
