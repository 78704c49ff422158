"""A processor inside a live engine with the cheap oracles beside it, on a sample of the steps."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import torch

from logitproof.spec import BatchUpdate, LogitsProcessor, SamplingParams

from .interface import LiveProcessor, engine_facts
from .shadow_oracles import RowFinding, judge_row
from .shadow_window import Window
from .trace_file import say

TARGET_VARIABLE = "LOGITPROOF_SHADOW"
RATE_VARIABLE = "LOGITPROOF_SHADOW_RATE"
FOLDER_VARIABLE = "LOGITPROOF_SHADOW_DIR"
DEFAULT_RATE = 0.01
"""One step in a hundred."""
MOST_FINDINGS = 8
"""Findings that are logged, each law once: a shadow must not fill a disk."""


class Shadow(LiveProcessor):
    """Stands in for one processor: every call goes to it, and what it returns is returned, the very tensor.

    On a sample of the steps one row is taken beside: a fresh instance gets the request alone (D4), a row that it leaves
    alone must be untouched (D2), and no row may be emptied (D8). A finding is said once per law on standard error, with
    a file for `logitproof replay`. What goes wrong in the oracles is never raised; what the processor raises is.

        LLM(logits_processors=[Shadow.around(MyProcessor, rate=0.05)])
        LOGITPROOF_SHADOW=my.module:MyProcessor vllm serve … --logits-processors logitproof.record:Shadow

    A sampled step clones a row, makes an instance and compares, which waits for the device; the others cost about as
    much as following the batch. An instance beside the live one must not write into state that the class shares.
    """

    target: ClassVar[type[Any] | None] = None
    rate: ClassVar[float | None] = None

    def __init__(self, config: Any, device: torch.device, is_pin_memory: bool) -> None:
        """Raises ValueError: no processor is named, or the rate is no number in [0, 1]. Source: contract D7."""
        cls = self._target()
        make: Callable[..., Any] = cls
        self._make: Callable[[], Any] = partial(make, config, device, is_pin_memory)
        self.inner = self._make()
        self._every = _every(self.rate)
        self._facts = engine_facts(config)
        self._window = Window(remembered=self._facts["max_num_seqs"] or 256)
        self._turn = 0
        self._found: set[str] = set()
        self._is_on = self._every > 0
        self._is_ours = issubclass(cls, LogitsProcessor)

    @classmethod
    def around(cls, target: type[Any], rate: float = DEFAULT_RATE) -> type[Shadow]:
        """A class that vLLM or our engine loads in place of `target`. rate: share of the steps, in [0, 1]."""
        _every(rate)
        names = {"__module__": target.__module__, "__qualname__": f"Shadow.{target.__qualname__}"}
        return type(f"Shadow_{target.__name__}", (cls,), {"target": target, "rate": rate, **names})

    @classmethod
    def _target(cls) -> type[Any]:
        if cls.target is not None:
            return cls.target
        name = os.environ.get(TARGET_VARIABLE, "")
        module, colon, attribute = name.partition(":")
        if not (module and colon and attribute):
            raise ValueError(f"Expected {TARGET_VARIABLE} to be module:Class but got {name!r}")
        found: type[Any] = getattr(import_module(module), attribute)
        return found

    def is_argmax_invariant(self) -> bool:
        """What the processor says. Source: contract D5."""
        declared: bool = self.inner.is_argmax_invariant()
        return declared

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """Let the processor judge. Source: contract D6."""
        cls._target().validate_params(sampling_params)

    def update_state(self, batch_update: Any) -> None:
        """Hand the update on, and follow the batch. Source: contract C4."""
        if self._is_on:
            try:
                self._window.step(batch_update)
            except Exception as error:
                self._give_up(error)
        self.inner.update_state(batch_update)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """What the processor returns for `logits`: float tensor (num_requests, vocab_size)."""
        given = self._sampled(logits) if self._is_on else None
        returned: torch.Tensor = self.inner.apply(logits)
        if given is not None:
            try:
                self._judge(*given, returned)
            except Exception as error:
                self._give_up(error)
        return returned

    def _sampled(self, logits: torch.Tensor) -> tuple[int, torch.Tensor] | None:
        """In every n-th step the next row in turn, with a copy of its logits."""
        try:
            window = self._window
            if window.number % self._every or not window.batch.slots:
                return None
            slot = self._turn % len(window.batch.slots)
            self._turn += 1
            return None if window.batch.slots[slot] is None else (slot, logits[slot].clone())
        except Exception as error:
            self._give_up(error)
            return None

    def _judge(self, slot: int, given: torch.Tensor, returned: torch.Tensor) -> None:
        request = self._window.batch.slots[slot]
        assert request is not None
        added = [(0, request.params, request.prompt, request.outputs)]
        alone = self._update_class()(1, [], added, [])
        finding = judge_row(slot, request, given, returned[slot], self._make, alone)
        if finding is not None and finding.law not in self._found and len(self._found) < MOST_FINDINGS:
            self._found.add(finding.law)
            say(f"shadow: {finding.oracle} ({finding.law}): {finding.summary}; {self._save(finding)}")

    def _update_class(self) -> Any:
        if self._is_ours:
            return BatchUpdate
        from vllm.v1.sample.logits_processor import BatchUpdate as VllmBatchUpdate

        return VllmBatchUpdate

    def _save(self, finding: RowFinding) -> str:
        """Write the failure. lockstep is imported only now: a clean engine never pays for it."""
        try:
            from .shadow_failure import save_failure

            folder = Path(os.environ.get(FOLDER_VARIABLE) or ".logitproof")
            vocab = self._facts["vocab_size"] or finding.given.shape[-1]
            path = save_failure(folder, self._target(), finding, self._window, vocab, self._translate)
        except Exception as error:  # the finding itself has been made; only its file is missing
            return f"its history could not be saved ({json.dumps(str(error))})"
        return f"reproduce with: logitproof replay {path}"

    def _translate(self, params: Any) -> SamplingParams:
        if isinstance(params, SamplingParams):
            return params
        from logitproof.vllm_load import from_vllm_params

        return from_vllm_params(params)

    def _give_up(self, error: Exception) -> None:
        """The oracles are broken or the engine is not as expected: say so once, and only pass calls on from now on."""
        self._is_on = False
        say(f"shadow: switched off after {type(error).__name__}: {error}")


def _every(rate: float | None) -> int:
    """Steps from one sample to the next; 0 for none."""
    text = os.environ.get(RATE_VARIABLE) if rate is None else rate
    try:
        share = DEFAULT_RATE if text is None else float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ValueError(f"Expected {RATE_VARIABLE} (or rate) to be a share in [0, 1] but got {text!r}")
    return round(1 / share) if share else 0
