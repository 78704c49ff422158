"""What may be named as a target besides a processor class: functions, builders, ducks, consumers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from logitproof.cli import main
from logitproof.lockstep import Budget, Verdict, fuzz
from logitproof.targets import TargetError, load_target

FILES = Path(__file__).parent.parent / "third_party"
FOLLOWER = f"{FILES / 'follower.py'}"
DENSE = f"{FILES / 'target_token_dense.py'}"
ENOUGH = Budget(max_examples=30)

KINDS = """
import torch

def build():
    from vllm.v1.sample.logits_processor import AdapterLogitsProcessor
    class Built(AdapterLogitsProcessor):
        def is_argmax_invariant(self): return False
        def new_req_logits_processor(self, params):
            token = (params.extra_args or {}).get("built_token")
            if token is None: return None
            def process(output_ids, logits):
                logits[token] += 1.0
                return logits
            return process
    return Built

def builds_nothing(): return 3
def fails(): raise RuntimeError("no model")
def four(a, b, c, d): return d

class Needs:
    def __init__(self, threads): pass
    def update_state(self, update): pass
    def apply(self, logits): return logits

class OnCuda:
    def __init__(self, vllm_config, device, is_pin_memory): self.on = device.type == "cuda"
    def update_state(self, update):
        if self.on: update.added[0][1].extra_args["target_token"]
    def apply(self, logits): return logits

class ByIdentity:
    def __init__(self, vllm_config, device, is_pin_memory):
        from vllm.v1.sample.logits_processor import BatchUpdate, MoveDirectionality
        self.of_update, self.how, self.rows = BatchUpdate, MoveDirectionality, {}
    def update_state(self, update):
        if update is None: return
        assert isinstance(update, self.of_update), type(update)
        for row in update.removed: self.rows.pop(row, None)
        for row, params, _, _ in update.added: self.rows[row] = (params.extra_args or {}).get("lifted_token")
        for source, to, how in update.moved:
            here, there = self.rows.pop(source, None), self.rows.pop(to, None)
            self.rows[to] = here
            if how is self.how.SWAP: self.rows[source] = there
            else: assert how is self.how.UNIDIRECTIONAL, how
    def apply(self, logits):
        for row, token in self.rows.items():
            if token is not None: logits[row, token] += 1.0
        return logits

class Beyond:
    def __init__(self, vllm_config, device, is_pin_memory): pass
    def update_state(self, update): pass
    def apply(self, logits):
        logits[:, 20 * 5] = 0.0
        return logits
"""


@pytest.fixture
def kinds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kinds.py").write_text(KINDS)
    return "kinds.py"


def command(*arguments):
    done = CliRunner().invoke(main, [*arguments])
    return done.exit_code, done.output


def test_a_function_that_builds_a_class_is_called(kinds):
    target = load_target(f"{kinds}:build")
    assert "built_token=token" in target.params_from
    assert fuzz(target, 1, budget=ENOUGH).verdict is Verdict.CLEAN


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("builds_nothing", "gave a int; expected one that builds a processor class"),
        ("fails", "raised RuntimeError: no model"),
        ("four", "is of type function, and no logits processor"),
        ("Needs", "nothing is known for threads"),
    ],
)
def test_what_cannot_be_driven_is_told_in_one_line(kinds, name, message):
    with pytest.raises(TargetError) as caught:
        load_target(f"{kinds}:{name}")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_duck_that_imports_vllm_is_told_in_vllms_types(kinds):
    target = load_target(f"{kinds}:ByIdentity")
    assert target.in_vllms_types
    report = fuzz(target, 1, budget=ENOUGH)
    assert report.verdict is Verdict.CLEAN, report.caught
    assert report.transitions.counts["swap"]
    assert report.transitions.counts["move"]


def test_whose_types_a_target_is_told_in_is_known(kinds):
    (Path.cwd() / "alone.py").write_text("class Alone:\n    update_state = apply = lambda self, told: told\n")
    assert not load_target("alone.py:Alone").in_vllms_types
    assert load_target(f"{FILES / 'functions.py'}:make_bias").in_vllms_types
    assert load_target(f"{DENSE}:TargetToken").in_vllms_types
    assert not load_target(f"{FOLLOWER}:Names", observe="by_slot", consumer="on_batch").in_vllms_types


def test_a_consumer_is_compared_by_what_it_holds(kinds):
    for name, code in (("Names", 0), ("NamesLost", 1)):
        for observe in ("by_slot", f"{FOLLOWER}:state"):
            options = ["--consumer", "on_batch", "--observe", observe, "--seed", "1", "--max-examples", "30"]
            ended, output = command("fuzz", f"{FOLLOWER}:{name}", *options)
            assert ended == code, output
            if code:
                assert "  held: nothing" in output
                assert "  expected: " in output
    ended, output = command("replay")
    assert ended == 1
    assert output.count("  held: nothing") == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "no logits processor: expected"),
        (["--consumer", "on_batch"], "--observe ATTRIBUTE"),
        (["--consumer", "on_batsh", "--observe", "by_slot"], "has no method 'on_batsh'"),
        (["--consumer", "on_batch", "--observe", "by_slots"], "--observe by_slots: a Names has by_slot"),
        (["--consumer", "on_batch", "--observe", "_move"], "raised TypeError"),
    ],
)
def test_a_mistake_about_a_consumer_is_told(kinds, options, message):
    ended, output = command("fuzz", f"{FOLLOWER}:Names", *options)
    assert (ended, message in output) == (2, True), output


def test_args_say_what_requests_look_like_and_are_replayed(kinds):
    options = ["--arg", "target_token=int:3..3", "--seed", "2", "--json"]
    ended, output = command("fuzz", f"{DENSE}:TargetTokenStale", *options)
    report = json.loads(output)
    assert (ended, report["targets"][0]["requests"]) == (1, "--arg target_token=int:3..3")
    (saved,) = Path(".logitproof/failures").glob("*.json")
    content = json.loads(saved.read_text())
    assert content["args"] == ["target_token=int:3..3"]
    assert {
        params.get("extra_args", {}).get("target_token", 3) for params in content["history"]["params"]
    } == {3}
    assert command("replay")[0] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--arg", "target_tokn=token"], "did you mean 'target_token'?"),
        (["--arg", "target_token=tokn"], "did you mean 'token'?"),
        (["--arg", "target_token=token", "--params", "x:y"], "give one of them"),
        (["--vocab", "3"], "Expected --vocab to be an integer >= 8 but got '3'"),
    ],
)
def test_a_mistake_about_requests_is_told(kinds, options, message):
    ended, output = command("fuzz", f"{DENSE}:TargetToken", *options)
    assert (ended, message in output) == (2, True), output


def test_a_target_that_never_changes_a_logit_ends_with_the_option_to_try(kinds):
    ended, output = command("fuzz", f"{kinds}:OnCuda", "--max-examples", "20")
    said = " ".join(output.split())
    assert ended == 4
    assert "its source reads target_token, but no guess changed a logit" in said
    assert "--arg target_token=token" in said
    assert "asks for a CUDA device" in said


def test_the_vocabulary_grows_to_the_tokens_that_are_named(kinds):
    grown = load_target(f"{FILES / 'thinking_budget_hard_coded.py'}:EndThoughts")
    assert (grown.vocab, grown.tokens) == (704, (700, 701))
    assert "names token 701" in dict(grown.notes)["vocabulary"]
    assert load_target(f"{kinds}:Beyond").vocab == 128, "an IndexError in the probe says it too"
    assert load_target(f"{kinds}:Beyond", vocab=200).vocab == 200


def test_a_vocabulary_that_is_asked_for_is_saved_and_replayed(kinds):
    ended, _ = command("fuzz", f"{DENSE}:TargetTokenStale", "--vocab", "40", "--seed", "1")
    (saved,) = Path(".logitproof/failures").glob("*.json")
    assert (ended, json.loads(saved.read_text())["history"]["vocab"]) == (1, 40)
    assert command("replay")[0] == 1


OF_THE_ENGINE = """
class Boost:
    def __init__(self, tokenizer, vocab_size, amount: float, word: "str | None" = None):
        self.token = tokenizer.encode(word or "a")[0]
        self.width, self.amount = vocab_size, amount
    def __call__(self, prompt_ids, output_ids, scores):
        assert len(scores) == self.width
        boosted = scores.clone()[None]
        boosted[0, self.token] += self.amount * len(prompt_ids)
        return boosted

class Always:
    def __init__(self, tokenizer, amount=1.0): self.token, self.amount = tokenizer.eos_token_id, amount
    def __call__(self, output_ids, scores):
        scores[self.token] += self.amount
        return scores
"""


def test_a_class_of_functions_gets_from_the_engine_what_no_request_holds(tmp_path):
    file = tmp_path / "boosts.py"
    file.write_text(OF_THE_ENGINE)
    boost = load_target(f"{file}:Boost")
    assert "--arg amount=" in boost.params_from
    assert "tokenizer" not in boost.params_from
    assert "left out: it raises TypeError" in dict(boost.notes)["prompt"]
    assert fuzz(boost, 1, budget=ENOUGH).verdict is Verdict.CLEAN
    always = load_target(f"{file}:Always")
    assert "--arg per_request=" in always.params_from
    assert fuzz(always, 1, budget=ENOUGH).verdict is Verdict.CLEAN
