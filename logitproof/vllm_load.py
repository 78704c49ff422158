"""Our processors inside a vLLM engine: classes that its loader accepts, made out of classes with our interface.

    LLM(model=…, logits_processors=["logitproof.vllm_load:MinPLogitsProcessor"])

vLLM's loader takes subclasses of its own `LogitsProcessor` only, and its updates carry its own params and enum. For a
processor of your own write in your module, and name that to vLLM (as a class, `module:Mine`, or an entry point):

    Mine = for_vllm(MyProcessor)

Note that vLLM always loads its own min-p, logit bias and min-tokens as well: of our three, the logit bias would then be
added twice. They are meant for an engine whose built-in processors are off, and for comparing the two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from logitproof.spec import BatchUpdate, LogitsProcessor, MoveDirectionality, SamplingParams

from .vllm_params import VERBATIM

OURS = ("MinPLogitsProcessor", "LogitBiasLogitsProcessor", "MinTokensLogitsProcessor")
"""Names in this module that vLLM may be given; each is made when it is asked for."""


def __getattr__(name: str) -> Any:
    if name not in OURS:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}; it has for_vllm, {', '.join(OURS)}"
        )
    from logitproof.impl import processors

    made = globals()[name] = for_vllm(getattr(processors, name), module=__name__)
    return made


def from_vllm_params(params: Any) -> SamplingParams:
    """What vLLM's params say, in ours. Raises ValueError or TypeError: a value that ours do not allow.

    Words are taken as the token ids that vLLM's front end made of them; so is everything that stops a request.
    """
    stops = {*(params.stop_token_ids or ()), *(getattr(params, "_all_stop_token_ids", None) or ())}
    eos = getattr(params, "_eos_token_id", None)
    fields = {name: getattr(params, name) for name in VERBATIM}
    if fields["logprobs"] == -1:
        fields["logprobs"] = None  # "all of them": no processor reads it
    return SamplingParams(
        **fields,
        logit_bias=params.logit_bias,
        stop_token_ids=sorted(stops - {eos}),
        eos_token_id=eos,
        allowed_token_ids=params.allowed_token_ids or None,
        bad_words=getattr(params, "_bad_words_token_ids", None) or (),
        extra_args=params.extra_args,
    )


def from_vllm_update(update: Any, translate: Callable[[Any], SamplingParams]) -> BatchUpdate | None:
    """vLLM's update in our types; token lists stay the same objects, and so does the order (contract C1, C5)."""
    if update is None:
        return None
    return BatchUpdate(
        update.batch_size,
        update.removed,
        [(index, translate(params), prompt, outputs) for index, params, prompt, outputs in update.added],
        [(source, to, MoveDirectionality[how.name]) for source, to, how in update.moved],
    )


def for_vllm(cls: type[LogitsProcessor], module: str | None = None) -> type[Any]:
    """A class that vLLM loads and that drives an instance of `cls`; it carries the name of `cls`.

    module: where it can be imported from, for vLLM's log and for pickling; the caller's module if not given.

    Raises TypeError: `cls` is no processor class of ours. Raises ImportError: vLLM is not installed.
    Source: contract E5, D7.
    """
    if not (isinstance(cls, type) and issubclass(cls, LogitsProcessor)):
        raise TypeError(
            f"Expected a subclass of logitproof.LogitsProcessor but got {cls!r}; a class written against vLLM's "
            f"interface can be given to vLLM as it is"
        )
    from vllm.v1.sample.logits_processor import LogitsProcessor as VllmLogitsProcessor

    class Loaded(VllmLogitsProcessor):  # type: ignore[misc]  # vLLM ships no types where this is checked
        target = cls

        def __init__(self, vllm_config: Any, device: Any, is_pin_memory: bool) -> None:
            self.inner = cls(vllm_config, device, is_pin_memory)

        def update_state(self, batch_update: Any) -> None:
            self.inner.update_state(from_vllm_update(batch_update, from_vllm_params))

        def apply(self, logits: Any) -> Any:
            return self.inner.apply(logits)

        def is_argmax_invariant(self) -> bool:
            return self.inner.is_argmax_invariant()

        @classmethod
        def validate_params(cls, sampling_params: Any) -> None:
            """Refuse what ours would refuse: a translation that fails must not wait for `update_state` (D6)."""
            try:
                translated = from_vllm_params(sampling_params)
            except TypeError as error:
                raise ValueError(str(error)) from error
            cls.target.validate_params(translated)

    Loaded.__name__ = Loaded.__qualname__ = cls.__name__
    Loaded.__doc__ = cls.__doc__
    Loaded.__module__ = cls.__module__ if module is None else module
    return Loaded
