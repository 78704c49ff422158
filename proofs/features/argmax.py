"""D5, D8 and E4 for the features: which of them keep the argmax, and that none takes the last finite logit."""

from __future__ import annotations

from logitproof.spec.algebra import Bool

from ..obligation import Case, Text
from .reading import RowReading
from .row import Row, added_up, counted, has_argmax, positive, sampleable
from .stages import ARITHMETIC, KERNEL_OF, MASKS, STAGES
from .theorem import Assumptions, case, theorem


def exp_known(L: RowReading, s: Row) -> list[Bool]:
    """The exponential is what it is."""
    return [L.exp_is_increasing()]


_KNOWN: dict[str, tuple[Assumptions, ...]] = {
    "temperature": (sampleable, positive),
    "min_p": (sampleable, positive, exp_known),
    "top_k": (sampleable, positive, counted),
    "top_p": (sampleable, positive, added_up),
}


def _keeps_argmax(stage: str) -> Case:
    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        return has_argmax(L, s, STAGES[stage](L, text, s, s.logit))

    return case(KERNEL_OF[stage], claim, *_KNOWN[stage])


def _keeps_order(L: RowReading, text: Text, s: Row) -> Bool:
    after = STAGES["temperature"](L, text, s, s.logit)
    return L.every_token(s.size, lambda t, u: L.same(s.logit(t) < s.logit(u), after(t) < after(u)))


def _keeps_the_highest(L: RowReading, text: Text, s: Row) -> Bool:
    def survives(token: object) -> Bool:
        kept = text.keep_allowed(L, s.logit(token), s.listed(token))
        return L.all_of(L.finite(kept), kept == s.logit(s.top))

    return L.some_token(s.size, survives)


def _drops_lower_or_tied(L: RowReading, s: Row) -> list[Bool]:
    return [
        L.some_token(s.size, s.listed),
        L.every_token(
            s.size,
            lambda t, u: L.implies(L.all_of(s.listed(t), L.negate(s.listed(u))), s.logit(u) <= s.logit(t)),
        ),
    ]


def _some_is_left(stage: str) -> Case:
    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        after = STAGES[stage](L, text, s, s.logit)
        return L.some_token(s.size, lambda t: L.finite(after(t)))

    return case(KERNEL_OF[stage], claim, sampleable)


def _revives_and_bans_nothing(stage: str) -> Case:
    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        after = STAGES[stage](L, text, s, s.logit)
        return L.every_token(s.size, lambda t: L.same(L.finite(after(t)), L.finite(s.logit(t))))

    return case(KERNEL_OF[stage], claim, positive)


theorem(
    "temperature_above_zero_keeps_the_order_of_the_logits",
    "For every row and temperature above 0: of any two tokens, one is higher afterwards just if it was before.",
    ("D5",),
    case(("cool",), _keeps_order, positive),
)
for _stage, _sentence in {
    "temperature": "For every row with a finite logit and every temperature above 0: the argmax stays the same token.",
    "min_p": "For every row with a finite logit and min-p in (0, 1]: the argmax stays the same token.",
    "top_k": "For every row with a finite logit and every k: the argmax stays the same token, ties included, since all "
    "tokens tied at the k-th value stay.",
    "top_p": "For every row with a finite logit and p in (0, 1]: the argmax stays the same token, ties included, since "
    "all tokens tied at the edge of the nucleus stay.",
}.items():
    theorem(f"{_stage}_keeps_the_argmax", _sentence, ("D5", "D8"), _keeps_argmax(_stage))
theorem(
    "a_cut_that_breaks_ties_anyhow_keeps_the_highest_logit",
    """For every row and every cut that keeps something and drops only tokens whose logit is no higher than any that
    stays: a token with the highest logit stays. So top-k and top-p that keep arbitrary ones of tied tokens, as sorting
    does, keep the argmax up to ties.""",
    ("D5",),
    case(("keep_allowed",), _keeps_the_highest, sampleable, _drops_lower_or_tied),
)
theorem(
    "no_mask_takes_the_last_finite_logit",
    """For every row with a finite logit, whatever allowed token ids, bad words and min-tokens ban: a finite logit is
    left.""",
    ("D8",),
    *(_some_is_left(mask) for mask in MASKS),
)
theorem(
    "penalties_bias_and_temperature_ban_and_revive_nothing",
    """For every row: after logit bias, each of the penalties, or temperature, exactly the same tokens are banned.""",
    ("D8",),
    *(_revives_and_bans_nothing(stage) for stage in ARITHMETIC),
)
theorem(
    "greedy_skipping_never_changes_a_token",
    """For every row with a finite logit that enters temperature, min-p, top-k or top-p with a given argmax: it leaves
    with it. So, stage by stage, the argmax taken before all of them is the one that would be taken after.""",
    ("E2", "E3", "E4"),
    *(_keeps_argmax(stage) for stage in _KNOWN),
)
