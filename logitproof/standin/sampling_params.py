"""`SamplingParams` and what stands beside it, with the fields and defaults that vLLM documents."""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any


class SamplingType(IntEnum):
    """How a token is chosen."""

    GREEDY = 0
    RANDOM = 1
    RANDOM_SEED = 2


class RequestOutputKind(Enum):
    """What a response holds."""

    CUMULATIVE = 0
    DELTA = 1
    FINAL_ONLY = 2


@dataclass
class StructuredOutputsParams:
    """A grammar to follow; the stand-in carries it and does nothing with it."""

    json: str | dict[str, Any] | None = None
    regex: str | None = None
    choice: list[str] | None = None
    grammar: str | None = None
    json_object: bool | None = None
    disable_any_whitespace: bool = False
    disable_additional_properties: bool = False
    whitespace_pattern: str | None = None
    structural_tag: str | None = None


@dataclass
class SamplingParams:
    """How one request is sampled. Unlike vLLM's, values are taken as they are: nothing is checked or rewritten.

    Source: vLLM's API reference. Fields that only its engine sets carry an underscore.
    """

    n: int = 1
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    repetition_penalty: float = 1.0
    temperature: float = 1.0
    watermarking: bool | None = None
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    seed: int | None = None
    stop: str | list[str] | None = None
    stop_token_ids: list[int] | None = None
    ignore_eos: bool = False
    max_tokens: int | None = 16
    min_tokens: int = 0
    logprobs: int | None = None
    prompt_logprobs: int | None = None
    prompt_logprob_token_ids: Any = None
    prompt_logprob_start: int | None = None
    logprob_token_ids: list[int] | None = None
    flat_logprobs: bool = False
    detokenize: bool = True
    skip_special_tokens: bool = True
    spaces_between_special_tokens: bool = True
    include_stop_str_in_output: bool = False
    output_kind: RequestOutputKind = RequestOutputKind.CUMULATIVE
    stream_interval: int | None = None
    skip_clone: bool = False
    output_text_buffer_length: int = 0
    _eos_token_id: int | None = None
    _all_stop_token_ids: set[int] = field(default_factory=set)
    _watermarking_skipped: bool = False
    structured_outputs: StructuredOutputsParams | None = None
    logit_bias: dict[int, float] | None = None
    allowed_token_ids: list[int] | None = None
    extra_args: dict[str, Any] | None = None
    bad_words: list[str] | None = None
    _bad_words_token_ids: list[list[int]] | None = None
    skip_reading_prefix_cache: bool | None = None
    thinking_token_budget: int | None = None
    repetition_detection: Any = None
    routed_experts_prompt_start: int = 0
    trace_decode_token_ids: list[int] | None = None

    def __post_init__(self) -> None:
        if self.stop is None:
            self.stop = []
        elif isinstance(self.stop, str):
            self.stop = [self.stop]
        self.stop_token_ids = self.stop_token_ids or []
        self.bad_words = self.bad_words or []
        if self.skip_reading_prefix_cache is None:
            self.skip_reading_prefix_cache = self.prompt_logprobs is not None
        self._all_stop_token_ids = {*self._all_stop_token_ids, *self.stop_token_ids}

    @property
    def sampling_type(self) -> SamplingType:
        """Greedy at temperature 0, else random, with a seed of its own or without."""
        if self.temperature == 0:
            return SamplingType.GREEDY
        return SamplingType.RANDOM if self.seed is None else SamplingType.RANDOM_SEED

    @property
    def eos_token_id(self) -> int | None:
        """The model's end token, unless the request ignores it."""
        return self._eos_token_id

    @property
    def all_stop_token_ids(self) -> set[int]:
        """Every token that ends the request."""
        return self._all_stop_token_ids

    @property
    def bad_words_token_ids(self) -> list[list[int]] | None:
        """`bad_words` as token ids."""
        return self._bad_words_token_ids

    @property
    def num_logprobs(self) -> int | None:
        """How many log-probabilities are wanted; those of named tokens if no number is given."""
        if self.logprobs is None and self.logprob_token_ids:
            return len(self.logprob_token_ids)
        return self.logprobs

    def clone(self) -> SamplingParams:
        """A copy that shares nothing with the original, or only its values if `skip_clone` says so."""
        return copy(self) if self.skip_clone else deepcopy(self)

    @staticmethod
    def from_optional(**fields: Any) -> SamplingParams:
        """Params out of the fields that are not None."""
        return SamplingParams(**{name: value for name, value in fields.items() if value is not None})
