"""The museum's catalogue: every exhibit, which fault of which kind it shows, and by what general means it is found.

Kinds and ids are those of the fault list that the museum was built from; R1 to R5 were seen in public processors, N1
and further are our own inventions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from logitproof.targets import Target, load_target, locate

MUSEUM = Path(__file__).parent.parent
GALLERY = MUSEUM / "gallery"


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One fault, and nothing else wrong.

    target: `file:Class` below the museum; for a faulty engine, `engine` is one, and the target a correct processor.
    oracles: codes of the general oracles one of which is expected to speak; empty where a warning shows it.
    warns: the code of the warning that shows it, where no request gets anything wrong.
    reference: a row function, for faults that a request alone shows just as well.
    dtype: of the logits, where float32 hides the fault.
    twin: the same processor without the fault, or None.
    hazards: what has to be asked for, as after `--hazards`; by default nothing.
    is_afterwards: found by what is tried once a campaign has ended clean.
    twin_warns: warnings that the twin rightly gets, since it is no better than it must be.
    """

    name: str
    fault: str
    kind: str
    target: str
    oracles: tuple[str, ...] = ()
    engine: str | None = None
    reference: str | None = None
    dtype: str = "float32"
    warns: str | None = None
    hazards: str = "default"
    is_afterwards: bool = False
    twin_warns: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What is wrong, from the first line of the exhibit's file."""
        file = (MUSEUM / (self.engine or self.target).partition(":")[0]).read_text(encoding="utf-8")
        return (
            file.partition('"""')[2].partition('"""')[0].strip().removeprefix(f"{self.fault} {self.kind}: ")
        )

    @property
    def twin(self) -> str | None:
        """`file:Class` of the same processor without the fault, or None."""
        file, _, name = self.target.rpartition("/")[2].partition(":")
        twin = GALLERY / f"twin_of_{file}"
        return None if self.engine or not twin.exists() else f"gallery/twin_of_{file}:TwinOf{name}"


def load(exhibit: Exhibit, twin: bool = False) -> Target:
    """The exhibit, or its twin, as a target of the fuzzer."""
    target = exhibit.twin if twin else exhibit.target
    assert target is not None, exhibit
    loaded = load_target(f"{MUSEUM}/{target}", reference=_place(exhibit.reference))
    if exhibit.engine is not None:
        loaded = replace(loaded, make_engine=locate(f"{MUSEUM}/{exhibit.engine}", "engine"))
    return loaded


def _place(reference: str | None) -> str | None:
    return f"{MUSEUM}/{reference}" if reference is not None and ".py:" in reference else reference


def _shown(fault: str, kind: str, target: str, *oracles: str, **more: object) -> Exhibit:
    """target: `file:Class` in the gallery, without `.py`."""
    file, _, name = target.partition(":")
    place = f"gallery/{file}.py:{name}"
    return Exhibit(name=file, fault=fault, kind=kind, target=place, oracles=oracles, **more)  # type: ignore[arg-type]


ROWS = "logitproof.model.rows"
OURS = "gallery/references.py"

IDLE = ("idle-work",)
IN_USE = ("in-use-work",)

PROCESSOR_ALONE: tuple[Exhibit, ...] = (
    _shown(
        "F001",
        "alias-view",
        "mask_rows_swapped_through_views:MaskRowsSwappedThroughViews",
        "solo",
        "untouched",
        twin_warns=IDLE,
    ),
    _shown("F004", "move-lost", "flag_not_moved:FlagNotMoved", "solo", "untouched"),
    Exhibit(
        "min_p_counter_drifts",
        "F011",
        "flag-drift",
        "min_p_counter_drifts.py:MinPCounterDrifts",
        ("solo", "rebuild"),
    ),
    _shown(
        "F016",
        "dispatch",
        "wrapper_drops_none:WrapperDropsNone",
        "solo",
        "rebuild",
    ),
    _shown(
        "F027", "mixed-default", "bit_mask_starts_at_zero:BitMaskStartsAtZero", "untouched", twin_warns=IN_USE
    ),
    _shown(
        "F029",
        "mixed-default",
        "whitelist_read_as_blacklist:WhitelistReadAsBlacklist",
        "reference",
        reference=f"{ROWS}:allowed_token_ids_row",
    ),
    _shown(
        "F034",
        "row-map",
        "state_not_padded_to_the_bucket:StateNotPaddedToTheBucket",
        "crash",
        hazards="+padded",
        twin_warns=IDLE,
    ),
    _shown("F037", "row-map", "row_stride_forgotten:RowStrideForgotten", "solo", "untouched"),
    _shown("F039", "row-map", "sorted_indices_squeezed:SortedIndicesSqueezed", "solo", "untouched", "crash"),
    _shown(
        "F069",
        "lifecycle",
        "budget_counted_from_the_prompt:BudgetCountedFromThePrompt",
        "solo",
        "rebuild",
    ),
    _shown("F077", "lifecycle", "matcher_not_replayed:MatcherNotReplayed", "solo", "rebuild"),
    _shown(
        "F079",
        "shared-state",
        "matcher_lives_in_the_params:MatcherLivesInTheParams",
        "written",
    ),
    _shown("F081", "shared-state", "first_token_resets_everyone:FirstTokenResetsEveryone", "solo", "rebuild"),
    _shown("F084", "shared-state", "reset_misses_one_member:ResetMissesOneMember", "solo", "rebuild"),
    _shown(
        "F092", "nonfinite", "min_tokens_meets_a_finished_grammar:MinTokensMeetsAFinishedGrammar", "nonfinite"
    ),
    _shown(
        "F094",
        "nonfinite",
        "top_p_without_renormalising:TopPWithoutRenormalising",
        "nonfinite",
        "argmax",
        twin_warns=IN_USE,
    ),
    _shown("F099", "dtype", "helper_tensors_in_float32:HelperTensorsInFloat32", "crash", dtype="bfloat16"),
    _shown(
        "F101",
        "id-range",
        "stop_id_lands_in_the_next_row:StopIdLandsInTheNextRow",
        "solo",
        "untouched",
        is_afterwards=True,
    ),
    _shown("F102", "id-range", "bias_id_beyond_the_vocabulary:BiasIdBeyondTheVocabulary", warns="boundary"),
    _shown(
        "F104",
        "id-range",
        "ids_checked_against_the_tokenizer:IdsCheckedAgainstTheTokenizer",
        warns="boundary",
    ),
    _shown(
        "F106",
        "id-range",
        "ignore_eos_bans_the_last_token:IgnoreEosBansTheLastToken",
        "reference",
        reference=f"{ROWS}:min_tokens_row",
    ),
    _shown(
        "F107",
        "id-range",
        "mask_as_wide_as_the_tokenizer:MaskAsWideAsTheTokenizer",
        "reference",
        reference=f"{ROWS}:allowed_token_ids_row",
        twin_warns=IN_USE,
    ),
    _shown(
        "F111",
        "semantics",
        "min_tokens_holds_one_too_many:MinTokensHoldsOneTooMany",
        "reference",
        reference=f"{ROWS}:min_tokens_row",
    ),
    _shown(
        "F112",
        "semantics",
        "other_end_tokens_escape:OtherEndTokensEscape",
        "reference",
        reference=f"{ROWS}:min_tokens_row",
    ),
    _shown(
        "F114",
        "semantics",
        "grammar_knows_one_end_token:GrammarKnowsOneEndToken",
        "reference",
        reference=f"{OURS}:grammar_row",
    ),
    _shown(
        "F116",
        "semantics",
        "min_tokens_counts_the_prompt:MinTokensCountsThePrompt",
        "reference",
        reference=f"{ROWS}:min_tokens_row",
    ),
    _shown(
        "F117",
        "semantics",
        "penalties_share_one_history:PenaltiesShareOneHistory",
        "reference",
        reference=f"{OURS}:penalties_row",
        twin_warns=(*IDLE, *IN_USE),
    ),
    _shown("F119", "semantics", "pad_tokens_count_as_history:PadTokensCountAsHistory", "solo"),
    _shown(
        "F121",
        "semantics",
        "prompt_markers_use_up_the_budget:PromptMarkersUseUpTheBudget",
        "reference",
        reference=f"{OURS}:thinking_row",
    ),
    _shown(
        "F129",
        "perf-sync",
        "tensors_rebuilt_on_every_add:TensorsRebuiltOnEveryAdd",
        warns="idle-work",
    ),
    _shown(
        "F134", "perf-sync", "dense_bias_stacked_every_step:DenseBiasStackedEveryStep", warns="in-use-work"
    ),
    _shown(
        "F136",
        "leak",
        "per_request_objects_never_released:PerRequestObjectsNeverReleased",
        "kept",
    ),
    _shown("R1", "move-lost", "moves_before_adds:MovesBeforeAdds", "solo", "untouched", "rebuild"),
    _shown("R2", "dispatch", "processors_assigned_into_flags:ProcessorsAssignedIntoFlags", "solo", "rebuild"),
    _shown(
        "R3",
        "silent-drop",
        "attributes_read_off_tuples:AttributesReadOffTuples",
        "dead-parameter",
    ),
    _shown("R4", "row-map", "statistics_as_long_as_the_tracked:StatisticsAsLongAsTheTracked", "crash"),
    _shown(
        "R5",
        "stale-slot",
        "empty_source_spares_the_destination:EmptySourceSparesTheDestination",
        "untouched",
        "solo",
    ),
)
"""A processor driven by batch updates shows them."""

TOY_ENGINE: tuple[Exhibit, ...] = (
    _shown(
        "F002",
        "alias-view",
        "noise_written_into_a_copy:NoiseWrittenIntoACopy",
        "untouched",
        "solo",
        twin_warns=(*IDLE, *IN_USE),
    ),
    _shown(
        "F007", "move-lost", "map_moves_without_the_content:MapMovesWithoutTheContent", "solo", "untouched"
    ),
    _shown(
        "F009", "stale-slot", "newcomers_start_at_slot_zero:NewcomersStartAtSlotZero", "solo", "untouched"
    ),
    _shown(
        "F012",
        "flag-drift",
        "history_collected_from_the_first_penalty_on:HistoryCollectedFromTheFirstPenaltyOn",
        "solo",
    ),
    _shown("F014", "flag-drift", "penalties_as_long_as_their_users:PenaltiesAsLongAsTheirUsers", "crash"),
    Exhibit(
        "removals_numbered_one_by_one",
        "F017",
        "dispatch",
        "gallery/twin_of_min_p_counter_drifts.py:TwinOfMinPCounterDrifts",
        ("update",),
        engine="gallery/removals_numbered_one_by_one.py:RemovalsNumberedOneByOne",
    ),
    _shown(
        "F019",
        "dispatch",
        "advanced_only_on_membership_changes:AdvancedOnlyOnMembershipChanges",
        "solo",
        "rebuild",
    ),
    Exhibit(
        "pooling_requests_not_recorded",
        "F021",
        "dispatch",
        "gallery/pooling_or_bad_tokens.py:PoolingOrBadTokens",
        ("update",),
        engine="gallery/pooling_requests_not_recorded.py:PoolingRequestsNotRecorded",
    ),
    _shown(
        "F022",
        "list-misalign",
        "lists_filtered_only_if_any_is_used:ListsFilteredOnlyIfAnyIsUsed",
        "solo",
        twin_warns=IDLE,
    ),
    _shown("F024", "list-misalign", "two_ways_to_say_nothing:TwoWaysToSayNothing", "crash"),
    _shown(
        "F026",
        "list-misalign",
        "requests_merged_before_their_penalties:RequestsMergedBeforeTheirPenalties",
        "crash",
        twin_warns=IN_USE,
    ),
    _shown("F031", "mixed-default", "one_request_gathers_for_all:OneRequestGathersForAll", "untouched"),
    _shown("F032", "row-map", "bad_words_walk_their_own_rows:BadWordsWalkTheirOwnRows", "untouched", "solo"),
    _shown(
        "F036", "row-map", "row_map_from_before_the_update:RowMapFromBeforeTheUpdate", "solo", "untouched"
    ),
    _shown(
        "F041",
        "row-map",
        "unstable_sort_of_equal_keys:UnstableSortOfEqualKeys",
        "solo",
        twin_warns=(*IDLE, *IN_USE),
    ),
    _shown(
        "F044",
        "spec-rows",
        "only_the_last_accepted_token_counts:OnlyTheLastAcceptedTokenCounts",
        "rebuild",
        "solo",
        hazards="+several",
    ),
    _shown("F064", "history-view", "matcher_skips_mixed_steps:MatcherSkipsMixedSteps", "solo", "rebuild"),
    _shown(
        "F066",
        "history-view",
        "samplers_built_after_the_first_token:SamplersBuiltAfterTheFirstToken",
        "rebuild",
        "solo",
    ),
    _shown(
        "F067",
        "history-view",
        "history_of_one_step:HistoryOfOneStep",
        "reference",
        reference=f"{ROWS}:repetition_penalty_row",
        twin_warns=IN_USE,
    ),
    _shown("F082", "shared-state", "state_recreated_every_step:StateRecreatedEveryStep", "solo", "rebuild"),
    _shown(
        "F087", "fast-path", "all_greedy_takes_the_argmax:AllGreedyTakesTheArgmax", "solo", twin_warns=IDLE
    ),
    _shown(
        "F089",
        "fast-path",
        "single_request_path_without_processors:SingleRequestPathWithoutProcessors",
        "solo",
    ),
    _shown("F091", "nonfinite", "second_copy_of_a_sentinel:SecondCopyOfASentinel", "crash"),
    _shown(
        "F109",
        "id-range",
        "pad_id_of_another_vocabulary:PadIdOfAnotherVocabulary",
        "crash",
        twin_warns=(*IDLE, *IN_USE),
    ),
    _shown(
        "F122",
        "semantics",
        "min_p_before_temperature:MinPBeforeTemperature",
        "reference",
        reference=f"{OURS}:tempered_min_p_row",
    ),
    _shown("F137", "leak", "params_copied_for_every_request:ParamsCopiedForEveryRequest", warns="copied"),
    _shown("F139", "leak", "weak_reference_to_the_merged_batch:WeakReferenceToTheMergedBatch", "crash"),
    _shown(
        "F144",
        "silent-drop",
        "bias_stored_and_never_read:BiasStoredAndNeverRead",
        warns="dead-parameter",
        twin_warns=IDLE,
    ),
    _shown("F146", "silent-drop", "first_token_is_always_greedy:FirstTokenIsAlwaysGreedy", "rebuild", "solo"),
    _shown(
        "F147",
        "silent-drop",
        "presence_follows_frequency:PresenceFollowsFrequency",
        "reference",
        reference=f"{OURS}:two_penalties_row",
    ),
)
"""They happened in an engine's own batch; the part that fails is played as a processor, or as the engine."""

SIMULATION: tuple[Exhibit, ...] = (
    _shown(
        "F054",
        "history-view",
        "placeholder_never_replaced:PlaceholderNeverReplaced",
        "late",
        hazards="+async",
    ),
    _shown(
        "F062",
        "history-view",
        "forcing_decided_by_the_last_token:ForcingDecidedByTheLastToken",
        "late",
        hazards="+async",
    ),
    _shown(
        "F131",
        "perf-sync",
        "assignment_through_a_boolean_mask:AssignmentThroughABooleanMask",
        warns="in-use-work",
    ),
    _shown(
        "F132",
        "perf-sync",
        "tensors_built_element_by_element:TensorsBuiltElementByElement",
        warns="in-use-work",
    ),
)
"""They need a second clock to fail, or a device to wait for."""

INVENTED: tuple[Exhibit, ...] = (
    _shown("N1", "rank-split", "address_as_a_value:AddressAsAValue", "copies", "solo"),
    _shown("N2", "leak", "lengths_of_everybody:LengthsOfEverybody", "growth", is_afterwards=True),
    _shown("N3", "buffer-race", "scratch_buffer_is_returned:ScratchBufferIsReturned", warns="reused"),
    _shown("N4", "fast-path", "claim_asks_who_is_there:ClaimAsksWhoIsThere", "argmax", "claim"),
    _shown("N5", "fast-path", "advanced_in_a_skipped_apply:AdvancedInASkippedApply", "solo", "rebuild"),
    _shown("N6", "nonfinite", "floor_under_every_logit:FloorUnderEveryLogit", warns="revived"),
    _shown("N7", "flag-drift", "flag_set_by_the_newcomers:FlagSetByTheNewcomers", "solo"),
    _shown(
        "N8",
        "alias-view",
        "swap_through_one_temporary_row:SwapThroughOneTemporaryRow",
        "solo",
        "untouched",
        twin_warns=IDLE,
    ),
    _shown(
        "N9",
        "history-view",
        "placeholder_is_the_last_token:PlaceholderIsTheLastToken",
        "late",
        hazards="+async",
        twin_warns=("late",),
    ),
    _shown(
        "N10",
        "spec-rows",
        "one_token_a_step_is_counted:OneTokenAStepIsCounted",
        "rebuild",
        hazards="+several",
    ),
    _shown("N11", "move-lost", "moves_read_backwards:MovesReadBackwards", "solo", "untouched"),
    _shown(
        "N12", "shared-state", "rows_belong_to_the_class:RowsBelongToTheClass", "solo", "untouched", "crash"
    ),
    _shown("N13", "shared-state", "bias_cached_by_the_prompt:BiasCachedByThePrompt", "solo"),
    _shown("N14", "shared-state", "progress_kept_by_params:ProgressKeptByParams", "solo"),
    _shown("N15", "shared-state", "default_row_written_to:DefaultRowWrittenTo", "solo", "rebuild"),
    _shown("N16", "flag-drift", "every_removal_counts_down:EveryRemovalCountsDown", "solo"),
    _shown(
        "N17",
        "flag-drift",
        "table_loses_a_row_when_it_grows:TableLosesARowWhenItGrows",
        "solo",
        twin_warns=IDLE,
    ),
    _shown("N18", "stale-slot", "table_kept_after_a_removal:TableKeptAfterARemoval", "crash", "untouched"),
    _shown("N19", "move-lost", "table_kept_after_a_swap:TableKeptAfterASwap", "untouched", "solo"),
    _shown("N20", "dispatch", "none_means_nobody:NoneMeansNobody", "solo", "rebuild"),
    _shown("N21", "history-view", "outputs_copied_on_arrival:OutputsCopiedOnArrival", "rebuild"),
    _shown("N22", "history-view", "tokens_read_on_none_only:TokensReadOnNoneOnly", "solo", "rebuild"),
    _shown(
        "N23",
        "rank-split",
        "seeded_by_the_hash_of_text:SeededByTheHashOfText",
        "hash-seed",
        is_afterwards=True,
        twin_warns=("boundary",),
    ),
    _shown("N24", "rank-split", "deadline_by_the_clock:DeadlineByTheClock", "copies"),
    _shown("N25", "shared-state", "prompt_grows_with_the_outputs:PromptGrowsWithTheOutputs", "written"),
    _shown("N26", "semantics", "history_buffer_of_fixed_width:HistoryBufferOfFixedWidth", "crash"),
    _shown("N27", "mixed-default", "one_gain_for_the_batch:OneGainForTheBatch", "untouched", "solo"),
    _shown("N28", "row-map", "softmax_over_the_batch:SoftmaxOverTheBatch", "solo"),
    _shown("N29", "lifecycle", "budget_starts_at_arrival:BudgetStartsAtArrival", "rebuild"),
    _shown("N30", "move-lost", "moves_read_from_a_snapshot:MovesReadFromASnapshot", "solo", "untouched"),
    _shown("N31", "shared-state", "bias_cached_by_a_sum:BiasCachedByASum", "solo", "rebuild"),
    _shown(
        "N32", "rank-split", "lengths_known_by_address:LengthsKnownByAddress", "solo", "rebuild", "copies"
    ),
    _shown(
        "N33",
        "shared-state",
        "scratch_tensor_of_the_module:ScratchTensorOfTheModule",
        "solo",
        "copies",
        "rebuild",
    ),
    _shown("N34", "row-map", "results_packed_to_the_front:ResultsPackedToTheFront", "untouched", "solo"),
)
"""No one reported these: they are variations on the kinds, written to see whether the oracles are general."""

SPECULATION = "needs draft rows: a logits row is not a request there"
NOT_SHOWN: dict[str, str] = {
    "F006": "the state of a request outside the batch: a processor is not told who comes back, it is only added anew",
    "F042": SPECULATION,
    "F046": SPECULATION,
    "F047": SPECULATION,
    "F049": SPECULATION,
    "F051": SPECULATION,
    "F052": SPECULATION,
    "F072": SPECULATION,
    "F074": "needs a retraction that clears a request's output list; here a request comes back with its outputs",
    "F076": "needs results that arrive after the request was paused",
    "F086": SPECULATION,
    "F096": "needs a sampler: the fault lies behind the logits",
    "F097": "needs a sampler: the fault lies behind the logits",
}
"""Faults of the `toy engine` sort that have no exhibit, and why."""

EXHIBITS: tuple[Exhibit, ...] = (*PROCESSOR_ALONE, *TOY_ENGINE, *SIMULATION, *INVENTED)
