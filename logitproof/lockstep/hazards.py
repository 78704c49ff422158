"""What an engine does to requests besides adding and removing them, and that a processor must survive."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from enum import Enum


class Hazard(Enum):
    """One thing that histories may hold. The value is its name after `--hazards`."""

    RESUME = "resume"
    CHUNKED = "chunked"
    ALL_GREEDY = "all-greedy"
    SHARED = "shared"
    NO_PROMPT = "no-prompt"
    FULL = "full"
    EMPTY = "empty"
    ONE = "one"
    FLEETING = "fleeting"
    CHURN = "churn"
    CYCLES = "cycles"
    ASYNC = "async"
    SEVERAL = "several"
    PADDED = "padded"
    BOUNDARY = "boundary"

    __hash__ = (
        object.__hash__
    )  # members are singletons; Enum's own hash is a call in Python, and decoding asks often

    @property
    def sentence(self) -> str:
        """What happens, in one sentence."""
        return SENTENCES[self]


SENTENCES = {
    Hazard.RESUME: "A request leaves the batch, waits, and comes back by an Add that already has outputs.",
    Hazard.CHUNKED: "The sampled token of a row is thrown away, as for every chunk of a prefill but the last.",
    Hazard.ALL_GREEDY: "Requests are greedy, so that steps skip every processor that is argmax-invariant.",
    Hazard.SHARED: "Requests share one params object or one prompt list.",
    Hazard.NO_PROMPT: "The prompt is None, as for a request that was given embeddings.",
    Hazard.FULL: "Every slot of the batch is taken.",
    Hazard.EMPTY: "Nobody is left in the batch, and somebody comes later.",
    Hazard.ONE: "One request is alone in the batch.",
    Hazard.FLEETING: "A request is replaced in the step after it was added.",
    Hazard.CHURN: "Several requests finish and several come in one step, in any numbers.",
    Hazard.CYCLES: "One step holds more than one swap, so that three requests may change places.",
    Hazard.ASYNC: "The live output list ends in placeholders (-1), which are patched one or two steps later.",
    Hazard.SEVERAL: "A request gets more than one token in a step, as with accepted drafts.",
    Hazard.PADDED: "The logits have more rows than there are requests, as in an engine with bucket sizes.",
    Hazard.BOUNDARY: "Arguments outside their range, or of a wrong type, that crash a step are faults, not warnings.",
}

OFF = frozenset({Hazard.ASYNC, Hazard.SEVERAL, Hazard.PADDED, Hazard.BOUNDARY})
"""Off unless asked for: engines do not do these to every processor, and a correct one may not support them."""
DEFAULT_HAZARDS = frozenset(Hazard) - OFF
"""What every processor must survive in every engine."""


class UnknownHazard(ValueError):
    """A name that is no hazard. Its text is one line, and says which are."""


def parse_hazards(text: str) -> frozenset[Hazard]:
    """`resume,chunked` is exactly these, `+async,-chunked` the default changed, `all` every one.

    Raises UnknownHazard: a name that is none, or signs on some names only.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    signed = [name for name in names if name[0] in "+-"]
    if signed and len(signed) < len(names):
        bare = next(name for name in names if name[0] not in "+-")
        raise UnknownHazard(
            f"Expected names with a sign (the default changed) or without (exactly these) but got hazards={text!r}; "
            f"write +{bare} or take the signs away"
        )
    chosen = DEFAULT_HAZARDS if signed else frozenset[Hazard]()
    for name in names:
        meant = _named(name.lstrip("+-"))
        chosen = chosen - meant if name[0] == "-" else chosen | meant
    return chosen


def _named(name: str) -> frozenset[Hazard]:
    if name == "all":
        return frozenset(Hazard)
    if name == "default":
        return DEFAULT_HAZARDS
    try:
        return frozenset({Hazard(name)})
    except ValueError:
        known = [hazard.value for hazard in Hazard]
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise UnknownHazard(
            f"unknown hazard {name!r}; {hint}Known: {', '.join(known)}, all, default"
        ) from None


def in_order(hazards: Iterable[Hazard]) -> list[Hazard]:
    """As they are listed above."""
    chosen = {*hazards}
    return [hazard for hazard in Hazard if hazard in chosen]


def described(hazards: frozenset[Hazard]) -> str:
    """How to ask for these, in the shortest form: "default", "+async,-chunked", "resume,chunked", "all"."""
    if hazards == frozenset(Hazard):
        return "all"
    changed = [
        f"{'+' if hazard in hazards else '-'}{hazard.value}" for hazard in in_order(hazards ^ DEFAULT_HAZARDS)
    ]
    exact = [hazard.value for hazard in in_order(hazards)]
    if not changed:
        return "default"
    return ",".join(exact if exact and len(exact) < len(changed) else changed)


def unsupported_by(declared: object, name: str) -> frozenset[Hazard]:
    """What a class says that it does not support, in its attribute `logitproof_unsupported`: `{"async"}`.

    Raises UnknownHazard: not a collection of names of hazards. name: of the class, for that message.
    """
    names = [declared] if isinstance(declared, str) else declared
    if not isinstance(names, Iterable):
        raise UnknownHazard(
            f"{name}.logitproof_unsupported: expected names of hazards, such as {{'async'}}, but got {declared!r}"
        )
    try:
        return frozenset[Hazard]().union(*(_named(str(each)) for each in names))
    except UnknownHazard as error:
        raise UnknownHazard(f"{name}.logitproof_unsupported: {error}") from None
