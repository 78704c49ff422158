"""Which pairs of features commute, for every row: the proved half of the table; the other half are witnesses."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

from logitproof.spec.algebra import Bool

from ..obligation import Case, Text
from .argmax import exp_known
from .meanings import passes
from .reading import RowReading
from .row import OfToken, Row, counted, positive, sampleable
from .stages import ARITHMETIC, KERNEL_OF, MASKS, STAGES, equal_rows
from .theorem import Assumptions, case, stated, theorem, with_definition


def _both(one: str, other: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*KERNEL_OF[one], *KERNEL_OF[other])))


def _commutes(one: str, other: str) -> Case:
    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        first, second = STAGES[one], STAGES[other]
        return equal_rows(
            L,
            s,
            second(L, text, s, first(L, text, s, s.logit)),
            first(L, text, s, second(L, text, s, s.logit)),
        )

    return case(_both(one, other), claim, positive)


def _commutes_if_a_token_is_left(one: str, other: str) -> Case:
    def some_token_passes_both(L: RowReading, s: Row) -> list[Bool]:
        return [passes(L, s, (one, other))]

    found = _commutes(one, other)
    return case(found.about, lambda L, text, s: stated(found, L, text, s).claim(), some_token_passes_both)


def _counts_agree(L: RowReading, s: Row, after: OfToken, recount: OfToken) -> Bool:
    """Where exactly the same tokens are higher than a token's own logit after a feature, as many are."""

    def same_are_higher(t: object) -> Bool:
        return L.every_token(s.size, lambda u: L.same(after(u) > after(t), s.logit(u) > s.logit(t)))

    return L.every_token(
        s.size,
        lambda t: L.implies(L.all_of(L.finite(after(t)), same_are_higher(t)), recount(t) == s.higher(t)),
    )


def _commutes_with_top_k(stage: str, recount: Callable[[Row], OfToken], *known: Assumptions) -> Case:
    """Top-k after the feature counts among the logits that it leaves: `recount`."""

    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        cut = STAGES["top_k"](L, text, s, s.logit)
        after = STAGES[stage](L, text, s, s.logit)
        return equal_rows(
            L,
            s,
            STAGES[stage](L, text, s, cut),
            lambda t: text.keep_top_k(L, after(t), recount(s)(t), s.k),
        )

    def definition(L: RowReading, text: Text, s: Row) -> list[Bool]:
        return [_counts_agree(L, s, STAGES[stage](L, text, s, s.logit), recount(s))]

    found = case(_both(stage, "top_k"), claim, sampleable, positive, counted, *known)
    return with_definition(found, definition)


COMMUTING: tuple[tuple[str, str], ...] = (
    *product(MASKS, ARITHMETIC),
    ("logit_bias", "frequency_penalty"),
    ("logit_bias", "presence_penalty"),
    ("frequency_penalty", "presence_penalty"),
    ("repetition_penalty", "temperature"),
    ("temperature", "top_k"),
    ("min_p", "top_k"),
)
"""Pairs that commute on every row."""
COMMUTING_IF_A_TOKEN_IS_LEFT: tuple[tuple[str, str], ...] = tuple(combinations(MASKS, 2))
"""Pairs that commute wherever some finite logit passes both; elsewhere D8 lets the first win."""

_WITH_TOP_K = {
    "temperature": lambda: _commutes_with_top_k("temperature", lambda s: s.higher_among_cooled),
    "min_p": lambda: _commutes_with_top_k("min_p", lambda s: s.higher_among_likely, exp_known),
}

for _one, _other in COMMUTING:
    theorem(
        f"{_one}_commutes_with_{_other}",
        f"For every row: {_one} then {_other} gives the logits that {_other} then {_one} gives.",
        ("D8", "E1") if _one in MASKS else ("E1",),
        _WITH_TOP_K[_one]() if _other == "top_k" else _commutes(_one, _other),
    )
for _one, _other in COMMUTING_IF_A_TOKEN_IS_LEFT:
    theorem(
        f"{_one}_commutes_with_{_other}_while_a_token_is_left",
        f"For every row with a finite logit that {_one} and {_other} both let pass: their order makes no difference.",
        ("D8", "E1"),
        _commutes_if_a_token_is_left(_one, _other),
    )
