"""The fast form of each feature equals its definition: the same logits for every token."""

from __future__ import annotations

from logitproof.spec.algebra import Bool

from ..obligation import Text
from .argmax import exp_known
from .reading import RowReading
from .row import OfToken, Row, added_up, counted, positive, sampleable
from .stages import KERNEL_OF, STAGES, equal_rows
from .theorem import Claim, case, theorem


def _equals(stage: str, fast: Claim) -> Claim:
    """`fast` gives the logits after the feature, as a function of the token."""

    def claim(L: RowReading, text: Text, s: Row) -> Bool:
        return equal_rows(L, s, STAGES[stage](L, text, s, s.logit), fast(L, text, s))

    return claim


def _min_p_by_threshold(L: RowReading, text: Text, s: Row) -> OfToken:
    return lambda t: text.min_p_by_threshold(L, s.logit(t), s.logit(s.top), s.log_min_p)


def _min_p_by_probability(L: RowReading, text: Text, s: Row) -> OfToken:
    return lambda t: text.min_p_by_probability(L, s.logit(t), s.share(t), s.share(s.top), s.min_p)


def _top_k_by_threshold(L: RowReading, text: Text, s: Row) -> OfToken:
    return lambda t: text.top_k_by_threshold(L, s.logit(t), s.logit(s.edge))


def _top_p_by_threshold(L: RowReading, text: Text, s: Row) -> OfToken:
    return lambda t: text.top_p_by_threshold(L, s.logit(t), s.logit(s.edge))


def _top_p_from_below(L: RowReading, text: Text, s: Row) -> OfToken:
    return lambda t: text.top_p_from_below(L, s.logit(t), 1 - s.likelier(t), s.p)


def _logarithm(L: RowReading, s: Row) -> list[Bool]:
    return [L.exp(s.log_min_p) == s.min_p]


def _softmax(L: RowReading, s: Row) -> list[Bool]:
    def is_share(t: object) -> Bool:
        return L.all_of(
            s.share(t) * s.total == L.exp(s.logit(t)),
            L.implies(L.finite(s.logit(t)), L.exp_turns_differences_into_ratios(s.logit(t), s.logit(s.top))),
        )

    return [s.total > 0, L.every_token(s.size, is_share)]


def _edge_of_top_k(L: RowReading, s: Row) -> list[Bool]:
    return [
        *(s.edge >= 0, s.edge < s.size, s.higher(s.edge) < s.k, s.k <= s.at_edge_or_higher),
        L.every_token(
            s.size,
            lambda t: L.implies(s.logit(t) < s.logit(s.edge), s.higher(t) >= s.at_edge_or_higher),
        ),
    ]


def _edge(L: RowReading, s: Row) -> list[Bool]:
    return [
        *(s.edge >= 0, s.edge < s.size),
        L.every_token(
            s.size,
            lambda t: L.implies(s.logit(t) < s.logit(s.edge), s.likelier(t) >= s.share_at_edge_or_higher),
        ),
        L.every_token(
            s.size, lambda t, u: L.implies(s.logit(t) == s.logit(u), s.likelier(t) == s.likelier(u))
        ),
    ]


def _edge_reaches_p(L: RowReading, s: Row) -> list[Bool]:
    return [s.p <= s.share_at_edge_or_higher]


def _edge_is_needed(L: RowReading, s: Row) -> list[Bool]:
    return [s.likelier(s.edge) < s.p]


def _next_below(L: RowReading, s: Row) -> list[Bool]:
    is_next = L.all_of(
        *(s.below >= 0, s.below < s.size, s.logit(s.below) < s.logit(s.edge), L.finite(s.logit(s.below))),
        s.likelier(s.below) == s.share_at_edge_or_higher,
    )
    return [L.any_of(s.share_at_edge_or_higher == 1, is_next)]


def _nucleus_is_within(L: RowReading, text: Text, s: Row) -> Bool:
    after = STAGES["top_p"](L, text, s, s.logit)
    return L.every_token(s.size, lambda t: L.implies(L.finite(after(t)), s.logit(t) >= s.logit(s.edge)))


def _nucleus_reaches_p(L: RowReading, text: Text, s: Row) -> Bool:
    after = STAGES["top_p"](L, text, s, s.logit)
    edge_is_lowest = L.all_of(
        L.finite(after(s.edge)),
        L.every_token(
            s.size, lambda t: L.implies(s.logit(t) < s.logit(s.edge), L.negate(L.finite(after(t))))
        ),
    )
    return L.implies(edge_is_lowest, s.p <= s.share_at_edge_or_higher)


def _penalised_sparsely(L: RowReading, text: Text, s: Row) -> Bool:
    dense = s.logit
    for stage in ("repetition_penalty", "frequency_penalty", "presence_penalty"):
        dense = STAGES[stage](L, text, s, dense)
    return equal_rows(
        L,
        s,
        dense,
        lambda t: text.penalise_seen_only(
            L, s.logit(t), s.seen(t), s.count(t), s.repetition, s.frequency, s.presence
        ),
    )


def _counts_kept(L: RowReading, text: Text, s: Row) -> Bool:
    return L.every_token(s.size, lambda t: text.count_newest(L, s.count(t), t, s.newest) == s.recount(t))


def _recounted(L: RowReading, s: Row) -> list[Bool]:
    return [
        L.every_token(
            s.size, lambda t: s.recount(t) == L.choose(s.newest == t, s.count(t) + 1, s.count(t) + 0)
        )
    ]


theorem(
    "min_p_by_threshold_equals_min_p",
    """For every row with a finite logit and min-p in (0, 1]: dropping logits below the highest plus log(min-p) is
    dropping tokens less likely than min-p times the likeliest.""",
    ("D4",),
    case(
        ("keep_likely", "min_p_by_threshold"),
        _equals("min_p", _min_p_by_threshold),
        *(sampleable, positive, exp_known, _logarithm),
    ),
)
theorem(
    "a_ratio_of_probabilities_is_the_exponential_of_a_difference_of_logits",
    """For every row with a finite logit and min-p in (0, 1]: comparing probabilities of the softmax with min-p times
    the highest one, as the feature is described, keeps the same tokens as comparing exponentials of differences.""",
    ("D4",),
    case(
        ("keep_likely", "min_p_by_probability"),
        _equals("min_p", _min_p_by_probability),
        *(sampleable, positive, exp_known, _softmax),
    ),
)
theorem(
    "top_k_by_threshold_equals_top_k",
    """For every row and k up to the vocabulary's size: dropping logits below the k-th highest is dropping tokens with k
    or more above them.""",
    ("D4",),
    case(
        ("keep_top_k", "top_k_by_threshold"),
        _equals("top_k", _top_k_by_threshold),
        *(sampleable, positive, counted, _edge_of_top_k),
    ),
)
theorem(
    "top_p_by_threshold_equals_top_p",
    """For every row and p in (0, 1]: dropping logits below the lowest of the nucleus is dropping tokens whose likelier
    ones reach p.""",
    ("D4",),
    case(
        ("keep_nucleus", "top_p_by_threshold"),
        _equals("top_p", _top_p_by_threshold),
        *(sampleable, positive, added_up, _edge, _edge_reaches_p, _edge_is_needed),
    ),
)
theorem(
    "top_p_from_below_equals_top_p",
    """For every row and p in (0, 1]: dropping tokens while those not likelier have at most 1 - p together, as an
    ascending sum does, is dropping tokens whose likelier ones reach p.""",
    ("D4",),
    case(("keep_nucleus", "top_p_from_below"), _equals("top_p", _top_p_from_below), positive),
)
theorem(
    "the_nucleus_is_the_smallest_top_set_that_reaches_p",
    """For every row and p in (0, 1]: what top-p keeps has probability at least p, and every set of all tokens from some
    logit upwards that has probability at least p contains it.""",
    ("D4",),
    case(KERNEL_OF["top_p"], _nucleus_is_within, *(sampleable, positive, added_up, _edge, _edge_reaches_p)),
    case(KERNEL_OF["top_p"], _nucleus_reaches_p, *(sampleable, positive, added_up, _edge, _next_below)),
)
theorem(
    "penalties_by_sparse_counts_equal_the_penalties_one_after_the_other",
    """For every row and token: visiting only tokens of prompt and output, once, gives what the three penalties give
    when each visits the whole row.""",
    ("D2", "D4"),
    case(
        ("penalise_repetition", "penalise_frequency", "penalise_presence", "penalise_seen_only"),
        _penalised_sparsely,
        positive,
    ),
)
theorem(
    "counts_kept_up_to_date_equal_a_recount",
    """For every output and every next token or placeholder: one more for that token, and nothing for a placeholder, is
    what counting all over again gives.""",
    ("D4", "C5"),
    case(("count_newest",), _counts_kept, positive, _recounted),
)
