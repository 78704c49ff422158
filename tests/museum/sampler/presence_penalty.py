"""Three faults of the presence penalty."""

from __future__ import annotations

from seeded import RemovalsIgnored, params_of

from logitproof.impl.processors import PresencePenaltyLogitsProcessor


class TimesTheCount(PresencePenaltyLogitsProcessor):
    logitproof_params = params_of("presence_penalty")

    @staticmethod
    def amounts(counts, penalties):
        return (penalties * counts,)


class KeptAfterRemoval(RemovalsIgnored, PresencePenaltyLogitsProcessor):
    logitproof_params = params_of("presence_penalty")


class CellsRenewedWithTheBatchOnly(PresencePenaltyLogitsProcessor):
    logitproof_params = params_of("presence_penalty")

    def update_state(self, batch_update):
        super().update_state(batch_update)
        for _, state in self._states.items():
            state.counts.follow()
