"""The generator: long histories, all of them valid, all corners visited, and short ones when shrunk."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean

import pytest
from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis import strategies as st

from logitproof.lockstep import History, histories, run
from logitproof.lockstep.decode import WIDTH, decode
from logitproof.lockstep.generate import histories_at_once, worlds
from logitproof.lockstep.hazards import DEFAULT_HAZARDS
from logitproof.lockstep.history import first_fault
from logitproof.lockstep.plain import is_plain
from logitproof.lockstep.transitions import Transitions
from logitproof.spec import Dialect, SamplingParams
from logitproof.targets import load_target

TARGET = load_target("logitproof.impl.processors.min_p:MinPLogitsProcessor")
QUICK = settings(
    max_examples=150,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)


def drawn(strategy, number) -> list:
    values = []

    @seed(number)
    @QUICK
    @given(strategy)
    def collect(value):
        values.append(value)

    collect()
    return values


def test_histories_are_long_on_the_average():
    lengths = [len(history.steps) for number in range(2) for history in drawn(histories(TARGET), number)]
    assert mean(lengths) > 30
    assert max(lengths) > 50


@QUICK
@given(histories(TARGET))
def test_every_draw_is_a_valid_history(history):
    assert first_fault(history) is None


@settings(max_examples=300, deadline=None)
@given(st.lists(st.binary(min_size=WIDTH, max_size=WIDTH), max_size=40), st.integers(1, 8), st.integers(1, 4))
def test_decoding_is_total(steps, slots, pool):
    world = History((), (SamplingParams(),) * pool, ((1,), ()), slots=slots)
    assert first_fault(decode(world, steps)) is None


def test_zeros_are_idle_steps():
    world = History((), (SamplingParams(),), ((),))
    assert all(step.is_idle for step in decode(world, [bytes(WIDTH)] * 5).steps)


@pytest.mark.parametrize("dialect", [Dialect.DOCUMENTED, Dialect.ELIDED])
def test_every_corner_is_met_within_the_default_budget(dialect):
    transitions = Transitions()
    for history in drawn(histories(TARGET, dialect), 0):
        run(history, TARGET, transitions)
    assert [kind for kind in transitions.table(DEFAULT_HAZARDS) if transitions.counts[kind] < 10] == []
    assert transitions.changed_a_logit


def corner(name):
    """Corners that are seen in the steps themselves."""

    def several_at_once(history):
        return any(len(step.finished) > 1 and len(step.new) > 1 for step in history.steps)

    def replaced_in_the_step_after_it_came(history):
        pairs = zip(history.steps, history.steps[1:], strict=False)
        return any({a.name for a in one.new} & {*other.finished} and other.new for one, other in pairs)

    def shared_params(history):
        return any(len({a.params for a in step.new}) < len(step.new) for step in history.steps)

    def arrives_with_outputs(history):
        return any(arrival.outputs for arrival in history.arrivals())

    def many_outputs(history):
        return any(len(arrival.outputs) >= 140 for arrival in history.arrivals())

    def cycle_of_swaps(history):
        return any(
            len(step.swaps) > 1
            and {*step.swaps[0]} & {*step.swaps[1]}
            and {*step.swaps[0]} != {*step.swaps[1]}
            for step in history.steps
        )

    return locals()[name]


def test_some_arrive_with_more_outputs_than_a_byte_counts():
    histories_drawn = [each for number in range(4) for each in drawn(histories_at_once(TARGET), number)]
    assert any(len(arrival.outputs) > 255 for history in histories_drawn for arrival in history.arrivals())
    assert sum(corner("many_outputs")(history) for history in histories_drawn) < len(histories_drawn) / 2


@pytest.mark.parametrize(
    "name",
    [
        "several_at_once",
        "replaced_in_the_step_after_it_came",
        "shared_params",
        "arrives_with_outputs",
        "cycle_of_swaps",
    ],
)
def test_corners_are_common(name):
    hits = sum(corner(name)(history) for history in drawn(histories(TARGET), 1))
    assert hits > 20


def test_a_plain_request_is_always_in_the_pool():
    assert all(is_plain(history.params[0]) for history in drawn(histories(TARGET), 2))


@pytest.mark.law("D6")
def test_refused_params_never_reach_a_history():
    def refuse(params):
        if params.min_p > 0.4:
            raise ValueError("too strict")

    strict = replace(TARGET, validate=refuse)
    pools = [history.params for history in drawn(worlds(strict, Dialect.ELIDED), 3)]
    assert all(params.min_p <= 0.4 for pool in pools for params in pool)
    assert any(params.min_p > 0 for pool in pools for params in pool)


@pytest.mark.parametrize("least", [1, 2])
def test_hypothesis_shrinks_to_a_few_steps(least):
    """Down to what is needed: steps that swap, here as many as `least`."""

    def swaps_enough(history):
        return sum(bool(step.swaps) for step in history.steps) >= least

    found = find(
        histories(TARGET),
        swaps_enough,
        settings=settings(database=None, suppress_health_check=list(HealthCheck), max_examples=100),
    )
    assert len(found.steps) <= least + 1


def test_pools_are_large_and_nearly_half_of_the_requests_are_plain():
    some = drawn(histories(load_target("logitproof.impl.processors.logit_bias:LogitBiasLogitsProcessor")), 4)
    # The budget of a campaign is spent in small batches; here a few draws are copied many times, hence the margins.
    assert mean(len(history.params) for history in some) > 4
    arrivals = [history.params[arrival.params] for history in some for arrival in history.arrivals()]
    assert 0.3 < mean(is_plain(params) for params in arrivals) < 0.6
