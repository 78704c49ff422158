"""Three faults of the frequency penalty."""

from __future__ import annotations

from seeded import MovesBeforeAdds, OutputsCopied, params_of

from logitproof.impl.processors import FrequencyPenaltyLogitsProcessor


class GrowthUnseen(OutputsCopied, FrequencyPenaltyLogitsProcessor):
    logitproof_params = params_of("frequency_penalty")


class NewcomerOverwritten(MovesBeforeAdds, FrequencyPenaltyLogitsProcessor):
    logitproof_params = params_of("frequency_penalty")


class PromptCounted(FrequencyPenaltyLogitsProcessor):
    logitproof_params = params_of("frequency_penalty")
    counts_prompt = True
