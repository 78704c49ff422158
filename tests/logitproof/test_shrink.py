"""The structural pass: it ends, keeps the finding, and leaves nothing that is not needed."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logitproof.impl.processors.min_p import MinPLogitsProcessor
from logitproof.lockstep import Arrival, History, Report, Step, histories, run
from logitproof.lockstep import Budget as BudgetOfRuns
from logitproof.lockstep.counterfactual import moves
from logitproof.lockstep.history import first_fault
from logitproof.lockstep.hunt import FEW_STEPS, Hunt
from logitproof.lockstep.repair import repair
from logitproof.lockstep.shrink import shrink
from logitproof.lockstep.watchdog import Watchdog
from logitproof.spec import LogitsProcessor, SamplingParams
from logitproof.targets import Target, load_target

MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"


@settings(max_examples=60, deadline=None)
@given(histories(load_target(MIN_P)))
def test_whatever_is_cut_out_can_be_repaired(history):
    for number in range(min(6, len(history.steps))):
        cut = replace(history, steps=history.steps[:number] + history.steps[number + 1 :])
        assert first_fault(repair(cut)) is None
    assert repair(history) == history


def test_only_what_is_needed_is_left(history_of):
    crowd = tuple(Arrival(name, params=1, row=3, outputs=(1, 2), prompt=None) for name in "WXYZ")
    history = history_of(
        Step(new=crowd[:2], swaps=((0, 1),)), Step(), Step(new=crowd[2:]), Step(finished=("W",), partial=("X",)),
        Step(unscheduled=("X",)), Step(resumed=("X",), swaps=((0, 2), (1, 2))), Step(finished=("Z",)), seed=3,
    )  # fmt: skip
    smallest = shrink(history, lambda candidate: any(step.finished for step in candidate.steps))
    assert smallest == History(
        steps=(Step(new=(Arrival("A"),)), Step(finished=("A",))),
        params=(SamplingParams(),),
        prompts=((0,),),
        slots=1,
    )


def test_params_are_made_plain_field_by_field(history_of):
    params = SamplingParams(min_p=0.5, stop_token_ids=[1, 2, 3], logit_bias={1: 2.0, 4: 1.0}, min_tokens=3)
    history = history_of(Step(new=(Arrival("A", params=1),)), params=(SamplingParams(), params))

    def needs_two_stop_tokens(candidate):
        return any(2 in candidate.params[arrival.params].stop_token_ids for arrival in candidate.arrivals())

    smallest = shrink(history, needs_two_stop_tokens)
    assert smallest.params[1] == SamplingParams(stop_token_ids=[2])


def test_neighbouring_steps_become_one(history_of):
    history = history_of(*[Step(new=(Arrival(name),)) for name in "ABC"])
    smallest = shrink(history, lambda candidate: sum(1 for _ in candidate.arrivals()) == 3)
    assert len(smallest.steps) == 1


def test_the_number_of_runs_is_bounded(history_of):
    runs = []
    history = history_of(*[Step(new=(Arrival(name),)) for name in "ABCDEF"])
    shrink(history, lambda candidate: runs.append(candidate) or False, most_runs=10)
    assert len(runs) <= 11


@pytest.mark.law("D4")
def test_the_same_oracle_speaks_about_the_smaller_history(target_of, history_of):
    class SpillsOver(MinPLogitsProcessor):
        """Touches every row as soon as two requests are there."""

        def apply(self, logits):
            return logits.add_(1) if len(logits) > 1 else logits

    target = target_of(SpillsOver)
    history = history_of(*[Step(new=(Arrival(name, row=row),)) for row, name in enumerate("ABCDEF")])

    def speaks(candidate):
        faults = run(candidate, target).faults
        return bool(faults) and faults[0].oracle == "untouched"

    smallest = shrink(history, speaks)
    assert speaks(smallest)
    assert [len(step.new) for step in smallest.steps] == [2]


def test_a_step_in_which_nothing_changes_becomes_an_output(history_of):
    history = history_of(Step(new=(Arrival("A", script=(3, 4)),)), *[Step()] * 5)

    def has_said_three(candidate):
        said = [len(arrival.outputs) + len(candidate.steps) for arrival in candidate.arrivals()]
        return any(number >= 4 for number in said)

    smallest = shrink(history, has_said_three)
    assert smallest.steps == (Step(new=(Arrival("A", outputs=(0, 0, 0)),)),)


def test_the_engines_own_numbers_are_lowered_but_custom_arguments_stay_as_the_strategy_made_them(history_of):
    params = SamplingParams(min_tokens=9, extra_args={"budget": 12})
    history = history_of(Step(new=(Arrival("A", params=1),)), params=(SamplingParams(), params))

    def needs_some(candidate):
        return any(
            params.min_tokens >= 3 and (params.extra_args or {}).get("budget", 0) >= 2
            for params in candidate.params
        )

    smallest = shrink(history, needs_some).params[-1]
    assert (smallest.min_tokens, smallest.extra_args) == (3, {"budget": 12})


def test_a_bystander_goes_although_it_stands_below_those_who_are_swapped(history_of):
    def swaps_a_user_of_min_p(candidate):
        return any(
            len(candidate.params) > 1 and step.swaps and any(arrival.params for arrival in step.new)
            for step in candidate.steps
        )

    history = history_of(Step(new=(Arrival("A"), Arrival("B"), Arrival("C", params=1)), swaps=((1, 2),)))
    (step,) = shrink(history, swaps_a_user_of_min_p).steps
    assert (len(step.new), step.swaps) == (2, ((0, 1),))


def test_nobody_moves_where_that_is_not_needed(history_of):
    """A leaves from the front, or after a swap: the failure is about its leaving, so it leaves from the end."""
    moving = [
        history_of(Step(new=(Arrival("A", params=1), Arrival("B"))), Step(finished=("A",))),
        history_of(Step(new=(Arrival("B"), Arrival("A", params=1)), swaps=((0, 1),)), Step(finished=("A",))),
    ]

    def needs_both(candidate):
        used = {arrival.name for arrival in candidate.arrivals() if arrival.params}
        return sum(1 for _ in candidate.arrivals()) == 2 and any(
            used & {*step.finished} for step in candidate.steps
        )

    for history in moving:
        assert moves(history)
        assert moves(shrink(history, needs_both)) == 0


def test_a_long_list_of_outputs_is_cut_in_few_runs(history_of):
    history = history_of(Step(new=(Arrival("A", outputs=(0,) * 270),)))
    runs = []

    def needs_a_hundred(candidate):
        runs.append(candidate)
        return any(len(arrival.outputs) >= 100 for arrival in candidate.arrivals())

    (arrival,) = shrink(history, needs_a_hundred).arrivals()
    assert len(arrival.outputs) == 100
    assert len(runs) < 150


class Budget(LogitsProcessor):
    """Counts the tokens since it was told, which takes a budget's length to show."""

    def __init__(self, config, device, is_pin_memory):
        self.rows = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        for row, params, _, outputs in batch_update.added if batch_update else ():
            budget = (params.extra_args or {}).get("budget", 1 << 30)
            self.rows[row] = len(outputs) + budget, outputs

    def apply(self, logits):
        if len(logits) == 1 and len(self.rows[0][1]) >= self.rows[0][0]:
            logits[0, 1:] = -100.0
        return logits


def test_params_with_which_it_fails_sooner_are_looked_for(history_of):
    budgets = st.builds(SamplingParams, extra_args=st.fixed_dictionaries({"budget": st.integers(2, 20)}))
    target = Target("Budget", make=Budget, params_for=lambda vocab: budgets, params_from="the test")
    pool = (SamplingParams(), SamplingParams(extra_args={"budget": 9}))
    history = history_of(Step(new=(Arrival("A", params=1),)), *[Step()] * 12, params=pool)
    faults = run(history, target, thorough=True).faults
    assert faults[0].step == 10
    caught = Hunt(Report(target), BudgetOfRuns(), Watchdog(10.0, inf)).caught(history, faults)
    assert len(caught.history.steps) <= FEW_STEPS
    assert caught.history.params[-1].extra_args["budget"] in range(2, 21)
