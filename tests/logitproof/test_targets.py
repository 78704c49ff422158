"""A target is found by either spelling, and everything that can be wrong with one is told in one line."""

from __future__ import annotations

import pytest
from hypothesis import find
from hypothesis.errors import NoSuchExample

from logitproof.impl.processors.min_p import MinPLogitsProcessor
from logitproof.model.rows import min_p_row
from logitproof.spec import SamplingParams
from logitproof.targets import TargetError, load_target, locate

MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"

FILE = """
from logitproof import LogitsProcessor, SamplingParams

class Fine(LogitsProcessor):
    logitproof_params = [SamplingParams(min_p=0.5)]
    def __init__(self, config, device, is_pin_memory): pass
    def is_argmax_invariant(self): return True
    def update_state(self, batch_update): pass
    def apply(self, logits): return logits

class Subclass(Fine):
    class Nested(Fine): pass

class Picky(Fine):
    def __init__(self, config, device, is_pin_memory): raise RuntimeError("needs a model\\nand more")

class Oddly(Fine):
    logitproof_params = 7

class Unfinished(LogitsProcessor):
    def apply(self, logits): return logits

class Stranger: pass

strategy = [SamplingParams(min_p=0.25)]
def by_vocab(vocab_size): return [SamplingParams(stop_token_ids=[vocab_size - 1])]
def broken(vocab_size): raise KeyError("no")
def reference(params, prompt, outputs, row): return row
"""

READS = """
from logitproof import LogitsProcessor

class Reads(LogitsProcessor):
    def __init__(self, config, device, is_pin_memory): pass
    def is_argmax_invariant(self): return False
    def update_state(self, batch_update):
        self.rows = [(added[1].min_p, getattr(added[1], "bad_words")) for added in batch_update.added]
    def apply(self, logits): return logits
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(FILE)
    (tmp_path / "broken.py").write_text("import json.not_there_at_all\n")
    (tmp_path / "reads.py").write_text(READS)
    (tmp_path / "silent.py").write_text(
        READS.replace("bad_words", "x").replace("min_p", "y").replace("Reads", "Silent")
    )
    (tmp_path / "syntax.py").write_text("def (:\n")
    return "mine.py"


@pytest.mark.law("D7", "E5")
def test_a_module_and_a_file_are_both_found(file):
    assert load_target(MIN_P).make is MinPLogitsProcessor
    assert load_target(f"{file}:Fine").make.__name__ == "Fine"
    assert load_target(f"{file}:Subclass.Nested").make.__name__ == "Nested"
    assert locate(f"{file}:Fine") is locate(f"{file}:Fine")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nonsense", "Expected target as package.module:Name"),
        (":Name", "Expected target as package.module:Name"),
        ("reads.py", "did you mean reads.py:Reads?"),
        ("no_such_package:Name", "'no_such_package' was not found"),
        ("logitproof.impl.nowhere:Name", "'logitproof.impl.nowhere' was not found"),
        ("missing.py:Name", "'missing.py' does not exist"),
        ("broken.py:Name", "fails to import: ModuleNotFoundError: No module named 'json.not_there_at_all'"),
        ("syntax.py:Name", "fails to import: SyntaxError"),
        ("logitproof.impl.processors.min_p:MinPLogitProcessor", "did you mean 'MinPLogitsProcessor'?"),
        ("mine.py:Stranger", "is the class Stranger, and no logits processor"),
        ("mine.py:reference", "is of type function, and no logits processor"),
        ("mine.py:Unfinished", "is abstract: it lacks __init__, is_argmax_invariant, update_state"),
        ("mine.py:Picky", "raised RuntimeError: needs a model"),
        ("mine.py:Oddly", "expected a hypothesis strategy"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(file, spec, message):
    with pytest.raises(TargetError, match=r".") as caught:
        load_target(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_params_come_from_the_flag_then_the_class_then_what_is_known(file):
    assert load_target(f"{file}:Fine", params="mine.py:strategy").params_from == "--params mine.py:strategy"
    assert load_target(f"{file}:Fine").params_from == "Fine.logitproof_params"
    assert load_target(MIN_P).params_from == "built in"
    assert load_target(MIN_P).reference is min_p_row
    assert load_target(f"{file}:Fine").reference is None


def test_without_all_that_params_are_learned_from_the_fields_it_reads(file):
    reads = load_target("reads.py:Reads")
    assert reads.params_from == "fields that its source reads: bad_words, min_p"
    seen = [find(reads.params_for(32), wanted) for wanted in (lambda p: p.min_p > 0, lambda p: p.bad_words)]
    assert len(seen) == 2
    with pytest.raises(NoSuchExample):
        find(reads.params_for(32), lambda p: p.logit_bias)
    assert load_target("silent.py:Silent").params_from.startswith("every field")


def test_params_may_depend_on_the_vocabulary(file):
    strategy = load_target(f"{file}:Fine", params="mine.py:by_vocab").params_for(12)
    assert find(strategy, lambda params: True) == SamplingParams(stop_token_ids=[11])


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"params": "mine.py:nothing"}, "has no 'nothing'"),
        ({"params": "mine.py:Stranger"}, "raised TypeError"),
        ({"params": "mine.py:broken"}, "calling it with vocab_size=32 raised KeyError"),
        ({"reference": "mine.py:strategy"}, "expected a function"),
    ],
)
def test_a_wrong_flag_is_told_in_one_line(file, flags, message):
    with pytest.raises(TargetError, match=r".") as caught:
        load_target(f"{file}:Fine", **flags).params_for(32)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
