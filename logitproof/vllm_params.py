"""Sampling parameters as vLLM spells them, one vLLM object for one of ours.

vLLM is imported when the first object is translated, so that this module loads where vLLM is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

from logitproof.spec import SamplingParams

VERBATIM = (
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "repetition_penalty",
    "frequency_penalty",
    "presence_penalty",
    "min_tokens",
    "max_tokens",
    "ignore_eos",
    "seed",
    "logprobs",
)
"""Fields that both sides call by the same name and fill with the same values."""

CONVERTED = ("logit_bias", "stop_token_ids", "eos_token_id", "allowed_token_ids", "bad_words", "extra_args")
"""Fields that need another container or another place."""


MAX_MODEL_LEN = 4096
"""Of the model that exists in name only: as many tokens as a request may have that says no number."""
ENGINE_FIELD = "SamplingParams."
"""Before the name of a field that ours lack, in the `extra_args` of ours: `SamplingParams.thinking_token_budget`."""


def to_vllm_params(params: SamplingParams) -> Any:
    """A `vllm.SamplingParams` that says what `params` say; `to_spec_params` gives `params` back.

    Values are set after construction. vLLM's constructor rewrites some: at temperature 0 it sets top_p, top_k and
    min_p to "off", and it raises tiny temperatures. A processor is checked against the request as it was made, so
    that a reference that reads our params and a processor that reads vLLM's read the same numbers.
    """
    from vllm.sampling_params import SamplingParams as VllmSamplingParams

    translated = VllmSamplingParams()
    for name in VERBATIM:
        setattr(translated, name, getattr(params, name))
    if params.max_tokens is None:  # vLLM's front end has set it by then
        translated.max_tokens = MAX_MODEL_LEN
    if params.logit_bias is not None:
        translated.logit_bias = dict(params.logit_bias)
    translated.stop_token_ids = list(dict.fromkeys(params.stop_token_ids))
    if params.allowed_token_ids is not None:
        translated.allowed_token_ids = list(params.allowed_token_ids)
    if params.extra_args is not None:
        _set_extra(translated, params.extra_args)
    # What vLLM's front end derives from tokenizer and model: words as token ids, end token, everything that stops.
    if params.bad_words:
        translated._bad_words_token_ids = [list(word) for word in params.bad_words]
    translated._eos_token_id = None if params.ignore_eos else params.eos_token_id
    translated._all_stop_token_ids = set(params.all_stop_token_ids)
    translated.logitproof_source = params
    return translated


def _set_extra(translated: Any, extra: Mapping[str, Any]) -> None:
    """`extra_args`, and the fields that only vLLM's params have, which travel in them under a longer name."""
    rest = {name: value for name, value in extra.items() if not name.startswith(ENGINE_FIELD)}
    for name in extra.keys() - rest.keys():
        setattr(translated, name.removeprefix(ENGINE_FIELD), extra[name])
    if rest or not extra:
        translated.extra_args = rest


def to_spec_params(translated: Any) -> SamplingParams:
    """The params that a translated object was made from."""
    source: SamplingParams = translated.logitproof_source
    return source


class ParamsTranslator:
    """Requests that share one params object share one translated object too.

    A translation lives as long as a processor keeps it, and keeps its source alive: whoever leaks one leaks both.
    """

    __slots__ = ("_translations",)

    def __init__(self) -> None:
        self._translations: WeakValueDictionary[int, Any] = WeakValueDictionary()

    def to_vllm(self, params: SamplingParams) -> Any:
        """The translation of this very object."""
        translated = self._translations.get(id(params))
        if translated is None:
            translated = self._translations[id(params)] = to_vllm_params(params)
        return translated
