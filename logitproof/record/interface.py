"""The base class of what a live engine loads: our interface, and vLLM's where vLLM is installed (contract E5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from logitproof.spec import LogitsProcessor
from logitproof.standin import is_installed


def _bases() -> tuple[type, ...]:
    """Both interfaces ask for the same methods. vLLM accepts subclasses of its own only."""
    try:
        if not is_installed("vllm"):
            return (LogitsProcessor,)
        from vllm.v1.sample.logits_processor import LogitsProcessor as VllmLogitsProcessor
    except Exception:  # a vLLM that is broken, or older than this interface, must not keep ours from loading
        return (LogitsProcessor,)
    return (LogitsProcessor, VllmLogitsProcessor)


if TYPE_CHECKING:
    LiveProcessor = LogitsProcessor
else:
    LiveProcessor = type(
        "LiveProcessor",
        _bases(),
        {
            "__module__": __name__,
            "__doc__": "A processor that our engines and, where it is there, vLLM load.",
        },
    )


def engine_facts(config: Any) -> dict[str, int | None]:
    """Sizes that a reader of a recording may want to know; None where this engine has no such setting."""

    def number(*path: str) -> int | None:
        found = config
        for name in path:
            found = getattr(found, name, None)
        return found if isinstance(found, int) else None

    try:
        vocab = int(config.model_config.get_vocab_size())
    except Exception:  # a fork may spell it differently; a recording is worth having all the same
        vocab = None
    return {
        "max_num_seqs": number("scheduler_config", "max_num_seqs"),
        "max_num_batched_tokens": number("scheduler_config", "max_num_batched_tokens"),
        "max_model_len": number("model_config", "max_model_len"),
        "vocab_size": vocab,
    }
