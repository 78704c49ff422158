"""A model of any vocabulary size that exists in name only: its tokens, and a folder that real libraries can load.

Processors that read `model_config.tokenizer`, or load a tokenizer by that name, get these tokens. With transformers
installed the folder is a tokenizer that `AutoTokenizer.from_pretrained` accepts, without a network.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from tempfile import gettempdir

PAD, BOS, EOS, UNKNOWN = range(4)
MARKERS = ("<pad>", "<s>", "</s>", "<unk>", "<think>", "</think>")
LETTERS = '\n {}":,.[]etaoinsrhldu'
"""What a vocabulary of 32 can spell, apart from its markers: words of the commonest letters, and JSON."""
FURTHER = (
    *("<answer>", "</answer>", "<tool_call>", "</tool_call>", "<|im_start|>", "<|im_end|>", "<|endoftext|>"),
    *("<|eot_id|>", "<|start|>", "<|end|>", "<|channel|>", "<|message|>", "<|return|>", "<|call|>"),
    *("<tool_response>", "</tool_response>", "<|assistant|>", "<|user|>", "<|think|>", "<|/think|>"),
)
"""Markers of real models: a file that names one gets a vocabulary that has it."""
FOLDER = re.compile(r"logitproof-toy-(\d+)$")
PIECE = r"<[^<>\s]*>|[\s\S]"
"""A text is cut into markers in angle brackets and single characters."""
DEFAULT_SIZE = 32


@lru_cache(maxsize=8)
def tokens(vocab_size: int) -> tuple[str, ...]:
    """Every token of a vocabulary, by id."""
    spelt = [*MARKERS, *LETTERS, *"mcfp", *FURTHER]
    spelt += [letter for letter in string.printable if letter not in spelt]
    spelt += [f"<tok{token}>" for token in range(len(spelt), vocab_size)]
    return tuple(spelt[:vocab_size])


def marker_ids(texts: Iterable[str]) -> tuple[int, ...]:
    """Ids of the markers that occur in texts, in ascending order."""
    found = {marker for text in texts for marker in re.findall(r"<[^<>\s]*>", text)}
    known = tokens(len(MARKERS) + len(LETTERS) + 4 + len(FURTHER))
    return tuple(
        number for number, token in enumerate(known) if number >= len(MARKERS[:4]) and token in found
    )


def size_of(name: object) -> int:
    """The vocabulary of the model of that name; 32 for any model that is not ours."""
    found = FOLDER.search(str(name))
    return int(found.group(1)) if found else DEFAULT_SIZE


@lru_cache(maxsize=8)
def model_name(vocab_size: int) -> str:
    """The path of a folder that holds the tokenizer; written when it is first asked for."""
    folder = Path(gettempdir()) / f"logitproof-toy-{vocab_size}"
    vocabulary = {token: number for number, token in enumerate(tokens(vocab_size))}
    marker = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    added = [
        {"id": vocabulary[token], "content": token, **marker} for token in MARKERS[:4] if token in vocabulary
    ]
    isolated = {"type": "Split", "pattern": {"Regex": PIECE}, "behavior": "Isolated", "invert": False}
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": isolated,
        "post_processor": None,
        "decoder": {"type": "Fuse"},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": MARKERS[UNKNOWN]},
    }
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "pad_token": MARKERS[PAD],
        "bos_token": MARKERS[BOS],
        "eos_token": MARKERS[EOS],
        "unk_token": MARKERS[UNKNOWN],
        "clean_up_tokenization_spaces": False,
    }
    model = {"model_type": "gpt2", "vocab_size": vocab_size, "eos_token_id": EOS, "bos_token_id": BOS}
    folder.mkdir(exist_ok=True)
    files = {"tokenizer.json": tokenizer, "tokenizer_config.json": settings, "config.json": model}
    for name, content in files.items():
        # Whole or not at all: several processes may write the same folder.
        draft = folder / f"{name}.{id(content)}"
        draft.write_text(json.dumps(content), encoding="utf-8")
        draft.replace(folder / name)
    return str(folder)
