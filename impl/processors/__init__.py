"""The built-in logits processors, one feature each, and the adapter for functions of one request."""

from .allowed_token_ids import AllowedTokenIdsLogitsProcessor
from .bad_words import BadWordsLogitsProcessor
from .frequency_penalty import FrequencyPenaltyLogitsProcessor
from .logit_bias import LogitBiasLogitsProcessor
from .min_p import MinPLogitsProcessor
from .min_tokens import MinTokensLogitsProcessor
from .per_request import PerRequestLogitsProcessor, per_request
from .presence_penalty import PresencePenaltyLogitsProcessor
from .repetition_penalty import RepetitionPenaltyLogitsProcessor
from .temperature import TemperatureLogitsProcessor
from .top_k import TopKLogitsProcessor
from .top_p import TopPLogitsProcessor

__all__ = [
    "AllowedTokenIdsLogitsProcessor",
    "BadWordsLogitsProcessor",
    "FrequencyPenaltyLogitsProcessor",
    "LogitBiasLogitsProcessor",
    "MinPLogitsProcessor",
    "MinTokensLogitsProcessor",
    "PerRequestLogitsProcessor",
    "PresencePenaltyLogitsProcessor",
    "RepetitionPenaltyLogitsProcessor",
    "TemperatureLogitsProcessor",
    "TopKLogitsProcessor",
    "TopPLogitsProcessor",
    "per_request",
]
