"""D2 and D3: with its default, each feature is the identity, so that leaving it out for a row changes nothing."""

from __future__ import annotations

from logitproof.spec.algebra import Bool

from ..obligation import Case, Text
from .argmax import exp_known
from .reading import RowReading
from .row import Row, added_up, counted, sampleable
from .stages import KERNEL_OF, STAGES, equal_rows
from .theorem import Assumptions, case, theorem


def _neutral(L: RowReading, s: Row, stage: str) -> Bool:
    match stage:
        case "allowed_token_ids":
            return L.every_token(s.size, s.listed)
        case "bad_words":
            return L.every_token(s.size, lambda t: L.negate(s.forbidden(t)))
        case "min_tokens":
            return L.every_token(s.size, lambda t: L.negate(s.stops(t)))
        case "logit_bias":
            return L.every_token(s.size, lambda t: s.bias(t) == 0)
        case "top_k":
            return s.k >= s.size
        case "top_p":
            return s.p == 1
    value = {
        "repetition_penalty": s.repetition == 1,
        "frequency_penalty": s.frequency == 0,
        "presence_penalty": s.presence == 0,
        "temperature": s.temperature == 1,
        "min_p": s.min_p == 0,
    }
    return value[stage]


_KNOWN: dict[str, tuple[Assumptions, ...]] = {
    "min_p": (sampleable, exp_known),
    "top_k": (sampleable, counted),
    "top_p": (sampleable, added_up),
}


def _changes_nothing(stage: str) -> Case:
    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        return equal_rows(L, s, STAGES[stage](L, text, s, s.logit), s.logit)

    def unused(L: RowReading, s: Row) -> list[Bool]:
        return [_neutral(L, s, stage)]

    return case(KERNEL_OF[stage], claim, unused, *_KNOWN.get(stage, ()))


def _not_named_is_not_touched(stage: str) -> Case:
    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        after = STAGES[stage](L, text, s, s.logit)
        return L.every_token(
            s.size,
            lambda t: L.implies(L.all_of(L.negate(s.seen(t)), s.count(t) == 0), after(t) == s.logit(t)),
        )

    return case(KERNEL_OF[stage], claim)


theorem(
    "a_feature_left_at_its_default_changes_nothing",
    """For every row: nothing banned, bias 0, penalties 1, 0 and 0, temperature 1, min-p 0, k of at least the
    vocabulary's size and p = 1 each give back the same logits.""",
    ("D2", "D3"),
    *(_changes_nothing(stage) for stage in STAGES),
)
theorem(
    "penalties_leave_tokens_alone_that_were_not_seen",
    """For every row and every token that is neither in the prompt nor in the output: no penalty changes its logit.""",
    ("D2",),
    *(
        _not_named_is_not_touched(stage)
        for stage in ("repetition_penalty", "frequency_penalty", "presence_penalty")
    ),
)
