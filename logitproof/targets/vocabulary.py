"""How wide the logits must be for the token ids that a target names."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from .source import Source
from .target import VOCAB_SIZE, Target
from .token_constants import token_constants, token_phrases

ROUND = 64
"""Vocabularies of models are multiples of it."""
SPELLING = 128
"""The smallest toy vocabulary with every digit, letter and mark."""
TOKENIZER = re.compile(r"(?i)tokenizer")


def uses_tokenizer(source: Source) -> bool:
    """Whether it calls something that gives a tokenizer: `get_tokenizer(...)`, `AutoTokenizer.from_pretrained(...)`."""
    for node in source.walk():
        match node:
            case ast.Call(func=ast.Name(id=name)) if TOKENIZER.search(name):
                return True
            case ast.Call(func=ast.Attribute(value=owner, attr=name)):
                owned = getattr(owner, "id", getattr(owner, "attr", ""))
                if TOKENIZER.search(name) or (name == "from_pretrained" and TOKENIZER.search(owned)):
                    return True
    return False


def wide_enough(token: int) -> int:
    """The smallest vocabulary of a round size that holds the token."""
    return -(-(token + 1) // ROUND) * ROUND


def roomy(target: Target, source: Source, asked: int | None, more: Sequence[int] = ()) -> Target:
    """The target with a vocabulary that holds its token ids, or the one that the user has asked for, and with a note.

    more: token ids that it names elsewhere than in its source.
    """
    constants = (*token_constants(source), *more)
    highest = max(constants, default=0)
    vocab = asked or VOCAB_SIZE
    notes = tuple(note for note in target.notes if note[0] != "vocabulary")
    if asked is not None:
        short = f", although its source names token {highest}" if highest >= asked else ""
        notes += (("vocabulary", f"{asked} tokens, as asked for{short}"),)
    elif highest < SPELLING and uses_tokenizer(source):
        vocab = SPELLING
        notes += (
            (
                "vocabulary",
                f"{vocab} tokens, so that a tokenizer can spell any text; --vocab N says otherwise",
            ),
        )
    elif highest >= VOCAB_SIZE:
        vocab = wide_enough(highest)
        notes += (
            (
                "vocabulary",
                f"{vocab} tokens, since its source names token {highest}; --vocab N says otherwise",
            ),
        )
    tokens = tuple(token for token in constants if token < vocab)
    phrases = tuple(phrase for phrase in token_phrases(source) if max(phrase) < vocab)
    return replace(target, vocab=vocab, tokens=tokens, phrases=phrases, notes=notes)
