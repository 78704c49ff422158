"""What is proved about rows: the kernels by name, and theorems registered as the others are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeAlias

from logitproof.model.rows.allowed_token_ids import keep_allowed
from logitproof.model.rows.ban import ban
from logitproof.model.rows.frequency_penalty import penalise_frequency
from logitproof.model.rows.last_finite_logit import kept_if_none_is_left
from logitproof.model.rows.logit_bias import add_bias
from logitproof.model.rows.min_p import keep_likely
from logitproof.model.rows.presence_penalty import penalise_presence
from logitproof.model.rows.repetition_penalty import penalise_repetition
from logitproof.model.rows.temperature import cool
from logitproof.model.rows.top_k import keep_top_k
from logitproof.model.rows.top_p import keep_nucleus
from logitproof.spec.algebra import Bool

from ..obligation import Case, Obligation, Sequent, Text
from . import fast_forms
from .reading import RowReading
from .row import Row

KERNELS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(keep_allowed, ban, kept_if_none_is_left, add_bias),
        *(penalise_repetition, penalise_frequency, penalise_presence, cool),
        *(keep_likely, keep_top_k, keep_nucleus),
        *(fast_forms.min_p_by_threshold, fast_forms.min_p_by_probability, fast_forms.top_k_by_threshold),
        *(fast_forms.top_p_by_threshold, fast_forms.top_p_from_below),
        *(fast_forms.penalise_seen_only, fast_forms.count_newest),
    )
}
"""Everything about rows that is proved about, and mutated."""

FEATURE_OBLIGATIONS: list[Obligation] = []
"""Every theorem about rows, in the order in which they are listed."""

Assumptions: TypeAlias = Callable[[RowReading, Row], list[Bool]]
Claim: TypeAlias = Callable[[RowReading, Text, Row], Bool]


def case(about: Iterable[str], claim: Claim, *assumptions: Assumptions) -> Case:
    """The claim holds for every row of which the assumptions hold."""

    def statement(L: Any, text: Text, s: Row) -> Sequent:
        return Sequent(
            lambda: [condition for assumed in assumptions for condition in assumed(L, s)],
            lambda: claim(L, text, s),
        )

    return Case(tuple(about), Row, statement)


def stated(found: Case, L: Any, text: Text, s: Row) -> Sequent:
    """What the case says of a row, in a reading of rows."""
    return found.statement(L, text, s)


def with_definition(found: Case, definition: Callable[[RowReading, Text, Row], list[Bool]]) -> Case:
    """The same case with ghosts of a row that the text under proof has changed."""

    def statement(L: Any, text: Text, s: Row) -> Sequent:
        return replace(stated(found, L, text, s), given=lambda: definition(L, text, s))

    return replace(found, statement=statement)


def theorem(name: str, sentence: str, laws: tuple[str, ...], *cases: Case) -> Obligation:
    """Register a theorem about rows."""
    found = Obligation(name, " ".join(sentence.split()), laws, cases)
    FEATURE_OBLIGATIONS.append(found)
    return found
