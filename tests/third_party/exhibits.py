"""Processors as people write them for vLLM, each correct one with a faulty twin, and what must be said of both.

Written for these tests, in the styles of public ones: dense, with a dictionary, with an adapter, per request.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
BATCH = ("solo", "untouched", "rebuild")
"""Oracles that see one request get another one's treatment, or a state that cannot be made anew."""


@dataclass(frozen=True, slots=True)
class ThirdParty:
    """A file, its correct class, its faulty one, and the oracles that may name the fault."""

    file: str
    correct: str
    faulty: str | None = None
    oracles: tuple[str, ...] = BATCH

    def spec(self, name: str) -> str:
        """The target on the command line."""
        return f"{HERE / self.file}.py:{name}"


THIRD_PARTY = (
    ThirdParty("target_token_dense", "TargetToken", "TargetTokenStale"),
    ThirdParty("target_token_adapter", "WrappedKeepOne", "SharedKeepOne"),
    ThirdParty("green_list_watermark", "GreenList", "GreenListCached"),
    ThirdParty("thinking_budget_hard_coded", "EndThoughts", "EndThoughtsCounting"),
    ThirdParty("thinking_budget_params", "BudgetByRequest", "BudgetKeptAtDestination"),
    ThirdParty("no_repeat_ngram", "NGramPerRequest", "NGramInvariant", ("argmax",)),
    ThirdParty("forced_sequence", "ForcedSequence", "ForcedSequencePosition"),
    ThirdParty("forced_json_prefix", "JsonPrefix", "JsonPrefixConsumed"),
    ThirdParty("allowed_tokens", "AllowedTokens", "AllowedTokensViews"),
    ThirdParty("token_ban", "BanUntil", "BanSteps"),
    ThirdParty("scale_logits", "ScaleLogits", "ScaleLogitsOneWay"),
    ThirdParty("repetition_penalty", "WindowPenalty", "WindowPenaltyCopied"),
    ThirdParty("flag_newline", "SingleLine", "SingleLineForAll"),
    ThirdParty("environment_bias", "EosBias", "EosBiasOnce"),
    ThirdParty("bias_map", "BiasMap", "BiasMapAdded"),
    ThirdParty("mode_choice", "ScheduledBias", "ScheduledBiasGlobal"),
    ThirdParty("dataclass_settings", "ExcludeTop", "ExcludeTopForever"),
    ThirdParty("engine_budget_field", "EngineBudget", "EngineBudgetSwapped"),
    ThirdParty("helper_module", "RunPenalty", "RunPenaltyInvariant"),
    ThirdParty("server_script", "CloseAfter", "CloseAfterKept"),
    ThirdParty("switched_by_environment", "ServerNGrams", "ServerNGramsUnmoved"),
    ThirdParty("checked_settings", "CheckedBan", "CheckedBanOneForAll"),
    ThirdParty("recorded_answer", "Recorded", "RecordedCounted"),
    ThirdParty("sampling_names", "StopNames", "StopNamesShared"),
    ThirdParty("duck_typed", "Duck", "DuckDiesOnMoves"),
    ThirdParty("functions", "no_immediate_repeat", "counts_calls"),
    ThirdParty("functions", "echo_prompt"),
    ThirdParty("functions", "make_bias"),
    ThirdParty("functions", "StopAfter"),
)
CORRECT = [(each, each.correct) for each in THIRD_PARTY]
FAULTY = [(each, each.faulty) for each in THIRD_PARTY if each.faulty is not None]
