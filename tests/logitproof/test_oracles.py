"""Every oracle speaks about the fault it is there for, and is silent about a processor without it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from logitproof.impl.persistent_batch import PersistentBatch
from logitproof.impl.processors.min_p import MinPLogitsProcessor
from logitproof.lockstep import ORACLES, Arrival, Severity, Step, run
from logitproof.spec import Dialect, LogitsProcessor, SamplingParams
from logitproof.targets import TargetError

A, B, C = (Arrival(name, params=1, row=row) for row, name in enumerate("ABC"))
PLAIN = Arrival("P", params=0, row=5)


class Quiet(LogitsProcessor):
    """Does nothing; the faults below are what they change of it."""

    def __init__(self, config, device, is_pin_memory):
        self.rows = 0

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is not None:
            self.rows = batch_update.batch_size

    def apply(self, logits):
        return logits


def codes(result):
    return {finding.oracle for finding in (*result.faults, *result.warnings)}


# --- the engine -------------------------------------------------------------------------------------------------------


class Engine(PersistentBatch):
    """Ours, with one fault: `corrupt` gets the update and the batch's own list."""

    def __init__(self, dialect, slots, corrupt):
        super().__init__(dialect, slots)
        self.corrupt = corrupt

    def step(self, **plan):
        return self.corrupt(super().step(**plan), self._slots)


def swap_two_slots(update, slots):
    slots[:2] = slots[1::-1]
    return update


def say_none(update, slots):
    return None


def miscount(update, slots):
    return update and replace(update, batch_size=update.batch_size + 1)


def announce_an_extra_removal(update, slots):
    return update and replace(update, removed=[*update.removed, 7])


def forget_the_moves(update, slots):
    return update and replace(update, moved=[])


def add_somebody_else(update, slots):
    if update is None or not update.added:
        return update
    index, params, prompt, _ = update.added[0]
    return replace(update, added=[(index, params, prompt, []), *update.added[1:]])


def duplicate_a_request(update, slots):
    slots[0] = slots[1]
    return update


@pytest.mark.law("B1", "B5", "B7", "B8", "C2", "C5")
@pytest.mark.parametrize(
    ("corrupt", "oracle"),
    [
        (swap_two_slots, "batch"),
        (say_none, "none"),
        (miscount, "size"),
        (announce_an_extra_removal, "update"),
        (forget_the_moves, "replay"),
        (add_somebody_else, "replay"),
        (duplicate_a_request, "invariant"),
    ],
)
def test_an_engine_fault_is_found(target_of, history_of, corrupt, oracle):
    history = history_of(Step(new=(A, B, C), swaps=((0, 2),)))
    target = target_of(Quiet, make_engine=lambda dialect, slots: Engine(dialect, slots, corrupt))
    assert oracle in codes(run(history, target))


@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_sound_engine_and_an_idle_processor_raise_nothing(target_of, history_of, dialect):
    history = history_of(
        Step(new=(A, B, C), swaps=((0, 2),)), Step(finished=("C",)), Step(), Step(unscheduled=("B",)),
        Step(resumed=("B",)), Step(finished=("A", "B")), dialect=dialect,
    )  # fmt: skip
    assert not codes(run(history, target_of(Quiet)))


# --- the processor ----------------------------------------------------------------------------------------------------


class Transposes(Quiet):
    def apply(self, logits):
        return logits.T


class Halves(Quiet):
    def apply(self, logits):
        return logits.half()


class ReturnsNothing(Quiet):
    def apply(self, logits):
        return None


class Copies(Quiet):
    def apply(self, logits):
        return logits.clone()


class NaNs(Quiet):
    def apply(self, logits):
        logits[0, 3] = float("nan")
        return logits


class Bans(Quiet):
    def apply(self, logits):
        logits[0] = float("-inf")
        return logits


class LiesAboutArgmax(Quiet):
    def is_argmax_invariant(self):
        return True

    def apply(self, logits):
        return logits.neg_()


class SpillsOver(Quiet):
    """Touches every row as soon as two requests are there: alone, each is left alone."""

    def apply(self, logits):
        return logits.add_(1) if len(logits) > 1 else logits


class CountsCalls(Quiet):
    """Its rows depend on how long the instance has lived: nothing that a fresh one could know."""

    def __init__(self, config, device, is_pin_memory):
        self.calls = 0

    def apply(self, logits):
        self.calls += 1
        return logits.add_(self.calls > 1)


class RaisesOnUpdate(Quiet):
    def update_state(self, batch_update):
        if batch_update is not None and batch_update.moved:
            raise IndexError("row 7")


class RaisesOnApply(Quiet):
    def apply(self, logits):
        if len(logits) > 1:
            raise KeyError("no row")
        return logits


class RaisesAlone(Quiet):
    def apply(self, logits):
        if len(logits) == 1:
            raise ValueError("alone")
        return logits


class RaisesWhenRebuilt(Quiet):
    def update_state(self, batch_update):
        super().update_state(batch_update)
        if batch_update is not None and len(batch_update.added) > 2:
            raise RuntimeError("too many at once")


@pytest.mark.law("C1", "D1", "D2", "D3", "D4", "D5", "D8")
@pytest.mark.parametrize(
    ("processor", "oracle"),
    [
        (Transposes, "shape"),
        (Halves, "shape"),
        (ReturnsNothing, "shape"),
        (Copies, "identity"),
        (NaNs, "nonfinite"),
        (Bans, "nonfinite"),
        (LiesAboutArgmax, "argmax"),
        (SpillsOver, "untouched"),
        (SpillsOver, "solo"),
        (CountsCalls, "rebuild"),
        (RaisesOnUpdate, "crash"),
        (RaisesOnApply, "crash"),
        (RaisesAlone, "crash"),
        (RaisesWhenRebuilt, "crash"),
    ],
)
def test_a_processor_fault_is_found(target_of, history_of, processor, oracle):
    history = history_of(
        Step(new=(PLAIN,)), Step(new=(replace(PLAIN, name="Q"),), swaps=((0, 1),)), Step(new=(A,))
    )
    assert oracle in codes(run(history, target_of(processor)))


@pytest.mark.law("D4")
def test_the_reference_is_compared_with_every_row(history_of, min_p):
    wrong = replace(min_p, reference=lambda params, prompt, outputs, row: [0.0, *row[1:]])
    assert codes(run(history_of(Step(new=(A,))), wrong)) == {"reference"}
    assert not codes(run(history_of(Step(new=(A,))), min_p))


@pytest.mark.parametrize("reference", [lambda params, prompt, outputs, row: row[1:], lambda *_: 1 / 0])
def test_a_reference_at_fault_is_not_blamed_on_the_target(history_of, min_p, reference):
    with pytest.raises(TargetError, match="the reference"):
        run(history_of(Step(new=(A,))), replace(min_p, reference=reference))


@pytest.mark.law("D3")
def test_a_needless_copy_is_a_warning_and_no_fault(target_of, history_of):
    result = run(history_of(Step(new=(PLAIN,))), target_of(Copies))
    assert not result.faults
    assert [warning.severity for warning in result.warnings] == [Severity.WARNING]


@pytest.mark.law("D5", "E2")
def test_an_argmax_invariant_processor_is_not_applied_to_an_all_greedy_batch(target_of, history_of):
    history = history_of(Step(new=(PLAIN,)), params=(SamplingParams(temperature=0),))
    assert not codes(run(history, target_of(LiesAboutArgmax)))


@pytest.mark.law("C4")
def test_update_state_is_called_once_per_step_and_with_none(target_of, history_of):
    calls = []

    class Listens(Quiet):
        def update_state(self, batch_update):
            calls.append((id(self), batch_update))

    run(history_of(Step(new=(PLAIN,)), Step(), Step(finished=("P",)), Step()), target_of(Listens))
    batch_instance = calls[0][0]
    told = [update for instance, update in calls if instance == batch_instance]
    assert [update is None for update in told] == [False, True, False, True]


def test_every_oracle_is_documented_and_distinct():
    assert len({oracle.code for oracle in ORACLES}) == len(ORACLES)
    assert all(oracle.sentence and oracle.laws for oracle in ORACLES)


def test_a_token_on_a_cutoff_may_fall_either_way(history_of, min_p):
    """The row has a token exactly where its probability is min_p of the best one's, but for the last bit of a float."""

    class Rounds(MinPLogitsProcessor):
        def apply(self, logits):
            kept = logits >= logits.amax(dim=1, keepdim=True) - torch.tensor(1.0 - 1e-7)
            return torch.where(kept, logits, float("-inf"))

    def reference(params, prompt, outputs, row):
        return [logit if logit >= max(row) - 1.0 else float("-inf") for logit in row]

    history = history_of(*[Step(new=(replace(A, row=row, name=f"R{row}"),)) for row in range(8)])
    assert not codes(run(history, replace(min_p, make=Rounds, reference=reference)))


@pytest.mark.law("D8")
def test_an_emptied_row_is_named_before_the_best_token_that_it_lost(target_of, history_of):
    class Empties(Quiet):
        def is_argmax_invariant(self):
            return True

        def apply(self, logits):
            return logits.fill_(float("-inf"))

    faults = run(history_of(Step(new=(A,))), target_of(Empties)).faults
    assert [fault.oracle for fault in faults] == ["nonfinite", "argmax"]
