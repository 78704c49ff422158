"""From evidence about an argument to the kinds that it may be, the likeliest first, in the language of `--arg`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import ceil, floor, inf
from typing import Any

from .evidence import ELEMENT, Evidence, Path

SEQUENCES = {"sequences", "phrases", "seqs", "ngrams", "prefixes", "patterns", "templates", "words"}
SEQUENCE = {
    "sequence",
    "seq",
    "prefix",
    "forced",
    "template",
    "path",
    "committed",
    "continuation",
    "suffix",
    "trajectory",
}
TOKEN = {"token", "tok", "eos", "bos", "pad", "id"}
TOKENS = {"tokens", "ids", "toks", "whitelist", "blacklist", "greenlist", "vocab"}
WHOLE = {
    "budget",
    "max",
    "min",
    "n",
    "k",
    "window",
    "size",
    "len",
    "length",
    "steps",
    "step",
    "count",
    "num",
    "limit",
}
WHOLE |= {
    "every",
    "ngram",
    "depth",
    "position",
    "pos",
    "after",
    "warmup",
    "period",
    "interval",
    "offset",
    "context",
}
WHOLE |= {
    "width",
    "order",
    "until",
    "start",
    "end",
    "minimum",
    "maximum",
    "index",
    "level",
    "remaining",
    "lookback",
}
LARGE = {"seed", "key", "salt", "secret", "hash", "uid", "nonce", "message"}
FRACTION = {
    "gamma",
    "ratio",
    "prob",
    "probability",
    "p",
    "threshold",
    "fraction",
    "top",
    "eps",
    "epsilon",
    "confidence",
}
AMOUNT = {
    "delta",
    "bias",
    "penalty",
    "scale",
    "alpha",
    "beta",
    "strength",
    "factor",
    "weight",
    "boost",
    "rate",
}
AMOUNT |= {
    "decay",
    "lambda",
    "coef",
    "coefficient",
    "temperature",
    "temp",
    "value",
    "cap",
    "amount",
    "reward",
    "theta",
}
FLAG = {
    "enable",
    "enabled",
    "use",
    "disable",
    "disabled",
    "is",
    "has",
    "flag",
    "should",
    "apply",
    "on",
    "active",
}
FLAG |= {"skip", "ignore", "force", "strict", "adaptive", "required", "with", "include", "exclude", "only"}
MODE = {
    "mode",
    "type",
    "method",
    "strategy",
    "schedule",
    "scheme",
    "direction",
    "curve",
    "kind",
    "profile",
    "format",
}
TEXT = {
    "text",
    "regex",
    "pattern",
    "str",
    "string",
    "word",
    "schema",
    "prompt",
    "json",
    "grammar",
    "phrase",
    "name",
}
TEXTS = {"strings", "texts", "stops"}

FLOATS = {"range", "bounds", "probs", "probabilities", "logprobs", "temperatures", "scores"}
FILE = {"file", "filename", "filepath", "log", "logfile", "dir", "directory", "folder", "dump"}
NOWHERE = "str:/dev/null"
"""A file that may be written to: whatever a guess is, nothing may be left behind."""
LONG = "tokens:64"
"""For what must not end before the request does."""

KINDS: tuple[tuple[set[str], tuple[str, ...]], ...] = (
    (SEQUENCES, ("list:tokens", "tokens", "list:str")),
    (FILE, (NOWHERE, "bool")),
    (FLOATS, ("list:float:0.5..4.0", "float:0.5..4.0")),
    (SEQUENCE, ("tokens", "list:tokens", "str", LONG)),
    (TOKENS, ("tokens", "list:tokens", "map:token:float:-4.0..4.0", LONG)),
    (TOKEN, ("token", "tokens")),
    (LARGE, ("int:1..1000", "str", "list:int:1..1000")),
    (FLAG, ("bool",)),
    (FRACTION, ("float:0.25..0.75", "float:0.0..1.0", "float:1.0..4.0", "int:1..5")),
    (
        AMOUNT,
        ("float:0.5..4.0", "float:-4.0..4.0", "float:0.25..0.75", "map:token:float:-4.0..4.0", "int:1..5"),
    ),
    (WHOLE, ("int:1..5", "int:2..4", "float:0.5..4.0")),
    (MODE, ("str", "bool")),
    (TEXTS, ("list:str", "str")),
    (TEXT, ("str", "choice:a,e,t,o", "list:str", "tokens")),
)
"""Words that names are made of, and what arguments of such names mostly are. The first row that fits speaks."""

ANYTHING = ("token", "int:1..5", "bool", "float:0.5..4.0", "tokens", "map:token:float:-4.0..4.0", "str")
MAPPINGS = ("map:token:float:-4.0..4.0", "map:token:int:1..5", "map:token:tokens")
MEMBERS = {"float": "list:float:0.5..4.0", "str": "list:str"}
"""Lists of what is no token."""
LISTS = ("tokens", "list:tokens", "list:str", "list:float:0.5..4.0")


def leaves(found: Mapping[Path, Evidence]) -> list[Evidence]:
    """Arguments that are no dictionaries of further ones, and that lie in no list."""
    holders = {path[:depth] for path in found for depth in range(1, len(path)) if path[depth] != ELEMENT}
    return [each for path, each in found.items() if ELEMENT not in path and path not in holders]


def guesses(each: Evidence, found: Mapping[Path, Evidence]) -> list[str]:
    """Kinds of one argument, the likeliest first."""
    facts = set(each.facts)
    element = found.get((*each.path, ELEMENT))
    nested = (*each.path, ELEMENT, ELEMENT) in found or (element is not None and "list" in element.facts)
    if element is not None and "dict" not in facts:
        facts.add("list")
    by_name = _by_name(each.path[-1])
    if facts == {"tested"} and not (each.defaults or each.literals or each.numbers):
        return list(dict.fromkeys([*by_name, "bool", *ANYTHING]))  # nothing but "is it there" is ever asked
    if "file" in facts:
        return [NOWHERE]
    words = _words(each)
    kinds: list[str] = [_choice(words)] if len(words) > 1 or (words and "str" in facts) else []
    if "csv" in facts:
        kinds += ["csv:token", "csv:str", "csv:float:0.5..4.0"]
    if "json" in facts:
        kinds += ["json:tokens", "json:list:tokens", f"json:{MAPPINGS[0]}", "json:list:str"]
    mappings = _mappings(element, found) if "dict" in facts else []
    kinds += mappings if element is not None else []
    kinds += [*_by_default(each, by_name), *mappings]
    if "index" in facts and "list" not in facts:
        kinds += ["token"]
    if element is not None and (choices := _words(element)):
        kinds.append(f"list:{_choice(choices)}")
    if "list" in facts and element is not None:
        kinds += [kind for fact, kind in MEMBERS.items() if fact in element.facts]
    if "list" in facts and not facts & {"str", "int", "float"}:
        kinds += ["list:tokens"] if nested else []
        kinds += [kind for kind in by_name if kind.startswith(("tokens", "list"))] + [*LISTS]
    types = {fact for fact in facts if fact in ("int", "float", "bool", "str")}
    kinds += [kind for kind in by_name if not types or _type_of(kind) in types]
    for fact in ("int", "float", "str", "bool"):
        if fact in types:
            kinds += {
                "int": ("int:1..5", "token"),
                "float": ("float:0.5..4.0",),
                "str": ("str",),
                "bool": ("bool",),
            }[fact]
    if words and each.literals:
        kinds.append(_choice(words))
    if "number" in facts or each.numbers:
        kinds += ["int:1..5", "float:0.5..4.0"]
    likely = [*kinds, *by_name]
    # False passes for 0, which may change more logits than any number that means something.
    is_number = any(kind.startswith(("int", "float")) for kind in likely)
    rest = [kind for kind in ANYTHING if kind != "bool" or not is_number]
    return list(dict.fromkeys(_within(kind, each) for kind in (*likely, *rest)))


def _mappings(element: Evidence | None, found: Mapping[Path, Evidence]) -> list[str]:
    """Kinds of dictionaries, those first whose values are what is said of an entry."""
    if element is None:
        return [*MAPPINGS]
    inner = found.get((*element.path, ELEMENT))
    if "list" in element.facts or inner is not None:
        texts = ["map:token:list:str"] if inner is not None and "str" in inner.facts else []
        return [*texts, "map:token:tokens"]
    likely = {"int": "map:token:int:1..5", "str": "map:token:str"}
    return list(dict.fromkeys([likely[fact] for fact in sorted(element.facts & likely.keys())] + [*MAPPINGS]))


def _within(kind: str, each: Evidence) -> str:
    """The kind, its range cut to what the source does not refuse; another range where nothing is left of it."""
    head, _, rest = kind.partition(":")
    if head not in ("int", "float") or not rest or (each.low is None and each.high is None):
        return kind
    low, high = (float(end) for end in rest.split(".."))
    least = -inf if each.low is None else each.low
    most = inf if each.high is None else each.high
    start, end = max(low, least), min(high, most)
    if start > end:
        width = high - low
        start, end = (least, min(most, least + width)) if low < least else (max(least, most - width), most)
    if head == "int":
        start, end = ceil(start), floor(end)
    return f"{head}:{start}..{end}" if start <= end else kind


def _by_name(name: str) -> list[str]:
    words = [word for word in re.split(r"[^a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()) if word]
    if {"token", "id"} & {*words} and words[-1] in ("ids", "tokens"):
        words.append("ids")
    if words and words[-1] in FILE:
        return [NOWHERE, *_of_words(words)]
    if words[:1] and words[0] in FLAG:
        return ["bool", *_of_words(words[1:])]
    # `max_tokens` and `num_ids` count; `stop_token_ids` names ids.
    if {"max", "min", "num", "n", "budget", "count", "limit"} & {*words} and words[
        -1
    ] not in AMOUNT | FRACTION:
        return ["int:1..5", *_of_words(words)]
    return _of_words(words)


def _of_words(words: list[str]) -> list[str]:
    """The last word says most: `token_penalty` is a penalty, `penalty_tokens` are tokens."""
    return [kind for word in reversed(words) for known, kinds in KINDS if word in known for kind in kinds]


def _by_default(each: Evidence, by_name: list[str]) -> list[str]:
    kinds: list[str] = []
    for default in each.defaults:
        kind = _like(default)
        same = [named for named in by_name if kind and _type_of(named) == _type_of(kind)]
        kinds += [*same, kind] if kind else []
    return kinds


def _like(default: Any) -> str | None:
    match default:
        case bool():
            return "bool"
        case int():
            return "int:1..5"
        case float():
            return "float:0.25..0.75" if 0 < default < 1 else "float:0.5..4.0"
        case str() if default:
            return f"choice:{default}" if "," not in default else None
        case list() | tuple() | set() | frozenset():
            return "tokens"
        case dict():
            return MAPPINGS[0]
    return None


def _type_of(kind: str) -> str:
    head = kind.partition(":")[0]
    return {"token": "int", "tokens": "list", "map": "dict", "choice": "str"}.get(head, head)


def _words(each: Evidence) -> list[str]:
    """Texts that the argument is compared with, or is by default."""
    words = [*each.literals, *(default for default in each.defaults if isinstance(default, str))]
    return list(dict.fromkeys(word for word in words if word and "," not in word))


def _choice(words: list[str]) -> str:
    return "choice:" + ",".join(words)
