"""What each feature does to a row, said without its kernel."""

from __future__ import annotations

from collections.abc import Callable

from logitproof.spec.algebra import Bool, Int

from ..obligation import Case, Text
from .reading import RowReading
from .row import Row, positive
from .stages import KERNEL_OF, STAGES
from .theorem import Assumptions, case, theorem

BANS: dict[str, Callable[[RowReading, Row, Int], Bool]] = {
    "allowed_token_ids": lambda L, s, t: L.negate(s.listed(t)),
    "bad_words": lambda L, s, t: s.forbidden(t),
    "min_tokens": lambda L, s, t: s.stops(t),
}
"""Whether a mask bans a token."""


def passes(L: RowReading, s: Row, masks: tuple[str, ...]) -> Bool:
    """Whether some token with a finite logit is banned by none of the masks."""
    return L.some_token(
        s.size,
        lambda t: L.all_of(L.finite(s.logit(t)), *(L.negate(BANS[mask](L, s, t)) for mask in masks)),
    )


def _bans_exactly(mask: str) -> Case:
    def some_token_passes(L: RowReading, s: Row) -> list[Bool]:
        return [passes(L, s, (mask,))]

    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        after = STAGES[mask](L, text, s, s.logit)
        return L.every_token(
            s.size,
            lambda t: L.all_of(
                L.implies(BANS[mask](L, s, t), L.negate(L.finite(after(t)))),
                L.any_of(BANS[mask](L, s, t), after(t) == s.logit(t)),
            ),
        )

    return case(KERNEL_OF[mask], claim, some_token_passes)


def _yields(mask: str) -> Case:
    def no_token_passes(L: RowReading, s: Row) -> list[Bool]:
        return [L.negate(passes(L, s, (mask,)))]

    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        after = STAGES[mask](L, text, s, s.logit)
        return L.every_token(s.size, lambda t: after(t) == s.logit(t))

    return case(KERNEL_OF[mask], claim, no_token_passes)


def _undone(stage: str, undo: Callable[[RowReading, Row, Int], Bool], *known: Assumptions) -> Case:
    """Where the logit is finite, `undo` takes the logit after the feature back to the one before."""

    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        after = STAGES[stage](L, text, s, s.logit)
        return L.every_token(s.size, lambda t: undo(L, s, t)(after(t)) == s.logit(t))

    return case(KERNEL_OF[stage], claim, *known)


theorem(
    "a_mask_bans_exactly_its_tokens",
    """For every row with a finite logit that allowed token ids, bad words or min-tokens let pass: what each bans is
    banned afterwards, and every other logit is untouched.""",
    ("D2", "D8"),
    *(_bans_exactly(mask) for mask in BANS),
)
theorem(
    "a_mask_that_would_leave_nothing_changes_nothing",
    """For every row without a finite logit that allowed token ids, bad words or min-tokens let pass: the row stays.""",
    ("D8",),
    *(_yields(mask) for mask in BANS),
)
theorem(
    "bias_is_undone_by_its_negative_and_temperature_by_multiplying",
    """For every row: taking each bias off again, or multiplying with the temperature, gives back the row.""",
    ("D4",),
    _undone("logit_bias", lambda L, s, t: lambda after: after - s.bias(t), positive),
    _undone("temperature", lambda L, s, t: lambda after: after * s.temperature, positive),
)
