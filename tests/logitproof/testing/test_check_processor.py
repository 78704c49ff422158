"""`check_processor` and `replay_failure` as a test suite without the plugin sees them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import torch
from hypothesis import strategies as st

import logitproof
from logitproof import Dialect, ProcessorFault, SamplingParams, TargetError, check_processor, replay_failure
from logitproof.impl.processors.min_p import MinPLogitsProcessor
from logitproof.testing.defaults import ASKED, Asked, seed_of

ROOT = Path(__file__).parents[3]
BAN_TOKEN = f"{ROOT}/examples/ban_token.py:BanToken"
MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"
QUICK = {"seed": 3, "max_examples": 40}

pytestmark = pytest.mark.usefixtures("in_empty_folder")


class Idle(MinPLogitsProcessor):
    """Uses nothing: it never changes a logit."""

    def apply(self, logits):
        return logits


class SpillsOver(MinPLogitsProcessor):
    """Touches every row as soon as two requests are there."""

    def is_argmax_invariant(self):
        return False

    def apply(self, logits):
        return super().apply(logits).add_(len(logits) > 1)


def test_a_clean_class_returns_what_was_exercised(capsys):
    report = check_processor(MinPLogitsProcessor, **QUICK)
    assert report.target == MIN_P
    assert (report.seed, report.histories) == (3, 80)
    assert report.steps > 1000
    assert min(report.seen[kind] for kind in ("refill", "move", "swap", "resume")) > 0
    assert report.warnings == ()
    assert capsys.readouterr().out == f"{report}\n"
    assert str(report) == f"logitproof: {MIN_P} clean: 80 histories, {report.steps:,} steps, seed 3"
    assert not Path(".logitproof").exists()


def test_the_callers_number_of_threads_comes_back():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        check_processor(MIN_P, **QUICK)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_a_fault_is_raised_with_its_picture_and_kept_as_file_and_test():
    with pytest.raises(ProcessorFault) as caught:
        check_processor(BAN_TOKEN, seed=0)
    fault, text = caught.value, str(caught.value)
    assert (fault.oracle, fault.law, fault.seed) == ("untouched", "D2", 0)
    assert fault.summary.startswith("stale-slot · untouched (D2): row 0 (B) asks for nothing")
    assert "Move 1->0 -> [B]" in text
    assert "Row 0 (B) was treated as A would be." in text
    assert f"reproduce with:\n  logitproof replay {fault.file}\n" in text
    assert text.endswith("seed 0")
    assert max(len(line) for line in text.splitlines() if "/" not in line) <= 80
    with pytest.raises(ProcessorFault, match="untouched"):
        replay_failure(fault.file)
    assert fault.file.with_name(f"test_{fault.file.stem}.py").is_file()


def test_a_mended_failure_passes_and_a_target_can_be_named_anew():
    with pytest.raises(ProcessorFault) as caught:
        check_processor(BAN_TOKEN, seed=0)
    replay_failure(caught.value.file, target=MinPLogitsProcessor)


def test_a_class_from_inside_a_function_is_found_by_running_the_test_again(monkeypatch):
    class Local(SpillsOver):
        pass

    monkeypatch.setenv("PYTEST_CURRENT_TEST", "tests/test_mine.py::test_it (call)")
    with pytest.raises(
        ProcessorFault, match=r"pytest 'tests/test_mine.py::test_it' --logitproof-seed 3"
    ) as caught:
        check_processor(Local, **QUICK)
    told = " ".join(str(caught.value).split())
    assert "no other process can find what is defined inside a function" in told
    with pytest.raises(ProcessorFault):
        replay_failure(caught.value.file, target=Local)


def test_a_folder_that_cannot_be_written_is_said_and_another_is_used(in_empty_folder):
    Path("taken").write_text("a file")
    with pytest.raises(ProcessorFault, match=r"taken cannot be written \(Not a directory\)") as caught:
        check_processor(BAN_TOKEN, seed=0, report_dir="taken")
    assert caught.value.file.is_file()


def test_params_and_reference_may_be_objects():
    def keeps_all(params, prompt, outputs, row):
        return row

    params = st.sampled_from([SamplingParams(min_p=0.5)])
    with pytest.raises(ProcessorFault) as caught:
        check_processor(MIN_P, params=params, reference=keeps_all, **QUICK)
    assert caught.value.oracle == "reference"
    with pytest.raises(TargetError, match="params=: expected a hypothesis strategy"):
        check_processor(MIN_P, params=7)


def test_nothing_tested_is_not_clean():
    with pytest.raises(
        logitproof.NothingTested,
        match=r'never changed a logit.*args=\["NAME=KIND"\], params=a strategy, or a',
    ):
        check_processor(Idle, **QUICK)
    with pytest.raises(logitproof.NothingTested, match=r"never happened.*raise max_examples= \(seed 3\)"):
        check_processor(MIN_P, seed=3, max_examples=1)
    with pytest.raises(logitproof.TimeRanOut, match="time ran out"):
        check_processor(MIN_P, seed=3, max_time=1e-6)


@pytest.mark.filterwarnings("ignore:.*idle-work")
def test_findings_that_are_no_faults_are_warnings():
    class Copies(MinPLogitsProcessor):
        def apply(self, logits):
            return super().apply(logits).clone()

    with pytest.warns(logitproof.ProcessorWarning, match=r"identity \(D3\)"):
        assert any("identity" in told for told in check_processor(Copies, **QUICK).warnings)


@pytest.mark.parametrize(
    "failed",
    [
        logitproof.NothingTested("text", "summary", 3),
        ProcessorFault("text", "summary", None, "solo", "D4", Path("failure.json")),
    ],
)
def test_failures_can_be_sent_to_another_process(failed):
    sent = pickle.loads(pickle.dumps(failed))
    assert (type(sent), str(sent), vars(sent)) == (type(failed), str(failed), vars(failed))


# --- the seed ---------------------------------------------------------------------------------------------------------


def test_the_seed_follows_from_the_name_alone():
    by_class = check_processor(MinPLogitsProcessor, max_examples=30)
    by_spec = check_processor(MIN_P, max_examples=30)
    assert by_class == by_spec
    assert by_class.seed == seed_of("MinPLogitsProcessor") == 1162868268
    assert seed_of("MinPLogitsProcessor") != seed_of("MinTokensLogitsProcessor")


def test_the_session_is_heard_but_a_seed_in_the_test_stays():
    token = ASKED.set(Asked(seed=11, max_examples=20))
    try:
        asked = check_processor(MIN_P, max_examples=30)
        own = check_processor(MIN_P, seed=12)
    finally:
        ASKED.reset(token)
    assert (asked.seed, asked.histories) == (11, 40)
    assert (own.seed, own.histories) == (12, 40)


# --- arguments --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argument", "error", "message"),
    [
        ({"seed": -1}, ValueError, "Expected seed to be an integer >= 0 but got seed=-1 (type=int)"),
        ({"seed": "7"}, ValueError, "but got seed='7' (type=str)"),
        (
            {"max_examples": 0},
            ValueError,
            "Expected max_examples to be an integer >= 1 but got max_examples=0",
        ),
        ({"max_examples": 2.0}, TypeError, "but got max_examples=2.0 (type=float)"),
        ({"max_time": 0}, ValueError, "a number of seconds > 0, or None but got max_time=0"),
        ({"dtype": "float8"}, ValueError, "one of float32, bfloat16, float16, all but got dtype='float8'"),
        (
            {"dialects": "klingon"},
            ValueError,
            "some of documented, elided, redundant but got dialects='klingon'",
        ),
        ({"dialects": ()}, ValueError, "at least one of documented, elided, redundant"),
        ({"reference": 3}, TypeError, "(params, prompt, outputs, row) -> row but got reference=3 (type=int)"),
        ({"shrink": 1}, TypeError, "Expected shrink to be True or False"),
    ],
)
def test_arguments_are_checked(argument, error, message):
    with pytest.raises(error) as caught:
        check_processor(MIN_P, **argument)
    assert message in str(caught.value)


def test_a_target_that_is_none_is_refused():
    with pytest.raises(TargetError, match="and no logits processor"):
        check_processor(dict)
    with pytest.raises(TargetError, match=r"but got 3 \(type=int\)"):
        check_processor(3)
    with pytest.raises(TargetError, match="was not found"):
        check_processor("no_such_module:Name")


def test_one_dialect_may_be_given_by_name():
    assert check_processor(MIN_P, dialects="elided", **QUICK).histories == 40
    assert check_processor(MIN_P, dialects=["elided", Dialect.DOCUMENTED], **QUICK).histories == 80
