"""What a live engine tells its processors, written down while it runs; loaded by a stock vLLM or by our own engine.

    vllm serve MODEL --logits-processors logitproof.record:Recorder
    LLM(model=…, logits_processors=["logitproof.record:Recorder"])

`Recorder` writes one JSON line per step, read by `logitproof trace`. `Shadow` checks one processor on a sample of the
steps. Neither changes a logit nor raises into the engine. Where vLLM is installed both derive from its interface, too.

A recording, in UTF-8 (laws: contract C4, C5):

    {"format": "logitproof.recording", "version": 1, "by": "4711.0", "batch": [], …}       the header
    {"step": 1, "by": "4711.0", "update": {"batch_size": 2, "removed": [],
        "added": [[0, 0, "plain", 15, 0, null], [1, 1, "min_p", null, 9, 0]],
        "moved": [[1, 0, "SWAP"]]}, "requests": 2, "place": 5}
    {"step": 2, "by": "4711.0", "update": null, "requests": 2, "place": 5, "lengths": [[0, 9, 0]]}

- `added` holds `[index, request, features, prompt length or null, output length, came back as]`; requests are numbered
  from 0 in the order told, and the last entry is the number under which the same request was known before, or null.
- `requests` counts those told so far; `place` is the sum of `(slot + 1) * (request + 1)` over the live slots once the
  step is done, so that no line can be changed without a trace.
- `lengths` holds `[slot, output length, placeholders at its end]` of requests that did not grow by exactly one per step
  since they were last looked at, or whose list began or ceased to end in -1. A step looks at 8 slots, in turn where
  there are more, so that its cost does not depend on the size of the batch.
- `applies` is how often `apply` was called since the line before, if not once; `rows` the logits rows it got, if fewer
  than the batch had requests. `unreadable` says why an update could not be read.
- With LOGITPROOF_TRACE_TOKENS=1 a line also has `tokens` (`[request, prompt ids or null, output ids]` of those added)
  and `left` (`[request, output ids]` of those that left). Otherwise no token id and no text is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .recorder import Recorder
    from .shadow import Shadow

__all__ = ["Recorder", "Shadow"]


def __getattr__(name: str) -> Any:
    """The classes are made when they are asked for: their bases include vLLM's, which takes seconds to import."""
    if name == "Recorder":
        from .recorder import Recorder

        return Recorder
    if name == "Shadow":
        from .shadow import Shadow

        return Shadow
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
