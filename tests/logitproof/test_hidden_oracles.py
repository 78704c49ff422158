"""Oracles about what rows do not show: each fault here is found by one of them alone, and its twin by none."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
import time
from dataclasses import replace

import pytest
import torch

from logitproof.lockstep import Arrival, Budget, Report, Severity, Step, run
from logitproof.lockstep.hunt import Hunt
from logitproof.lockstep.loans import Loans, TokenList
from logitproof.lockstep.watchdog import Watchdog
from logitproof.spec import LogitsProcessor, SamplingParams

USED = SamplingParams(min_p=0.5, extra_args={"words": [3, 1, 2]})
POOL = (SamplingParams(), USED)
P, Q = (Arrival(name, params=0, row=row) for row, name in enumerate("PQ"))
A, B, C, D = (Arrival(name, params=1, row=row) for row, name in enumerate("ABCD"))


class Rows(LogitsProcessor):
    """Remembers who sits where, and does nothing with it."""

    def __init__(self, config, device, is_pin_memory):
        self.rows = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.rows.pop(row, None)
        for row, params, prompt, outputs in batch_update.added:
            self.rows.pop(row, None)
            if params.min_p:
                self.rows[row] = (params, prompt, outputs)
        for source, destination, how in batch_update.moved:
            left, right = self.rows.pop(source, None), self.rows.pop(destination, None)
            if left is not None:
                self.rows[destination] = left
            if right is not None and how.name == "SWAP":
                self.rows[source] = right

    def apply(self, logits):
        return logits


def all_of(result):
    return [(finding.oracle, finding.severity) for finding in (*result.faults, *result.warnings)]


# --- nothing kept -----------------------------------------------------------------------------------------------------


class KeepsEveryOutputList(Rows):
    def update_state(self, batch_update):
        super().update_state(batch_update)
        self.everybody = [*getattr(self, "everybody", ()), *self.rows.values()]


class KeepsInAClosure(Rows):
    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        kept = []

        def keep(rows):
            kept.extend(rows)

        self.keep = keep

    def update_state(self, batch_update):
        super().update_state(batch_update)
        self.keep(self.rows.values())


class KeepsInTheModule(Rows):
    def update_state(self, batch_update):
        super().update_state(batch_update)
        KEPT.extend(self.rows.values())


KEPT: list[object] = []


class LetsGoInCycles(Rows):
    """What it drops lies in a cycle, so that only the garbage collector frees it."""

    def update_state(self, batch_update):
        super().update_state(batch_update)
        cycle = [*self.rows.values()]
        cycle.append(cycle)


class ClearsASlotWhenItIsUsedAgain(Rows):
    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.last = {}

    def update_state(self, batch_update):
        super().update_state(batch_update)
        self.last |= self.rows


ONE_AFTER_THE_OTHER = (
    Step(new=(A,)),
    Step(finished=("A",), new=(B,)),
    Step(finished=("B",), new=(C,)),
    Step(finished=("C",)),
)


@pytest.mark.law("C6")
@pytest.mark.parametrize("processor", [KeepsEveryOutputList, KeepsInAClosure, KeepsInTheModule])
def test_a_processor_that_keeps_every_request_is_found(target_of, history_of, processor):
    KEPT.clear()
    result = run(history_of(*ONE_AFTER_THE_OTHER, params=POOL, slots=1), target_of(processor))
    assert all_of(result) == [("kept", Severity.FAULT)]
    assert "A, B" in result.faults[0].summary


def test_the_finding_says_where_it_is_kept(target_of, history_of):
    result = run(history_of(*ONE_AFTER_THE_OTHER, params=POOL, slots=1), target_of(KeepsEveryOutputList))
    assert result.faults[0].summary.startswith("self.everybody")


@pytest.mark.law("C6")
@pytest.mark.parametrize("processor", [Rows, LetsGoInCycles])
@pytest.mark.parametrize("shared", [A, replace(A, prompt=None)])
def test_a_processor_that_lets_go_is_clean(target_of, history_of, processor, shared):
    """The last request shares its params with those that have ended, and one is waiting: both are held by right."""
    history = history_of(
        *ONE_AFTER_THE_OTHER, Step(new=(D, replace(shared, name="E"))), Step(unscheduled=("D",)), Step(),
        params=POOL, slots=2,
    )  # fmt: skip
    gc.disable()
    try:
        assert not all_of(run(history, target_of(processor)))
    finally:
        gc.enable()


@pytest.mark.law("C6")
def test_what_a_slot_holds_until_it_is_used_again_is_a_warning(target_of, history_of):
    history = history_of(
        Step(new=(A, B)), Step(finished=("B",)), Step(finished=("A",)), Step(new=(P,)), params=POOL
    )
    assert all_of(run(history, target_of(ClearsASlotWhenItIsUsedAgain))) == [("kept", Severity.WARNING)]


# --- nothing written --------------------------------------------------------------------------------------------------


class SortsTheWords(Rows):
    def update_state(self, batch_update):
        super().update_state(batch_update)
        for params, _prompt, _outputs in self.rows.values():
            self.sorted(params.extra_args["words"])

    def sorted(self, words):
        words.sort()


class SortsACopy(SortsTheWords):
    def sorted(self, words):
        return sorted(words)


class PadsThePrompt(Rows):
    def update_state(self, batch_update):
        super().update_state(batch_update)
        for _params, prompt, _outputs in self.rows.values():
            prompt.append(0)


class EatsOutputs(Rows):
    def update_state(self, batch_update):
        super().update_state(batch_update)
        for _params, _prompt, outputs in self.rows.values():
            outputs.clear()


@pytest.mark.law("D4", "C5")
@pytest.mark.parametrize(
    ("processor", "what"),
    [(SortsTheWords, "extra_args"), (PadsThePrompt, "prompt_token_ids"), (EatsOutputs, "output_token_ids")],
)
@pytest.mark.parametrize("last", [Step(), Step(finished=("A",))])
def test_a_processor_that_writes_into_a_request_is_found(target_of, history_of, processor, what, last):
    history = history_of(Step(new=(A, P)), Step(), last, params=POOL)
    result = run(history, target_of(processor))
    assert all_of(result) == [("written", Severity.FAULT)]
    assert f"{what} of A" in result.faults[0].summary
    assert history.params[1].extra_args == {"words": [3, 1, 2]}, "a history can be played again"


@pytest.mark.law("D4")
def test_a_processor_that_sorts_a_copy_is_clean(target_of, history_of):
    history = history_of(Step(new=(A, P)), Step(), Step(finished=("A",)), params=POOL)
    assert not all_of(run(history, target_of(SortsACopy)))


class Lazy:
    def __init__(self):
        self.pattern = "ab"

    def compiled(self):
        self.automaton = [*self.pattern]


@pytest.mark.parametrize(
    ("touch", "changed"), [(Lazy.compiled, 0), (lambda lazy: setattr(lazy, "pattern", ""), 1)]
)
def test_a_value_computed_once_and_kept_is_no_change_of_the_params(history_of, touch, changed):
    params = (SamplingParams(extra_args={"lazy": Lazy(), "plain": (1, [2.5, None])}),)
    loans = Loans(history_of(params=params))
    request = loans.lend(Arrival("A"))
    touch(request.params.extra_args["lazy"])
    assert len([*loans.changes(request)]) == changed


@pytest.mark.parametrize("array", [torch.arange(3), torch.arange(3).numpy(), [torch.arange(3)]])
def test_arrays_in_the_params_are_compared_by_their_values(history_of, array):
    loans = Loans(history_of(params=(SamplingParams(extra_args={"table": array}),)))
    request = loans.lend(Arrival("A"))
    assert not [*loans.changes(request)]
    table = request.params.extra_args["table"]
    (table if not isinstance(table, list) else table[0])[1] = 7
    assert [*loans.changes(request)] == ["extra_args of A"]


def test_requests_with_one_position_share_params_and_prompt_as_in_an_engine(history_of):
    loans = Loans(history_of(params=POOL))
    one, other = loans.lend(A), loans.lend(B)
    assert one.params is other.params
    assert one.params == USED
    assert one.params is not USED
    assert one.prompt_token_ids is other.prompt_token_ids


def test_a_token_list_is_a_list_in_everything_else():
    tokens = TokenList([3, 1])
    tokens.append(2)
    assert tokens == [3, 1, 2]
    assert isinstance(tokens, list)
    assert torch.equal(torch.tensor(tokens), torch.tensor([3, 1, 2]))
    assert type([*tokens, 1]) is type(tokens[:1]) is list


# --- two copies -------------------------------------------------------------------------------------------------------


class BreaksTiesAtRandom(Rows):
    """Adds less than any tolerance, but two ranks that do so may choose different tokens."""

    def noise(self, logits, outputs):
        return torch.rand(logits.shape[1])

    def apply(self, logits):
        for row, (_params, _prompt, outputs) in self.rows.items():
            logits[row] += 1e-6 * self.noise(logits, outputs)
        return logits


class BreaksTiesAtRandomBehindAFork(BreaksTiesAtRandom):
    """The global generator is left as it was, so that two calls in one process draw the same."""

    def noise(self, logits, outputs):
        with torch.random.fork_rng():
            return super().noise(logits, outputs)


class BreaksTiesBySeed(BreaksTiesAtRandom):
    def noise(self, logits, outputs):
        return torch.rand(logits.shape[1], generator=torch.Generator().manual_seed(len(outputs)))


@pytest.mark.law("D4")
@pytest.mark.parametrize("processor", [BreaksTiesAtRandom, BreaksTiesAtRandomBehindAFork])
def test_a_processor_that_depends_on_more_than_its_requests_is_found(target_of, history_of, processor):
    result = run(history_of(Step(new=(A, P)), params=POOL), target_of(processor))
    assert all_of(result) == [("copies", Severity.FAULT)]


@pytest.mark.law("D4")
def test_a_processor_with_a_generator_of_its_own_is_clean(target_of, history_of):
    history = history_of(
        Step(new=(A, P)), Step(swaps=((0, 1),)), Step(finished=("A", "P")), Step(), params=POOL
    )
    assert not all_of(run(history, target_of(BreaksTiesBySeed)))


# --- guard rows -------------------------------------------------------------------------------------------------------


def has_room(logits):
    """Whether a kernel that runs over meets somebody's memory; torch refuses where there is none."""
    return logits.untyped_storage().nbytes() > logits.nbytes


class WritesPastTheBatch(Rows):
    def apply(self, logits):
        rows, vocab = logits.shape
        if has_room(logits):
            torch.as_strided(logits, (rows + 1, vocab), (vocab, 1))[-1] = 0.25
        return logits


class WritesBeforeTheBatch(Rows):
    def apply(self, logits):
        vocab = logits.shape[1]
        if has_room(logits):
            torch.as_strided(logits, (vocab,), (1,), logits.storage_offset() - vocab).zero_()
        return logits


class WritesWhatItFinds(Rows):
    """Through a flat view, within the batch."""

    def apply(self, logits):
        flat = logits.view(-1)
        flat[-1:] = flat[-1:].clone()
        return logits


@pytest.mark.law("D1")
@pytest.mark.parametrize(
    ("processor", "where"), [(WritesPastTheBatch, "after"), (WritesBeforeTheBatch, "before")]
)
def test_a_processor_that_writes_outside_the_logits_is_found(target_of, history_of, processor, where):
    result = run(history_of(Step(new=(A, P)), params=POOL), target_of(processor))
    assert all_of(result) == [("guard", Severity.FAULT)]
    assert where in result.faults[0].summary


@pytest.mark.law("D1")
@pytest.mark.parametrize("slots", [2, 8])
def test_a_processor_that_writes_through_a_flat_view_is_clean(target_of, history_of, slots):
    history = history_of(Step(new=(A, P)), Step(finished=("P",)), params=POOL, slots=slots)
    assert not all_of(run(history, target_of(WritesWhatItFinds)))


# --- idle work --------------------------------------------------------------------------------------------------------


class BuildsAlways(Rows):
    def is_due(self, before):
        return True

    def update_state(self, batch_update):
        before = dict(self.rows)
        super().update_state(batch_update)
        if self.is_due(before):
            self.table = torch.tensor([*self.rows], dtype=torch.int64)


class BuildsWhenItsRowsChange(BuildsAlways):
    def is_due(self, before):
        return before != self.rows


class LooksAtTheLogits(Rows):
    def apply(self, logits):
        assert logits[0, 0].item() < 100
        return logits


class CompilesOnly(BuildsAlways):
    """Cannot be watched, as some compiled code."""

    def apply(self, logits):
        if torch.utils._python_dispatch._len_torch_dispatch_stack():
            raise RuntimeError("not under a mode")
        return logits


IDLE = (Step(new=(P,)), Step(), Step(new=(Q,)), Step(finished=("P",)))


@pytest.mark.law("D3")
@pytest.mark.parametrize(
    ("processor", "figure"),
    [(BuildsAlways, "tensors made: 1 "), (LooksAtTheLogits, "waits for the device: 1 ")],
)
def test_work_for_nobody_is_a_warning_with_figures(target_of, history_of, processor, figure):
    result = run(history_of(*IDLE, params=POOL), target_of(processor))
    assert all_of(result) == [("idle-work", Severity.WARNING)]
    assert figure in str(result.warnings[0].figures[0])


@pytest.mark.law("D3")
@pytest.mark.parametrize("processor", [BuildsWhenItsRowsChange, CompilesOnly])
def test_work_for_somebody_is_not_idle(target_of, history_of, processor):
    history = history_of(Step(new=(A, P)), Step(finished=("A",)), Step(), Step(new=(Q,)), params=POOL)
    assert not all_of(run(history, target_of(processor)))


def test_a_processor_that_acts_on_every_request_is_not_idle(target_of, history_of):
    class Watermark(Rows):
        def apply(self, logits):
            return logits.add_(torch.full_like(logits, 0.5))

    assert all_of(run(history_of(*IDLE, params=POOL), target_of(Watermark))) == []


def test_measuring_does_not_import_the_compiler(tmp_path):
    code = (
        "import sys, torch; from logitproof.lockstep.second_copy import _Meter\n"
        "with torch.inference_mode(), _Meter() as meter: torch.tensor([1.0]).add(1).sum().item()\n"
        "assert (meter.made, meter.syncs) == (3, 1), meter.names\n"
        "assert 'torch._dynamo' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


class EndsByTheClock(Rows):
    """A batch that lasts longer than its solo runs differs from them, now and then."""

    def update_state(self, batch_update):
        super().update_state(batch_update)
        for row, params, _, _ in batch_update.added if batch_update else ():
            if params.min_p and row in self.rows:
                self.rows[row] = time.monotonic()

    def apply(self, logits):
        for row, began in self.rows.items():
            if isinstance(began, float) and time.monotonic() > began + 3600:
                logits[row] += 1.0
        return logits


def test_the_clock_of_a_second_instance_runs_fast_and_that_of_everybody_else_does_not(target_of, history_of):
    before = time.monotonic()
    history = history_of(Step(new=(A,)), Step(), params=POOL)
    faults = run(history, target_of(EndsByTheClock)).faults
    assert [(finding.oracle, finding.step) for finding in faults] == [("copies", 2)]
    assert time.monotonic() - before < 3600


class SoloDiffersOnce(Rows):
    """Every instance is unlike the others, so the solo oracle speaks; told again, a second copy says why."""

    def apply(self, logits):
        for row in self.rows:
            logits[row] += float(torch.rand(()))
        return logits


def test_what_two_instances_disagree_about_is_played_again_as_that(target_of, history_of):
    target = target_of(SoloDiffersOnce)
    history = history_of(Step(new=(A, P)), *[Step()] * 9, params=POOL, seed=1)
    faults = run(history, target).faults
    assert faults[0].oracle == "solo"  # nine steps and another seed: no second copy
    caught = Hunt(Report(target), Budget(), Watchdog(10.0, math.inf)).caught(history, faults)
    assert "copies" in {finding.oracle for finding in caught.findings}
    assert len(caught.history.steps) == 1
