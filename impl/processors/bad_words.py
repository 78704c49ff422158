"""Bad words: the token that would complete a forbidden sequence of token ids is banned."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from ..entry import Entry, Rejected, exact, token_ids
from ..row_state import RowStates
from ..staging import Staging
from ..strategy import cells_for


class _Words:
    """One request's words, found by the token before their last one, and the live lists they are matched against.

    Matching costs a look-up of the last token said; only words whose last-but-one token it is are compared further.
    """

    __slots__ = ("_always", "_by_previous", "_outputs", "_prompt")

    def __init__(self, words: Sequence[Sequence[int]], prompt: list[int] | None, outputs: list[int]) -> None:
        self._prompt = prompt or []
        self._outputs = outputs
        self._always = {word[0] for word in words if len(word) == 1}
        self._by_previous: dict[int, list[tuple[list[int], int]]] = {}
        for *beginning, last in words:
            if beginning:
                self._by_previous.setdefault(beginning[-1], []).append((beginning, last))

    def forbidden(self) -> set[int]:
        """The tokens that would complete a word now."""
        outputs, prompt = self._outputs, self._prompt
        said = outputs or prompt
        found = self._by_previous.get(said[-1]) if said else None
        if not found:
            return self._always
        completing = {last for beginning, last in found if self._was_said(beginning)}
        return self._always | completing

    def _was_said(self, beginning: list[int]) -> bool:
        length = len(beginning)
        missing = length - len(self._outputs)
        if missing <= 0:
            return self._outputs[-length:] == beginning
        if missing > len(self._prompt):
            return False
        return self._prompt[-missing:] + self._outputs == beginning


class BadWordsLogitsProcessor(LogitsProcessor):
    """Bans (logit -inf) the last token of every word in `SamplingParams.bad_words` whose other tokens were just said.

    What was said is prompt, then output: a word may begin in the prompt. (vLLM 0.32 looks at the output only; the two
    differ while a word's beginning reaches into the prompt.) A word of one token is always banned. A placeholder at
    the end of the outputs equals no token. A row that would be left without a finite logit is left as it is (D8).
    """

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._staging = Staging(device, is_pin_memory)
        self._states: RowStates[_Words] = RowStates()
        self._forbidden: dict[int, set[int]] = {}
        self._cells = cells_for(self._staging)

    def is_argmax_invariant(self) -> bool:
        """False: the banned token may have been the winner. Source: contract D5."""
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the batch. Words are matched in `apply`, when placeholders have been patched. Source: C1, C4, C5."""
        self._states.update(batch_update, _words)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Ban in place and return `logits`: float tensor (num_requests, vocab_size). Source: contract D1 to D4, D8."""
        if not self._states:
            return logits
        matched = ((row, words.forbidden()) for row, words in self._states.items())
        forbidden = {row: tokens for row, tokens in matched if tokens}
        if forbidden != self._forbidden:
            self._forbidden = forbidden
            cells = [(row, token) for row, tokens in forbidden.items() for token in tokens]
            rows, token_ids = np.array(cells, dtype=np.int64).reshape(-1, 2).T
            self._cells = cells_for(self._staging, rows, token_ids)
        if forbidden:
            self._cells.ban(logits)
        return logits


def _words(
    params: SamplingParams, prompt_token_ids: list[int] | None, output_token_ids: list[int]
) -> _Words | None:
    if not params.bad_words:
        return None
    return _Words([tuple(word) for word in params.bad_words], prompt_token_ids, output_token_ids)


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    return SamplingParams(bad_words=[token_ids(rng, vocab_size, 3) for _ in range(rng.randint(1, 4))])


BAD_WORDS = Entry(
    "bad_words",
    BadWordsLogitsProcessor,
    _sample,
    (
        Rejected({"bad_words": [[]]}, "free of empty words"),
        Rejected({"bad_words": ["hello"]}, r"bad_words\[0\] to be a sequence of token ids"),
        Rejected({"bad_words": [[3, -1]]}, r"bad_words\[0\] to be a sequence of token ids"),
        Rejected({"bad_words": [[1 << 40]]}, "bad_words has"),
    ),
    argmax_invariant=False,
    tolerance=exact("a logit is kept or banned, never computed"),
)
