"""A tokenizer over the vocabulary that is fuzzed, with the methods that processors call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from logitproof.toy_model import BOS, EOS, MARKERS, PAD, PIECE, UNKNOWN, size_of, tokens


class BatchEncoding(dict[str, Any]):
    """`tokenizer(text)`: a dictionary whose entries are attributes too."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(name)


@dataclass(frozen=True)
class AddedToken:
    """A token that is no part of a text."""

    content: str
    special: bool = True

    def __str__(self) -> str:
        return self.content


class ToyTokenizer:
    """Deterministic: markers in angle brackets are one token each, everything else a token per character."""

    is_fast = True
    pad_token_id, bos_token_id, eos_token_id, unk_token_id = PAD, BOS, EOS, UNKNOWN
    pad_token, bos_token, eos_token, unk_token = MARKERS[:4]
    all_special_ids = (PAD, BOS, EOS, UNKNOWN)
    all_special_tokens = all_special_tokens_extended = MARKERS[:4]
    additional_special_tokens: tuple[str, ...] = ()
    additional_special_tokens_ids: tuple[int, ...] = ()
    chat_template = None
    padding_side = "right"
    model_max_length = 4096

    def __init__(self, vocab_size: int, name_or_path: str = "") -> None:
        self.vocab_size = vocab_size
        self.name_or_path = name_or_path
        self._tokens = tokens(vocab_size)
        self._ids = {token: number for number, token in enumerate(self._tokens)}

    @classmethod
    def from_pretrained(cls, name: Any = "", *args: Any, **kwargs: Any) -> ToyTokenizer:
        """The toy tokenizer, whatever model is named."""
        return cls(size_of(name), str(name))

    def __len__(self) -> int:
        return self.vocab_size

    @property
    def max_token_id(self) -> int:
        """The highest id."""
        return self.vocab_size - 1

    @property
    def special_tokens_map(self) -> dict[str, str]:
        """Names of the special tokens."""
        names = ("pad_token", "bos_token", "eos_token", "unk_token")
        return dict(zip(names, MARKERS, strict=False))

    def get_vocab(self) -> dict[str, int]:
        """Token to id."""
        return dict(self._ids)

    @property
    def vocab(self) -> dict[str, int]:
        """Token to id."""
        return self.get_vocab()

    def get_added_vocab(self) -> dict[str, int]:
        """Special tokens to ids."""
        return {token: self._ids[token] for token in MARKERS[:4]}

    @property
    def added_tokens_encoder(self) -> dict[str, int]:
        """Special tokens to ids."""
        return self.get_added_vocab()

    @property
    def added_tokens_decoder(self) -> dict[int, AddedToken]:
        """Ids of special tokens to what they are."""
        return {number: AddedToken(token) for token, number in self.get_added_vocab().items()}

    def tokenize(self, text: str, **kwargs: Any) -> list[str]:
        """The pieces of a text, as they stand in the vocabulary."""
        return [self._tokens[number] for number in self._encode(text)]

    def _encode(self, text: str) -> list[int]:
        return [self._ids.get(piece, UNKNOWN) for piece in re.findall(PIECE, text)]

    def encode(self, text: str, *args: Any, **kwargs: Any) -> list[int]:
        """Token ids of a text; no special tokens are added."""
        return self._encode(text)

    def __call__(self, text: str | Sequence[str], *args: Any, **kwargs: Any) -> BatchEncoding:
        ids: Any = self._encode(text) if isinstance(text, str) else [self._encode(each) for each in text]
        ones: Any = [1] * len(ids) if isinstance(text, str) else [[1] * len(each) for each in ids]
        if kwargs.get("return_tensors") == "pt":
            import torch

            ids, ones = (torch.tensor([each] if isinstance(text, str) else each) for each in (ids, ones))
        return BatchEncoding(input_ids=ids, attention_mask=ones)

    def decode(self, token_ids: Any, skip_special_tokens: bool = False, **kwargs: Any) -> str:
        """The text of one id or several."""
        numbers = token_ids.tolist() if hasattr(token_ids, "tolist") else token_ids
        numbers = [numbers] if isinstance(numbers, int) else numbers
        hidden = self.all_special_ids if skip_special_tokens else ()
        return "".join(self._tokens[number] for number in numbers if number not in hidden)

    def batch_decode(self, sequences: Iterable[Any], **kwargs: Any) -> list[str]:
        """The texts of several lists of ids."""
        return [self.decode(sequence, **kwargs) for sequence in sequences]

    def convert_tokens_to_ids(self, tokens: str | Iterable[str]) -> Any:
        """The id of a token, or the ids of several; what is no token is unknown."""
        if isinstance(tokens, str):
            return self._ids.get(tokens, UNKNOWN)
        return [self._ids.get(token, UNKNOWN) for token in tokens]

    def convert_ids_to_tokens(self, ids: Any, **kwargs: Any) -> Any:
        """The token of an id, or the tokens of several."""
        return self._tokens[ids] if isinstance(ids, int) else [self._tokens[number] for number in ids]

    def convert_tokens_to_string(self, tokens: Iterable[str]) -> str:
        """The text that tokens spell."""
        return "".join(tokens)

    def apply_chat_template(self, conversation: Any, tokenize: bool = True, **kwargs: Any) -> Any:
        """The contents of the messages, one after the other."""
        text = "\n".join(str(message["content"]) for message in conversation)
        return self._encode(text) if tokenize else text


def get_tokenizer(tokenizer_name: Any = "", *args: Any, **kwargs: Any) -> ToyTokenizer:
    """The toy tokenizer of a model of ours, or one of 32 tokens."""
    return ToyTokenizer.from_pretrained(tokenizer_name)


cached_get_tokenizer = lru_cache(maxsize=None)(get_tokenizer)


def cached_tokenizer_from_config(model_config: Any, **kwargs: Any) -> ToyTokenizer:
    """The toy tokenizer of a model configuration."""
    return cached_get_tokenizer(model_config.tokenizer)


def init_tokenizer_from_configs(model_config: Any, *args: Any, **kwargs: Any) -> ToyTokenizer:
    """The same under an older name."""
    return cached_tokenizer_from_config(model_config)
