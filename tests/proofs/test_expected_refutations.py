"""Wrong consumers: each has a smallest witness that reproduces, and the other cells of C3's table are theorems."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations, product

import pytest

from logitproof.model import Phase, draw_slots, replay, step
from logitproof.proofs import OBLIGATIONS, WRONG_CONSUMERS
from logitproof.proofs.witnesses import (
    OTHER_ORDERS,
    WRONG_READINGS,
    WrongConsumer,
    smallest_witness,
)
from logitproof.spec import Dialect

PROVED_HARMLESS = {
    ("adds_before_removes", Dialect.DOCUMENTED),
    ("adds_before_removes", Dialect.ELIDED),
    ("removes_last", Dialect.ELIDED),
}
WITNESS_SIZES = {
    # claim: slots + finished + new + swaps of its smallest witness, by dialect
    "adds_before_removes": {"redundant": 3},
    "moves_before_adds": {"documented": 3, "elided": 3, "redundant": 3},
    "removes_last": {"documented": 3, "redundant": 3},
    "moves_first_then_removes": {"documented": 3, "elided": 3, "redundant": 3},
    "moves_first_then_adds": {"documented": 3, "elided": 3, "redundant": 3},
    "reading_moves_in_reverse": {"documented": 5, "elided": 5, "redundant": 5},
    "skipping_moves": {"documented": 3, "elided": 3, "redundant": 3},
    "reading_a_swap_as_one_way": {"documented": 3, "elided": 3, "redundant": 3},
    "forgetting_to_empty_the_source": {"documented": 3, "elided": 3, "redundant": 3},
}


@cache
def steps_of_size(size):
    """Every step, made here and not by the proofs, whose slots, finished, new and swaps add up to `size`."""
    found = []
    for slots, finished, new in product(range(size + 1), repeat=3):
        swaps = size - slots - finished - new
        if swaps < 0 or finished > slots:
            continue
        batch, coming = "ABCDEF"[:slots], "UVWXYZ"[:new]
        pairs = list(permutations(range(slots - finished + new), 2))
        for leaving, wanted in product(combinations(batch, finished), product(pairs, repeat=swaps)):
            found.append((batch, leaving, coming, wanted))
    return found


@pytest.mark.law("C3")
@pytest.mark.parametrize("consumer", WRONG_CONSUMERS, ids=lambda consumer: consumer.name)
def test_the_witness_reproduces_and_no_step_is_smaller(consumer):
    witness = smallest_witness(consumer)
    small = witness.step
    outcome = step(small.batch, small.finished, small.new, small.swaps, consumer.dialect)
    assert consumer.read(small.batch, outcome.update) == witness.got != outcome.batch
    assert replay(small.batch, outcome.update) == outcome.batch
    claim = consumer.name.partition("_is_harmless")[0]
    assert small.size == WITNESS_SIZES[claim][consumer.dialect.value]
    for plan in (plan for size in range(small.size) for plan in steps_of_size(size)):
        fine = step(*plan, consumer.dialect)
        assert consumer.read(plan[0], fine.update) == fine.batch, f"{plan} is smaller"


@pytest.mark.law("C3")
@pytest.mark.parametrize("consumer", WRONG_CONSUMERS, ids=lambda consumer: consumer.name)
def test_a_witness_is_drawn_with_its_update_and_both_results(consumer):
    witness = smallest_witness(consumer)
    drawn = witness.draw().splitlines()
    after = draw_slots(witness.step.take(consumer.dialect).batch)
    assert drawn[-3].startswith(f"{consumer.dialect.value} Update(")
    assert drawn[-2] == f"engine        {after}"
    assert drawn[-1] == f"this consumer {draw_slots(witness.got)}"
    assert drawn[-4].split("->")[-1].split()[0] == after


def test_the_claims_are_those_of_the_table_and_no_others():
    expected = {
        f"{c}_is_harmless_in_the_{d}_dialect" for c, dialects in WITNESS_SIZES.items() for d in dialects
    }
    assert {consumer.name for consumer in WRONG_CONSUMERS} == expected
    assert len(WRONG_CONSUMERS) == len(expected)
    assert WITNESS_SIZES.keys() == OTHER_ORDERS.keys() | WRONG_READINGS.keys()


@pytest.mark.law("C3")
def test_the_table_has_every_other_phase_order_once():
    c1 = (Phase.REMOVED, Phase.ADDED, Phase.MOVED)
    assert sorted(OTHER_ORDERS.values(), key=str) == sorted(set(permutations(Phase)) - {c1}, key=str)


@pytest.mark.law("C3")
def test_every_cell_is_either_a_theorem_of_its_name_or_refuted():
    refuted = {
        cell
        for cell in product(OTHER_ORDERS, Dialect)
        if f"{cell[0]}_is_harmless_in_the_{cell[1].value}_dialect" in {c.name for c in WRONG_CONSUMERS}
    }
    theorems = {obligation.name for obligation in OBLIGATIONS}
    assert refuted | PROVED_HARMLESS == set(product(OTHER_ORDERS, Dialect))
    assert not refuted & PROVED_HARMLESS
    assert all(f"{order}_is_harmless_in_the_{d.value}_dialect" in theorems for order, d in PROVED_HARMLESS)


@pytest.mark.law("C3")
@pytest.mark.parametrize("cell", sorted(PROVED_HARMLESS, key=str), ids=lambda c: f"{c[0]}-{c[1].value}")
def test_a_harmless_order_gives_the_engines_batch_in_every_small_step(cell):
    order, dialect = cell
    for plan in (plan for size in range(6) for plan in steps_of_size(size)):
        outcome = step(*plan, dialect)
        assert replay(plan[0], outcome.update, OTHER_ORDERS[order]) == outcome.batch, plan


def test_a_right_consumer_has_no_witness():
    right = WrongConsumer("c1", "", (), Dialect.DOCUMENTED, replay)
    assert smallest_witness(right) is None
