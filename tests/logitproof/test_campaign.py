"""Budgets, verdicts and reproducibility of a fuzzing run."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import strategies as st

from logitproof.lockstep import Budget, Report, Verdict, fuzz, histories, hunt, run
from logitproof.lockstep.batches import LARGEST_BATCH
from logitproof.lockstep.campaign import DEFAULT_DIALECTS, DEFAULT_EXAMPLES, EVERY_DTYPE
from logitproof.lockstep.generate import LONGEST
from logitproof.lockstep.hunt import SHRINKING_STEPS
from logitproof.spec import Dialect, LogitsProcessor, MoveDirectionality, SamplingParams
from logitproof.targets import TargetError, load_target
from logitproof.targets.params import params_given

MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"


class Idle(LogitsProcessor):
    def __init__(self, config, device, is_pin_memory):
        pass

    def is_argmax_invariant(self):
        return True

    def update_state(self, batch_update):
        pass

    def apply(self, logits):
        return logits


class AddsFirst(Idle):
    """As vLLM's own helper does: adds before removes, which only the redundant dialect can tell."""

    def __init__(self, config, device, is_pin_memory):
        self.rows = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row, params, _prompt, _outputs in batch_update.added:
            self.rows.pop(row, None)
            if params.min_p:
                self.rows[row] = params.min_p
        for row in batch_update.removed:
            self.rows.pop(row, None)
        for source, destination, how in batch_update.moved:
            left, right = self.rows.pop(source, None), self.rows.pop(destination, None)
            if left:
                self.rows[destination] = left
            if right and how is MoveDirectionality.SWAP:
                self.rows[source] = right

    def apply(self, logits):
        for row, bias in self.rows.items():
            logits[row] += bias
        return logits


@pytest.mark.parametrize("name", ["min_p:MinP", "logit_bias:LogitBias", "min_tokens:MinTokens"])
def test_our_processors_are_clean(name):
    report = fuzz(
        load_target(f"logitproof.impl.processors.{name}LogitsProcessor"), 1, budget=Budget(max_examples=60)
    )
    assert report.verdict is Verdict.CLEAN
    assert report.histories == 120
    assert not report.transitions.missing()
    assert not report.warnings


def test_the_same_seed_gives_the_same_run(min_p):
    one, other = (fuzz(min_p, 7, budget=Budget(max_examples=40)) for _ in range(2))
    assert (one.steps, one.transitions.counts) == (other.steps, other.transitions.counts)
    assert fuzz(min_p, 8, budget=Budget(max_examples=40)).transitions.counts != one.transitions.counts


def test_a_processor_that_changes_nothing_is_vacuous(target_of):
    report = fuzz(target_of(Idle), 0)
    assert report.verdict is Verdict.VACUOUS
    assert "never changed a logit" in report.note
    assert "--params module:strategy" in report.note
    assert (
        report.histories < len(DEFAULT_DIALECTS) * DEFAULT_EXAMPLES // 2
    )  # the rest would change nothing either


def test_too_few_histories_are_vacuous_and_what_is_missing_is_named(min_p):
    report = fuzz(min_p, 0, budget=Budget(max_examples=1))
    assert report.verdict is Verdict.VACUOUS
    assert "swap" in report.note


def test_time_that_runs_out_before_anything_happened_is_unknown(min_p):
    report = fuzz(min_p, 0, budget=Budget(max_time=1e-9))
    assert report.verdict is Verdict.OUT_OF_TIME
    assert report.histories == 0


def test_time_that_runs_out_before_the_budget_is_spent_is_not_clean(min_p):
    report = fuzz(min_p, 0, budget=Budget(max_examples=10**6, max_time=4))
    assert report.verdict is Verdict.OUT_OF_TIME
    assert f"after {report.histories} histories" in report.note


def test_a_strategy_of_something_else_is_the_users_mistake(target_of):
    with pytest.raises(TargetError, match=r"yield logitproof.SamplingParams but it yielded \{'k': 0\}"):
        fuzz(replace(target_of(AddsFirst), params_for=params_given(st.just({"k": 0}), "Mine.params")), 0)


def test_a_processor_that_exits_has_crashed(target_of):
    class Exits(AddsFirst):
        def apply(self, logits):
            raise SystemExit(0)

    report = fuzz(target_of(Exits), 0)
    assert report.caught[0].findings[0].oracle == "crash"
    assert "SystemExit" in report.caught[0].findings[0].summary


@pytest.mark.law("C1", "C3")
def test_adds_before_removes_is_a_latent_fault_in_the_redundant_dialect_only(target_of):
    target = target_of(AddsFirst)
    assert fuzz(target, 0).verdict is Verdict.CLEAN
    report = fuzz(target, 0, [Dialect.REDUNDANT])
    assert report.verdict is Verdict.LATENT
    assert len(report.caught[0].history.steps) <= 2


def test_without_shrinking_the_history_is_shown_as_found(target_of):
    class Off(AddsFirst):
        def apply(self, logits):
            return logits.add_(len(logits) > 2)

    shrunk = fuzz(target_of(Off), 0).caught[0].history
    found = fuzz(target_of(Off), 0, budget=Budget(shrink=False)).caught[0].history
    assert len(shrunk.steps) == 1
    assert sum(1 for _ in shrunk.arrivals()) == 3
    assert len(found.steps) >= len(shrunk.steps)


def test_an_interrupt_leaves_a_partial_report(min_p):
    class Stops(min_p.make):
        calls = 0

        def apply(self, logits):
            Stops.calls += 1
            if Stops.calls > 500:
                raise KeyboardInterrupt
            return super().apply(logits)

    target = replace(min_p, make=Stops)
    report = Report(target)
    with pytest.raises(KeyboardInterrupt):
        fuzz(target, 0, report=report)
    assert report.verdict is Verdict.INTERRUPTED
    assert report.steps > 0
    assert report.seconds > 0


# --- whose turn it is -------------------------------------------------------------------------------------------------


@pytest.fixture
def played(monkeypatch):
    """Every history that a campaign plays, in order."""
    histories = []

    def listening(history, *more, **options):
        histories.append(history)
        return run(history, *more, **options)

    monkeypatch.setattr(hunt, "run", listening)
    return histories


def test_dialects_take_turns_and_each_gets_its_budget(min_p, played):
    report = fuzz(min_p, 0, budget=Budget(max_examples=30))
    dialects = [history.dialect for history in played]
    assert Counter(dialects) == {Dialect.DOCUMENTED: 30, Dialect.ELIDED: 30}
    assert report.histories == 60
    assert max(len([*turn]) for _, turn in groupby(dialects)) <= LARGEST_BATCH


def test_redundant_comes_last_so_that_a_fault_of_today_is_not_called_latent(min_p, played):
    fuzz(min_p, 0, [Dialect.REDUNDANT, Dialect.ELIDED, Dialect.DOCUMENTED], Budget(max_examples=9))
    assert {history.dialect for history in played[:18]} == {Dialect.ELIDED, Dialect.DOCUMENTED}
    assert {history.dialect for history in played[18:]} == {Dialect.REDUNDANT}


class LeavesHolesAlone(AddsFirst):
    """A one-way move of a plain request spares what its destination had: only an unannounced hole shows it."""

    def update_state(self, batch_update):
        kept = dict(self.rows)
        super().update_state(batch_update)
        for source, destination, how in batch_update.moved if batch_update else ():
            one_way = how is MoveDirectionality.UNIDIRECTIONAL
            if one_way and source not in kept and destination not in batch_update.removed:
                self.rows |= {slot: bias for slot, bias in kept.items() if slot == destination}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_fault_that_the_documented_dialect_hides_does_not_wait_for_its_budget(target_of, seed):
    caught = fuzz(target_of(LeavesHolesAlone), seed, budget=Budget(shrink=False)).caught[0]
    assert caught.history.dialect is Dialect.ELIDED
    assert caught.found_after < 1000


def test_all_dtypes_take_turns(min_p, played):
    report = fuzz(min_p, 0, budget=Budget(max_examples=40), dtype="all")
    assert report.verdict is Verdict.CLEAN
    shares = Counter(history.dtype for history in played)
    assert shares.keys() == {*EVERY_DTYPE}
    assert min(shares.values()) > 10


@pytest.mark.parametrize("name", ["logit_bias:LogitBias", "min_tokens:MinTokens"])
def test_our_processors_are_clean_in_every_dtype(name):
    target = load_target(f"logitproof.impl.processors.{name}LogitsProcessor")
    assert fuzz(target, 2, budget=Budget(max_examples=30), dtype="all").verdict is Verdict.CLEAN


# --- what becomes of a failure ----------------------------------------------------------------------------------------


class SpillsOver(AddsFirst):
    """Touches every row as soon as three requests are there."""

    def apply(self, logits):
        return logits.add_(len(logits) > 2)


def test_hypothesis_shrinks_for_a_bounded_number_of_steps(target_of, played, monkeypatch):
    monkeypatch.setattr(hunt, "shrink", lambda history, still_fails, most_runs: history)
    target = target_of(SpillsOver)
    found = fuzz(target, 0, budget=Budget(shrink=False))
    before = len(played)
    caught = fuzz(target, 0).caught[0]
    assert len(caught.history.steps) < len(found.caught[0].history.steps)
    shrinking = played[before + found.histories : -1]
    assert sum(len(history.steps) for history in shrinking) <= SHRINKING_STEPS + LONGEST


class Remembers(AddsFirst):
    """Fails once in the life of the process, in whatever instance."""

    left = 1

    def apply(self, logits):
        if len(logits) > 2 and Remembers.left:
            Remembers.left = 0
            return logits.add_(1)
        return logits.mul_(1)


@pytest.mark.parametrize("shrink", [True, False])
def test_a_failure_that_does_not_come_back_is_reported_as_it_was_seen(target_of, shrink, played):
    Remembers.left = 1
    report = fuzz(target_of(Remembers), 0, budget=Budget(shrink=shrink))
    assert report.verdict is Verdict.FAILED
    (caught,) = report.caught
    assert not caught.fails_again
    assert caught.findings
    assert caught.findings[0].step == len(caught.history.steps[: caught.findings[0].step])
    assert len(played) < report.histories + 10, "what does not fail again need not be shrunk"
    assert not run(caught.history, report.target).faults


class CountsInTheParams(AddsFirst):
    """Writes into the params' own arguments: a later request with the same params is treated otherwise."""

    def update_state(self, batch_update):
        for row, params, _prompt, _outputs in batch_update.added if batch_update else ():
            if params.extra_args:
                params.extra_args["seen"] += 1
                self.rows[row] = float(params.extra_args["seen"])


def test_a_run_leaves_the_params_of_its_history_as_they_were(target_of):
    params = SamplingParams(extra_args={"seen": 0})
    target = replace(target_of(CountsInTheParams), params_for=lambda vocab: st.just(params))
    (caught,) = fuzz(target, 0).caught
    assert caught.fails_again
    assert params.extra_args == {"seen": 0}
    assert len(caught.history.steps) == 1


def test_histories_that_the_reference_does_not_fit_are_not_smaller_failures(target_of):
    def reference(params, prompt, outputs, row):
        if not prompt or not params.min_p:
            raise ZeroDivisionError
        return row

    target = target_of(SpillsOver, reference=reference)
    (caught,) = fuzz(target, 0, source=prompted).caught
    assert caught.fails_again
    assert all(caught.history.params[arrival.params].min_p for arrival in caught.history.arrivals())
    assert all(caught.history.prompts), "no engine takes an empty prompt"


def prompted(target, dialect, vocab, dtype):
    """Histories in which everybody has a prompt and uses min-p."""

    def mended(history):
        steps = tuple(
            replace(step, new=tuple(replace(arrival, prompt=0, params=0) for arrival in step.new))
            for step in history.steps
        )
        return replace(history, steps=steps, prompts=((1, 2),), params=(SamplingParams(min_p=0.5),))

    return histories(target, dialect, vocab, dtype).map(mended)


def test_params_that_the_target_refuses_do_not_come_back_while_shrinking(target_of):
    def validate(params):
        if params.min_p not in (0.0, 0.5, 0.9):
            raise ValueError("only these")
        if params.min_p == 0.0 and params.extra_args:
            raise ValueError("extra_args need min_p")

    pool = [SamplingParams(min_p=0.9, extra_args={"a": 5})]

    class Demands(AddsFirst):
        def update_state(self, batch_update):
            for _row, params, _prompt, _outputs in batch_update.added if batch_update else ():
                if params.extra_args:
                    raise KeyError(params.min_p)

    target = replace(target_of(Demands, validate=validate), params_for=lambda vocab: st.sampled_from(pool))
    (caught,) = fuzz(target, 0).caught
    assert all(params.min_p for params in caught.history.params if params.extra_args)


def test_a_crash_stays_the_same_crash_while_shrinking(target_of):
    class Crashes(AddsFirst):
        """Two faults: the one that is met with more requests must not be shrunk into the other."""

        def apply(self, logits):
            if len(logits) > 2:
                raise ValueError("three")
            if len(logits) == 2 and Crashes.is_shrinking:
                raise ValueError("two")
            Crashes.is_shrinking = Crashes.is_shrinking or len(logits) > 2
            return logits.mul_(1)

    class Listening(Crashes):
        def apply(self, logits):
            Crashes.is_shrinking |= len(logits) > 2
            return super().apply(logits)

    Crashes.is_shrinking = False
    (caught,) = fuzz(target_of(Listening), 1).caught
    assert "three" in caught.findings[0].summary
    assert caught.findings[0].place.startswith("ValueError at ")
    assert caught.fails_again


def test_a_reference_at_fault_ends_the_campaign_at_once(min_p, played):
    with pytest.raises(TargetError, match="the reference raised ZeroDivisionError"):
        fuzz(replace(min_p, reference=lambda *_: 1 / 0), 0)
    assert len(played) < 10


def test_a_target_that_refuses_plain_requests_is_not_called_flaky(target_of):
    def validate(params):
        if not params.min_p:
            raise ValueError("min_p is needed")

    (caught,) = fuzz(target_of(SpillsOver, validate=validate), 0).caught
    assert caught.fails_again
    assert len(caught.history.steps) == 1
