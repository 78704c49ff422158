"""Three faults of bad words."""

from __future__ import annotations

from dataclasses import replace

from seeded import OutputsCopied, SwapHalfDone, params_of

from logitproof.impl.processors import BadWordsLogitsProcessor


class MatchedWhenTheRequestArrived(OutputsCopied, BadWordsLogitsProcessor):
    logitproof_params = params_of("bad_words")


class WordsLostInASwap(SwapHalfDone, BadWordsLogitsProcessor):
    logitproof_params = params_of("bad_words")


class PromptForgotten(BadWordsLogitsProcessor):
    logitproof_params = params_of("bad_words")

    def update_state(self, batch_update):
        if batch_update is not None:
            added = [(i, params, None, outputs) for i, params, _, outputs in batch_update.added]
            batch_update = replace(batch_update, added=added)
        super().update_state(batch_update)
