"""The engine's step from scheduler output to appended tokens."""

from __future__ import annotations

import pytest
import torch

from logitproof.impl import Request, Runner, SchedulerOutput
from logitproof.impl.processors import MinPLogitsProcessor
from logitproof.spec import Dialect, EngineConfig, ModelConfig, SamplingParams, SchedulerConfig

VOCAB = 11
CONFIG = EngineConfig(SchedulerConfig(max_num_seqs=4), ModelConfig(vocab_size=VOCAB))


class Watcher(MinPLogitsProcessor):
    """Notes every update, and refuses requests that ask for it."""

    last = None

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.updates, Watcher.last = [], self

    def update_state(self, batch_update):
        self.updates.append(batch_update)

    @classmethod
    def validate_params(cls, sampling_params):
        if sampling_params.extra_args:
            raise ValueError("Expected no extra_args")


def next_number(requests):
    """A model that counts: the likeliest token is the number of tokens so far."""
    logits = torch.zeros(len(requests), VOCAB)
    for row, request in enumerate(requests):
        logits[row, (len(request.prompt_token_ids) + len(request.output_token_ids)) % VOCAB] = 5.0
    return logits


def request(name, prompt_length=1, **params):
    return Request(name, SamplingParams(**{"temperature": 0.0} | params), [0] * prompt_length)


def runner_with(*requests, forward=next_number, **arguments):
    runner = Runner(CONFIG, forward, custom_processors=[Watcher], **arguments)
    for each in requests:
        runner.add_request(each)
    return runner


@pytest.mark.law("C4", "C5", "E5")
def test_a_step_updates_every_processor_once_and_appends_the_tokens():
    a, b = request("a"), request("b", 4)
    runner = runner_with(a, b)
    assert runner.step(SchedulerOutput(new=[a, b])) == {"a": 1, "b": 4}
    assert runner.step(SchedulerOutput()) == {"a": 2, "b": 5}
    assert runner.step(SchedulerOutput(finished={"a"})) == {"b": 6}
    assert (a.output_token_ids, b.output_token_ids) == ([1, 2], [4, 5, 6])
    first, second, third = Watcher.last.updates
    assert (first.batch_size, second, third.batch_size) == (2, None, 1)
    assert first.added[1][3] is b.output_token_ids


@pytest.mark.law("C4")
def test_an_empty_step_still_updates_the_processors():
    runner = runner_with()
    assert runner.step(SchedulerOutput()) == {}
    assert Watcher.last.updates == [None]


@pytest.mark.law("B1", "C5")
def test_an_unscheduled_request_comes_back_by_an_add_with_its_outputs():
    a, b = request("a"), request("b", 4)
    runner = runner_with(a, b)
    runner.step(SchedulerOutput(new=[a, b]))
    assert runner.step(SchedulerOutput(unscheduled={"a"})) == {"b": 5}
    assert runner.step(SchedulerOutput(resumed=["a"])) == {"b": 6, "a": 2}
    [(slot, _, prompt, outputs)] = Watcher.last.updates[-1].added
    assert slot == 1
    assert prompt is a.prompt_token_ids
    assert outputs is a.output_token_ids == [1, 2]


@pytest.mark.law("B1")
def test_new_requests_enter_before_resumed_ones():
    a, b = request("a"), request("b")
    runner = runner_with(a, b)
    runner.step(SchedulerOutput(new=[a]))
    runner.step(SchedulerOutput(unscheduled=["a"]))
    runner.step(SchedulerOutput(new=[b], resumed=["a"]))
    assert [r.request_id for r in runner.requests] == ["b", "a"]


def test_a_partial_prefills_token_is_thrown_away():
    a, b = request("a"), request("b", 4)
    runner = runner_with(a, b)
    assert runner.step(SchedulerOutput(new=[a, b], partial_prefill={"a"})) == {"b": 4}
    assert a.output_token_ids == []
    assert runner.step(SchedulerOutput()) == {"a": 1, "b": 5}


@pytest.mark.law("D4")
def test_a_seeded_request_is_not_disturbed_by_pauses_and_discarded_samples():
    def flat(requests):
        return torch.zeros(len(requests), VOCAB)

    quiet = request("a", temperature=1.0, seed=5)
    runner = runner_with(quiet, forward=flat)
    runner.step(SchedulerOutput(new=[quiet]))
    for _ in range(5):
        runner.step(SchedulerOutput())

    busy = request("a", temperature=1.0, seed=5)
    runner = runner_with(busy, forward=flat)
    runner.step(SchedulerOutput(new=[busy], partial_prefill={"a"}))
    runner.step(SchedulerOutput())
    runner.step(SchedulerOutput(unscheduled={"a"}))
    runner.step(SchedulerOutput(resumed=["a"]))
    while len(busy.output_token_ids) < 6:
        runner.step(SchedulerOutput())
    assert busy.output_token_ids == quiet.output_token_ids


@pytest.mark.law("B6")
@pytest.mark.parametrize("dialect", Dialect)
def test_min_tokens_holds_through_moves_in_every_dialect(dialect):
    def wants_to_stop(requests):
        logits = torch.zeros(len(requests), VOCAB)
        logits[:, 3] = 9.0
        return logits

    names = "abcd"
    runner = runner_with(forward=wants_to_stop, dialect=dialect)
    requests = [request(name, min_tokens=4 if name == "d" else 0, stop_token_ids=[3]) for name in names]
    for each in requests:
        runner.add_request(each)
    runner.step(SchedulerOutput(new=requests, swaps=[(0, 3)]))
    runner.step(SchedulerOutput(finished={"a"}, swaps=[(0, 1)]))
    for _ in range(4):
        runner.step(SchedulerOutput())
    assert requests[3].output_token_ids == [0, 0, 0, 0, 3, 3]
    assert requests[1].output_token_ids == [3] * 6


@pytest.mark.law("D6")
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (request("x", extra_args={"no": 1}), "extra_args"),
        (request("x", logit_bias={VOCAB: 1.0}), "vocab_size=11"),
        (request("a"), "'a' is in use"),
    ],
)
def test_a_rejected_request_changes_nothing(bad, message):
    a = request("a")
    runner = runner_with(a)
    runner.step(SchedulerOutput(new=[a]))
    with pytest.raises(ValueError, match=message):
        runner.add_request(bad)
    with pytest.raises(ValueError, match="add_request"):
        runner.step(SchedulerOutput(new=[bad]))
    assert runner.step(SchedulerOutput()) == {"a": 2}


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        ({"finished": {"z"}}, "finished='z'.*never arrived"),
        ({"unscheduled": {"w"}}, "unscheduled='w'.*not running"),
        ({"unscheduled": {"a"}, "finished": {"a"}}, "unscheduled='a'"),
        ({"resumed": ["a"]}, "resumed='a'.*not been unscheduled"),
        ({"resumed": ["p"], "finished": {"p"}}, "finished='p'.*this very step"),
        ({"partial_prefill": {"p"}}, "partial_prefill='p'"),
        ({"partial_prefill": {"a"}, "finished": {"a"}}, "partial_prefill='a'"),
        ({"new": [request("w")]}, "new='w'.*this very object"),
        ({"swaps": [(0, 1)]}, r"\(0, 1\)"),
    ],
)
def test_a_wrong_decision_changes_nothing(decision, message):
    a, p, w = request("a"), request("p"), request("w")
    runner = runner_with(a, p, w)
    runner.step(SchedulerOutput(new=[a, p]))
    runner.step(SchedulerOutput(unscheduled={"p"}))
    with pytest.raises(ValueError, match=message):
        runner.step(SchedulerOutput(**decision))
    assert len(Watcher.last.updates) == 2
    assert runner.step(SchedulerOutput(new=[w], resumed=["p"])) == {"a": 3, "w": 1, "p": 2}


def test_a_request_may_finish_before_it_runs_or_while_it_sits_out():
    a, w = request("a"), request("w")
    runner = runner_with(a, w)
    runner.step(SchedulerOutput(new=[a]))
    runner.step(SchedulerOutput(unscheduled={"a"}))
    assert runner.step(SchedulerOutput(finished={"a", "w"})) == {}
    runner.add_request(request("a"))


def test_more_requests_than_slots_are_refused():
    requests = [request(str(number)) for number in range(5)]
    with pytest.raises(ValueError, match="max_num_reqs=4"):
        runner_with(*requests).step(SchedulerOutput(new=requests))


def test_a_forward_pass_of_the_wrong_shape_is_named():
    a = request("a")
    runner = runner_with(a, forward=lambda requests: torch.zeros(1, VOCAB + 1))
    with pytest.raises(ValueError, match=r"\(1, 11\).*\(1, 12\)"):
        runner.step(SchedulerOutput(new=[a]))
