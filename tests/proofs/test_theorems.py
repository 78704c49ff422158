"""Every theorem is proved, is about states that the model reaches, and none has been dropped."""

from __future__ import annotations

import pytest

from logitproof.proofs import OBLIGATIONS, Verdict
from logitproof.proofs.discharge import REAL_TEXT, discharge
from logitproof.proofs.reachable import READING, states
from logitproof.spec import LAW_BY_ID

CASES = {
    "remove_empties_its_slot_and_discards_the_request": 1,
    "add_takes_its_slot_and_discards_the_occupant": 1,
    "one_way_move_empties_the_source_and_discards_the_occupant": 1,
    "swap_exchanges_two_slots_and_nothing_else": 1,
    "every_operation_keeps_the_batch_well_formed": 4,
    "adds_and_removes_commute_when_they_name_different_slots": 1,
    "every_rule_changes_only_what_is_its_own": 11,
    "recording_a_move_puts_it_last_and_keeps_the_earlier_ones": 1,
    "fill_extend_and_remove_hand_over": 4,
    "fill_and_remove_keep_the_batch_well_formed": 5,
    "nobody_is_lost_or_doubled_while_filling_and_removing": 5,
    "every_finished_slot_is_refilled_or_removed": 5,
    "refilled_slots_are_the_lowest_finished_ones": 5,
    "arrivals_are_added_in_ascending_slot_order": 5,
    "every_arrival_is_added_exactly_once": 5,
    "extension_is_consecutive": 5,
    "surviving_removes_are_greater_than_every_refilled_slot": 5,
    "an_add_records_the_index_before_any_move": 5,
    "fill_terminates": 2,
    "extend_terminates": 1,
    "remove_terminates": 2,
    "fill_stops_only_when_slots_or_arrivals_run_out": 1,
    "extend_stops_only_when_every_arrival_has_a_slot": 1,
    "remove_stops_only_when_every_old_slot_is_passed": 1,
    "a_batch_that_grows_removes_nobody": 5,
    "membership_is_settled_when_no_rule_may_fire": 1,
    "condense_keeps_the_batch_well_formed_and_conserved": 4,
    "condense_keeps_live_below_and_empty_above": 4,
    "condense_fills_exactly_the_removed_slots_below": 4,
    "condense_makes_one_move_per_hole": 4,
    "condense_moves_downwards_and_each_request_at_most_once": 4,
    "condense_terminates": 3,
    "condense_leaves_no_hole": 1,
    "the_batch_is_contiguous_after_condense_and_shrink": 1,
    "moves_are_as_many_as_holes_below_the_final_size": 1,
    "contiguity_survives_every_sequence_of_swaps": 1,
    "swaps_lose_nobody": 1,
    "swaps_are_recorded_in_order_after_the_condense_moves": 1,
    "reorder_terminates": 1,
    "reorder_stops_only_at_a_swap_that_no_engine_could_ask_for": 1,
    "the_update_is_none_iff_nothing_happened": 3,
    "reading_removes_empties_exactly_the_listed_slots": 1,
    "reading_adds_fills_exactly_the_listed_slots": 1,
    "a_consumer_that_reads_moves_in_order_keeps_step_with_the_engine": 6,
    "replay_equals_the_engine_in_the_documented_dialect": 1,
    "replay_equals_the_engine_in_the_elided_dialect": 1,
    "replay_equals_the_engine_in_the_redundant_dialect": 1,
    "the_three_dialects_agree": 1,
    "adds_before_removes_is_harmless_in_the_documented_dialect": 1,
    "adds_before_removes_is_harmless_in_the_elided_dialect": 1,
    "removes_last_is_harmless_in_the_elided_dialect": 2,
}
"""Every theorem with its number of cases. A theorem that is added is added here; one that goes must be missed."""

PROVED_LAWS = {*(f"A{i}" for i in range(1, 5)), *(f"B{i}" for i in range(1, 10)), "C1", "C2", "C3"}
"""The laws of the contract that are about the batch itself."""


def test_no_theorem_and_no_case_is_missing():
    assert {obligation.name: len(obligation.cases) for obligation in OBLIGATIONS} == CASES


def test_every_law_about_the_batch_has_a_theorem():
    assert {law for obligation in OBLIGATIONS for law in obligation.laws} == PROVED_LAWS
    assert set(LAW_BY_ID) >= PROVED_LAWS


@pytest.mark.parametrize("obligation", OBLIGATIONS, ids=lambda obligation: obligation.name)
def test_a_theorem_is_a_sentence_that_is_proved(obligation):
    assert obligation.sentence.endswith(".")
    findings = [discharge(case) for case in obligation.cases]
    assert [finding.verdict for finding in findings] == [Verdict.PROVED] * len(obligation.cases)


@pytest.mark.parametrize("obligation", OBLIGATIONS, ids=lambda obligation: obligation.name)
def test_a_theorem_is_about_reached_states_and_holds_in_each_of_them(obligation):
    for case in obligation.cases:
        met = 0
        for state in states()[case.state][:400]:
            sequent = case.statement(READING, REAL_TEXT, state)
            if all(sequent.given()) and all(sequent.invariant()):
                met += 1
                assert sequent.claim()
        assert met, f"no state meets the assumptions of the case of {case.about}"
