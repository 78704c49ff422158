"""Three faults of the repetition penalty."""

from __future__ import annotations

from seeded import params_of

from logitproof.impl.processors import RepetitionPenaltyLogitsProcessor


class PromptForgotten(RepetitionPenaltyLogitsProcessor):
    logitproof_params = params_of("repetition_penalty")
    counts_prompt = False


class OncePerOccurrence(RepetitionPenaltyLogitsProcessor):
    logitproof_params = params_of("repetition_penalty")

    @staticmethod
    def amounts(counts, penalties):
        return penalties**-counts, penalties**counts


class SignIgnored(RepetitionPenaltyLogitsProcessor):
    logitproof_params = params_of("repetition_penalty")

    @staticmethod
    def penalise(xp, logits, *amounts):
        return logits * amounts[0]
