"""Ways to follow the batch wrongly, to be put in front of any of our processors, and the params of its entry."""

from __future__ import annotations

from dataclasses import replace

from logitproof.impl import ENTRIES
from logitproof.spec import MoveDirectionality
from logitproof.targets.known import from_entry


def params_of(name):
    """What requests for the entry of this name look like."""
    (entry,) = [entry for entry in ENTRIES if entry.name == name]
    return from_entry(entry).params_for


class MovesIgnored:
    """State stays behind when a request moves."""

    def update_state(self, batch_update):
        super().update_state(batch_update and replace(batch_update, moved=[]))


class SwapHalfDone:
    """A swap is taken for a one-way move."""

    def update_state(self, batch_update):
        if batch_update is not None:
            one_way = [(s, d, MoveDirectionality.UNIDIRECTIONAL) for s, d, _ in batch_update.moved]
            batch_update = replace(batch_update, moved=one_way)
        super().update_state(batch_update)


class MovesBackwards:
    """Moves are replayed in the opposite order."""

    def update_state(self, batch_update):
        super().update_state(batch_update and replace(batch_update, moved=batch_update.moved[::-1]))


class MovesBeforeAdds:
    """The newcomer lands where another request has just moved to."""

    def update_state(self, batch_update):
        if batch_update is not None:
            super().update_state(replace(batch_update, removed=[], added=[]))
            batch_update = replace(batch_update, moved=[])
        super().update_state(batch_update)


class OutputsCopied:
    """The live output list is copied when the request arrives."""

    def update_state(self, batch_update):
        if batch_update is not None:
            added = [(i, params, prompt, list(outputs)) for i, params, prompt, outputs in batch_update.added]
            batch_update = replace(batch_update, added=added)
        super().update_state(batch_update)


class RemovalsIgnored:
    """Only what is overwritten is forgotten."""

    def update_state(self, batch_update):
        super().update_state(batch_update and replace(batch_update, removed=[]))
