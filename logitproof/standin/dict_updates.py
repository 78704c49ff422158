"""`process_dict_updates`: state of requests by slot, kept in a dictionary that follows the batch.

It reads adds before removes, as the released engine's function does (contract, section "Dialects"): what a processor
that relies on it would do in vLLM must be what it does here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .interface import BatchUpdate, MoveDirectionality

State = TypeVar("State")


def process_dict_updates(
    req_entries: dict[int, State],
    batch_update: BatchUpdate | None,
    new_state: Callable[[Any, list[int] | None, list[int]], State | None],
) -> bool:
    """Bring `req_entries` up to date and say whether anything in it changed.

    new_state: `(params, prompt_token_ids, output_token_ids)` to the state of a new request, or None if it has none.
    """
    if batch_update is None:
        return False
    changed = False
    for slot, params, prompt, outputs in batch_update.added:
        state = new_state(params, prompt, outputs)
        had_one = req_entries.pop(slot, None) is not None
        if state is not None:
            req_entries[slot] = state
        changed = changed or had_one or state is not None
    if not req_entries:
        return changed
    for slot in batch_update.removed:
        changed = bool(req_entries.pop(slot, None)) or changed
    for source, destination, how in batch_update.moved:
        leaving, staying = req_entries.pop(source, None), req_entries.pop(destination, None)
        if leaving is not None:
            req_entries[destination] = leaving
        if staying is not None and how is MoveDirectionality.SWAP:
            req_entries[source] = staying
        changed = changed or leaving is not None or staying is not None
    return changed
