"""A processor that changes nothing and writes down what the engine tells it (contract C1, C4, C5)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .features import Digests
from .followed_batch import FollowedBatch
from .interface import LiveProcessor, engine_facts
from .lines import header_line, tokens_text, update_text
from .trace_file import TraceFile

if TYPE_CHECKING:
    import torch

LOOKS = 8
"""Slots whose output length is looked at per step: all of a small batch, a large one in turn."""
TOKENS_VARIABLE = "LOGITPROOF_TRACE_TOKENS"


class Recorder(LiveProcessor):
    """Appends one line per step to a file of its own; see `logitproof.record` for what is in it.

    Loaded like any processor: by class, as `logitproof.record:Recorder`, or through an entry point. It only reads host
    lists, so no device is waited for. What goes wrong inside is recorded or dropped, never raised into the engine.
    """

    def __init__(self, config: Any, device: torch.device | None = None, is_pin_memory: bool = False) -> None:
        """config: vLLM's or ours; only sizes are read. Source: contract D7."""
        self._facts = {
            **engine_facts(config),
            "device": str(device),
            "tokens": os.environ.get(TOKENS_VARIABLE) == "1",
        }
        self._batch = FollowedBatch(remembered=int(self._facts["max_num_seqs"] or 256))
        self._digests = Digests()
        self._step = 0
        self._cursor = 0
        self._applies = 1
        self._fewest_rows: int | None = None
        self._open()

    @property
    def path(self) -> Path | None:
        """The file that is written; None if none can be."""
        return self._file.path

    def is_argmax_invariant(self) -> bool:
        """False, although no logit changes: either answer leaves the engine's results as they are, but argmax-invariant
        processors are not applied in all-greedy steps (E2), and then a recording could not tell whether each `apply`
        had its own `update_state` (C4). False also keeps its turn among the processors named beside it. Source: D5.
        """
        return False

    def update_state(self, batch_update: Any) -> None:
        """Write the step's line. Cost: O(changes). Source: contract C4."""
        try:
            if os.getpid() != self._process:
                self._open()  # a forked process goes on in a file of its own
            self._step += 1
            told = "null" if batch_update is None else self._told(batch_update)
            batch = self._batch
            more = self._lengths()
            if self._applies != 1:
                more += f', "applies": {self._applies}'
            if self._fewest_rows is not None:
                more += f', "rows": {self._fewest_rows}'
                self._fewest_rows = None
            self._applies = 0
            self._file.append(
                f'{{"step": {self._step}, "by": "{self._by}", "update": {told}, "requests": {batch.requests}, '
                f'"place": {batch.place}{more}}}'
            )
        except Exception:  # the engine's step is worth more than a line of the recording
            return

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Return `logits`, the very tensor, untouched: (num_requests, vocab_size). Source: contract D3."""
        try:
            self._applies += 1
            rows = logits.shape[0]
            if rows < len(self._batch.slots):
                self._fewest_rows = rows if self._fewest_rows is None else min(rows, self._fewest_rows)
        except Exception:  # whatever was passed is handed on as it is
            return logits
        return logits

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """Every request may be recorded. Source: contract D6."""
        return

    def _open(self) -> None:
        self._process = os.getpid()
        self._file = TraceFile()
        self._by = f"{self._process}.{self._file.serial}"
        started = datetime.now(UTC).isoformat(timespec="seconds")
        facts = {
            **self._facts,
            "started": started,
            "first_step": self._step + 1,
            "requests": self._batch.requests,
        }
        self._file.append(header_line(self._by, self._batch.slots, self._digests, **facts))

    def _told(self, update: Any) -> str:
        """The update's text, once the slots have followed it."""
        try:
            entered = self._batch.follow(update, self._step)
            text = update_text(update, entered, self._digests)
            return text + tokens_text(entered, self._batch.left) if self._facts["tokens"] else text
        except Exception as error:  # not in the contract's form: said in the line, judged by whoever reads it
            return f'null, "unreadable": {json.dumps(f"{type(error).__name__}: {error}")}'

    def _lengths(self) -> str:
        """Those of the next `LOOKS` slots that did not grow by one per step, or began or ceased to wait for a token."""
        slots = self._batch.slots
        size = len(slots)
        start = 0
        if size > LOOKS:
            start = self._cursor if self._cursor < size else 0
            self._cursor = start + LOOKS
        step = self._step
        found = []
        for slot, request in enumerate(slots[start : start + LOOKS], start):
            if request is None:
                continue
            outputs = request.outputs
            ahead = len(outputs) - step
            waits = ahead + step > 0 and outputs[-1] < 0
            if ahead != request.ahead or waits != request.waits:
                request.ahead, request.waits = ahead, waits
                found.append([slot, len(outputs), _placeholders(outputs)])
        return f', "lengths": {found}' if found else ""


def _placeholders(outputs: Sequence[int]) -> int:
    """How many -1 stand at the end: tokens that asynchronous scheduling has not filled in yet."""
    count = 0
    for token in reversed(outputs):
        if token >= 0:
            break
        count += 1
    return count
