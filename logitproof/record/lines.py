"""The lines of a recording as text. Put together by hand: `json.dumps` alone would cost more than all the rest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .features import Digests
from .followed_batch import Occupant, direction

FORMAT = "logitproof.recording"
VERSION = 1

encoded = lru_cache(maxsize=1024)(json.dumps)
"""Digests as JSON text: few differ, and each is encoded once."""


def header_line(by: str, batch: Sequence[Occupant | None], digests: Digests, **facts: Any) -> str:
    """The first line. batch: those who were live when the recording began, by slot (a process that was forked)."""
    live = [
        None if request is None else json.loads(added_text(slot, request, digests))
        for slot, request in enumerate(batch)
    ]
    return json.dumps({"format": FORMAT, "version": VERSION, "by": by, "batch": live, **facts})


def added_text(index: int, request: Occupant, digests: Digests) -> str:
    """The JSON text of one entry of `added`."""
    prompt, before = request.prompt, request.came_back_as
    return (
        f"[{index}, {request.request}, {encoded(digests.of(request.params))}, "
        f"{'null' if prompt is None else len(prompt)}, {len(request.outputs)}, {'null' if before is None else before}]"
    )


def update_text(update: Any, entered: Sequence[tuple[int, Occupant]], digests: Digests) -> str:
    """The JSON text of an update's value."""
    removed = ", ".join(map(str, update.removed))  # str: the repr of a numpy integer is no JSON
    added = ", ".join([added_text(index, request, digests) for index, request in entered])
    moved = ", ".join([f'[{source}, {to}, "{direction(how)}"]' for source, to, how in update.moved])
    return f'{{"batch_size": {update.batch_size}, "removed": [{removed}], "added": [{added}], "moved": [{moved}]}}'


def tokens_text(entered: Sequence[tuple[int, Occupant]], left: Sequence[Occupant]) -> str:
    """Token ids of those who came and went, as further members of a line's object."""
    members = {
        "tokens": [[who.request, who.prompt and list(who.prompt), list(who.outputs)] for _, who in entered],
        "left": [[who.request, list(who.outputs)] for who in left],
    }
    return "".join(f', "{name}": {json.dumps(value)}' for name, value in members.items() if value)
