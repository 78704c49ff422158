"""The language of `--arg NAME=KIND`: what values an argument of a request takes. `KINDS` says what there is.

A dotted NAME lies in a dictionary: `watermark.delta`. The name of a field of `SamplingParams` sets that field, and any
other name a key of `extra_args`; `extra_args.top_k` is that key, and not the field.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from .errors import TargetError
from .params import tokens

KINDS = {
    "int": "0 to 5",
    "int:1..vocab": "1 to the highest token id",
    "float": "-2 to 2",
    "float:0.0..1.5": "both ends, and steps between that add without rounding",
    "bool": "true or false",
    "token": "a token id",
    "tokens": "one to four token ids in a list",
    "tokens:64": "that many token ids in a list: a few, again and again",
    "choice:a,b,3": "one of these",
    "str:hello": "this text",
    "list:KIND": "one to three of a kind in a list",
    "map:token:KIND": "token ids, as JSON writes keys, to values of a kind",
    "json:KIND": "the JSON text of a kind",
    "csv:KIND": "one to three of a kind as text, with commas between",
    "optional:KIND": "left out by some requests",
}
"""Examples of every kind, with what they give; the table of docs/fuzzing.md."""
SIMPLE = ("bool", "float", "int", "str", "token", "tokens")
WRAPPERS = ("choice", "csv", "json", "list", "map", "optional")
MOST_STEPS = 8
"""Steps between the ends of a range of floats."""
MOST_LISTED = 3
MOST_TOKENS = 4


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a request. path: keys from the outside in; kind: as it was written."""

    path: tuple[str, ...]
    kind: str

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}={self.kind}"

    @property
    def is_optional(self) -> bool:
        """Whether some requests are made without it."""
        return self.kind.startswith("optional:")

    def values(self, vocab_size: int) -> SearchStrategy[Any]:
        """Its values, when it is there. Raises TargetError: the vocabulary is too small for it."""
        return _values(self.kind.removeprefix("optional:"), f"--arg {self}", vocab_size)


def parse(text: str) -> Argument:
    """`NAME=KIND` as an argument. Raises TargetError, in one line, for what is not in the language."""
    name, equals, kind = text.partition("=")
    path = tuple(name.strip().split("."))
    if not equals or not all(path):
        raise TargetError(f"--arg {text!r}: expected NAME=KIND, for example --arg target_token=token")
    argument = Argument(path, kind.strip())
    argument.values(1 << 20)  # every mistake shows now, whatever vocabulary is chosen later
    return argument


def _values(kind: str, where: str, vocab: int) -> SearchStrategy[Any]:
    head, _, rest = kind.partition(":")
    match head:
        case "int":
            low, high = _range(rest, where, vocab, int, (0, 5))
            return st.integers(low, high)
        case "float":
            low, high = _range(rest, where, vocab, float, (-2.0, 2.0))
            return st.sampled_from(_steps(low, high))
        case "bool" if not rest:
            return st.booleans().map(lambda drawn: not drawn)  # shrinks to True: to a request that uses it
        case "token" if not rest:
            return tokens(vocab)
        case "tokens" if not rest:
            return st.lists(tokens(vocab), min_size=1, max_size=MOST_TOKENS)
        case "tokens" if rest.isdigit() and int(rest):
            few = st.lists(tokens(vocab), min_size=1, max_size=MOST_TOKENS)
            return few.map(lambda drawn: (drawn * int(rest))[: int(rest)])
        case "choice" if rest:
            return st.sampled_from([_literal(word) for word in rest.split(",")])
        case "str" if rest:
            return st.just(rest)
        case "str":
            return st.sampled_from(("a", "the", "in a", "eat"))
        case "list" if rest:
            return st.lists(_values(rest, where, vocab), min_size=1, max_size=MOST_LISTED)
        case "json" if rest:
            return _values(rest, where, vocab).map(json.dumps)
        case "csv" if rest:
            return _values(f"list:{rest}", where, vocab).map(lambda values: ",".join(map(str, values)))
        case "map" if rest.startswith("token:"):
            value = _values(rest.removeprefix("token:"), where, vocab)
            return st.dictionaries(tokens(vocab).map(str), value, min_size=1, max_size=MOST_LISTED)
        case "optional":
            raise TargetError(f"{where}: 'optional' stands first, and the kind after it: optional:int:1..5")
    raise TargetError(f"{where}: {_what_is_wrong(head, rest)}")


def _what_is_wrong(head: str, rest: str) -> str:
    if head in SIMPLE:
        return f"{head!r} takes no {rest!r} after it"
    if head in WRAPPERS:
        shapes = {"choice": "choice:a,b,c", "map": "map:token:float"}
        return f"{head!r} needs more after it, as in {shapes.get(head, f'{head}:token')}"
    near = get_close_matches(head, (*SIMPLE, *WRAPPERS), n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"the kinds are {', '.join((*SIMPLE, *WRAPPERS))}"
    return f"there is no kind {head!r}; {hint}"


def _range(
    text: str, where: str, vocab: int, number: Callable[[str], Any], default: tuple[Any, Any]
) -> tuple[Any, Any]:
    if not text:
        return default
    low, dots, high = text.partition("..")
    try:
        if not dots:
            raise ValueError(text)
        ends = tuple(number(str(vocab - 1)) if end.strip() == "vocab" else number(end) for end in (low, high))
    except ValueError:
        raise TargetError(
            f"{where}: expected a range like 0..5 or 0..vocab after {number.__name__} but got {text!r}"
        ) from None
    if ends[0] > ends[1]:
        why = f" with a vocabulary of {vocab} tokens" if "vocab" in text else ""
        raise TargetError(f"{where}: the range {text} is empty{why}")
    return ends[0], ends[1]


def _steps(low: float, high: float) -> list[float]:
    """Both ends, and multiples of a power of two between them, so that sums of few are exact."""
    step = 1 / 16
    while (high - low) / step > MOST_STEPS:
        step *= 2
    between = [number * step for number in range(int(low // step) + 1, int(high // step) + 1)]
    inside = [value for value in between if low < value < high]
    return list(dict.fromkeys([*inside, high, low]))


def _literal(word: str) -> Any:
    try:
        return json.loads(word)
    except ValueError:
        return word


def params_for(arguments: tuple[Argument, ...]) -> Callable[[int], SearchStrategy[Any]]:
    """Requests with these arguments, as `(vocab_size) -> strategy of SamplingParams`."""
    from .assembled import assembled

    def strategy(vocab_size: int) -> SearchStrategy[Any]:
        always = {each.path: each.values(vocab_size) for each in arguments if not each.is_optional}
        sometimes = {each.path: each.values(vocab_size) for each in arguments if each.is_optional}
        return st.fixed_dictionaries(always, optional=sometimes).map(assembled)

    return strategy
