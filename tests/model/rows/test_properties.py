"""Algebraic properties of the reference rows, each together with a wrong row that it finds out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from hypothesis import Phase, find, given, settings

from logitproof.model import rows
from logitproof.model.rows.reference import BANNED

QUIET = settings(max_examples=60, deadline=None, database=None, derandomize=True)


@dataclass(frozen=True)
class Property:
    """`holds(row_function, scene)` for the reference of every feature named; `wrong` is a row that it must find out."""

    name: str
    features: tuple[str, ...]
    holds: object
    wrong: object


def kept(row):
    return {token for token, logit in enumerate(row) if logit != BANNED}


def close(one, other):
    return all(a == b or math.isclose(a, b, abs_tol=1e-9) for a, b in zip(one, other, strict=True))


def finite(row):
    return any(math.isfinite(logit) for logit in row)


def idempotent(play, scene):
    once = scene.play(play)
    return close(scene.play(play, row=once), once)


def only_bans(play, scene):
    return all(new in (old, BANNED) for old, new in zip(scene.row, scene.play(play), strict=True))


def leaves_a_token(play, scene):
    return finite(scene.play(play)) or not finite(scene.row)


def names_move_with_tokens(play, scene):
    """Renaming every token in the row, the tokens and the parameters renames the result."""
    size = len(scene.row)
    new = {token: (token + 1) % size for token in range(size)}
    uses = dict(scene.uses)
    for name in ("allowed_token_ids", "stop_token_ids"):
        if name in uses:
            uses[name] = [new[token] for token in uses[name]]
    if "bad_words" in uses:
        uses["bad_words"] = [[new[token] for token in word] for word in uses["bad_words"]]
    if "logit_bias" in uses:
        uses["logit_bias"] = {new[token]: bias for token, bias in uses["logit_bias"].items()}
    renamed = scene.play(
        play,
        uses=uses,
        prompt=scene.prompt and [new[token] for token in scene.prompt],
        outputs=[new.get(token, token) for token in scene.outputs],
        row=scene.row[-1:] + scene.row[:-1],
    )
    after = scene.play(play)
    return close(renamed, after[-1:] + after[:-1])


def a_shift_shifts(play, scene):
    return close(
        scene.play(play, row=[logit + 0.5 for logit in scene.row]), [x + 0.5 for x in scene.play(play)]
    )


def a_scale_scales(play, scene):
    return close(scene.play(play, row=[logit * 2 for logit in scene.row]), [x * 2 for x in scene.play(play)])


def order_stays(play, scene):
    after = scene.play(play)
    pairs = [(a, b) for a in range(len(after)) for b in range(len(after)) if scene.row[a] < scene.row[b]]
    return all(after[a] < after[b] for a, b in pairs)


def argmax_stays(play, scene):
    return not finite(scene.row) or rows.argmax(scene.play(play)) == rows.argmax(scene.row)


def keeps_more(name, more):
    def holds(play, scene):
        wider = dict(scene.uses, **{name: more(scene.uses[name])})
        return kept(scene.play(play)) <= kept(scene.play(play, uses=wider))

    return holds


def an_upper_set_with_its_ties_stays(play, scene):
    stays = kept(scene.play(play))
    lowest = min((scene.row[token] for token in stays), default=BANNED)
    return stays == {token for token, logit in enumerate(scene.row) if logit >= lowest and logit != BANNED}


def repetitions_count_once(play, scene):
    return scene.play(play) == scene.play(play, outputs=scene.outputs * 2)


def placeholders_count_for_nothing(play, scene):
    real = [token for token in scene.outputs if token >= 0]
    return scene.play(play, outputs=real) == scene.play(play, outputs=[*real, -1, -1])


def the_prompt_counts_for_nothing(play, scene):
    return scene.play(play, prompt=[0, 0]) == scene.play(play, prompt=None)


def prompt_and_output_are_one_text(play, scene):
    text = [*(scene.prompt or ()), *scene.outputs]
    return scene.play(play, prompt=text, outputs=[]) == scene.play(play, prompt=[], outputs=text)


def counted_twice_is_played_twice(play, scene):
    return close(scene.play(play, outputs=scene.outputs * 2), scene.play(play, row=scene.play(play)))


def undone_by_the_inverse(name, invert):
    def holds(play, scene):
        back = dict(scene.uses, **{name: invert(scene.uses[name])})
        return close(scene.play(play, uses=back, row=scene.play(play)), scene.row)

    return holds


def the_nucleus_reaches_p(play, scene):
    if not finite(scene.row):
        return True
    stays, share, p = kept(scene.play(play)), rows.probabilities(scene.row), scene.uses["top_p"]
    lowest = min(scene.row[token] for token in stays)
    without_edge = math.fsum(share[token] for token in stays if scene.row[token] > lowest)
    return math.fsum(share[token] for token in stays) >= p - 1e-9 and without_edge < p + 1e-9


def at_least_k_stay(play, scene):
    return len(kept(scene.play(play))) >= min(scene.uses["top_k"], len(kept(scene.row)))


def less_than_k_above(play, scene):
    return all(
        sum(other > scene.row[token] for other in scene.row) < scene.uses["top_k"]
        for token in kept(scene.play(play))
    )


# Wrong rows: each breaks one thing that somebody might well get wrong.


def halving(params, prompt, outputs, row):
    return [logit / 2 for logit in row]


def banning_all(params, prompt, outputs, row):
    return [BANNED for _ in row]


def touching_the_first(params, prompt, outputs, row):
    return [row[0] - 1.0, *row[1:]]


def negating(params, prompt, outputs, row):
    return [-logit if math.isfinite(logit) else logit for logit in row]


def taking_by_token_order(params, prompt, outputs, row):
    """A cut that breaks ties by id, as a sort does."""
    best = sorted(range(len(row)), key=lambda token: (row[token], token))[-1:]
    return [logit if token in best else BANNED for token, logit in enumerate(row)]


def counting_outputs(params, prompt, outputs, row):
    return [logit - len(outputs) for logit in row]


def counting_the_prompt(params, prompt, outputs, row):
    return [logit - len(prompt or ()) for logit in row]


def looking_at_the_output_only(params, prompt, outputs, row):
    return rows.bad_words_row(params, None, outputs, row)


def once_per_token(params, prompt, outputs, row):
    return [logit - 1.0 if token in outputs else logit for token, logit in enumerate(row)]


def cutting_where_more_is_asked(params, prompt, outputs, row):
    wide = params.top_k > 1 or 0.5 < params.top_p < 1 or 0 < params.min_p < 0.5
    return banning_all(params, prompt, outputs, row) if wide else list(row)


def cutting_by_absolute_logit(params, prompt, outputs, row):
    return [logit if logit >= 0 else BANNED for logit in row]


def keeping_everything(params, prompt, outputs, row):
    return list(row)


def above_allowed_size(params, prompt, outputs, row):
    narrow = params.allowed_token_ids is not None and len(set(params.allowed_token_ids)) > 1
    return banning_all(params, prompt, outputs, row) if narrow else list(row)


def adding_one_for_one(params, prompt, outputs, row):
    return [logit + 1.0 if logit > 0 else logit for logit in row]


MASKS = ("allowed_token_ids", "bad_words", "min_tokens")
CUTS = ("min_p", "top_k", "top_p")
PENALTIES = ("repetition_penalty", "frequency_penalty", "presence_penalty")
EVERYTHING = (*MASKS, "logit_bias", *PENALTIES, "temperature", *CUTS)

PROPERTIES = [
    Property("idempotent", (*MASKS, "min_p", "top_k"), idempotent, halving),
    Property("only bans", (*MASKS, *CUTS), only_bans, halving),
    Property("leaves a token", EVERYTHING, leaves_a_token, banning_all),
    Property("names move with tokens", EVERYTHING, names_move_with_tokens, touching_the_first),
    Property(
        "a shift shifts",
        (*MASKS, "logit_bias", "frequency_penalty", "presence_penalty", *CUTS),
        a_shift_shifts,
        cutting_by_absolute_logit,
    ),
    Property(
        "a scale scales",
        (*MASKS, "repetition_penalty", "temperature", "top_k"),
        a_scale_scales,
        adding_one_for_one,
    ),
    Property("order stays", ("temperature",), order_stays, negating),
    Property("argmax stays", ("temperature", *CUTS), argmax_stays, taking_by_token_order),
    Property(
        "more k keeps more", ("top_k",), keeps_more("top_k", lambda k: k + 1), cutting_where_more_is_asked
    ),
    Property(
        "more p keeps more",
        ("top_p",),
        keeps_more("top_p", lambda p: (p + 1) / 2),
        cutting_where_more_is_asked,
    ),
    Property(
        "less min-p keeps more", ("min_p",), keeps_more("min_p", lambda p: p / 2), cutting_where_more_is_asked
    ),
    Property(
        "more ids keep more",
        ("allowed_token_ids",),
        lambda play, scene: (
            not finite([scene.row[t] for t in scene.uses["allowed_token_ids"]])
            or keeps_more("allowed_token_ids", lambda ids: [*ids, 0])(play, scene)
        ),
        above_allowed_size,
    ),
    Property(
        "an upper set with its ties stays", CUTS, an_upper_set_with_its_ties_stays, taking_by_token_order
    ),
    Property(
        "repetitions count once",
        ("repetition_penalty", "presence_penalty"),
        repetitions_count_once,
        counting_outputs,
    ),
    Property("placeholders count for nothing", PENALTIES, placeholders_count_for_nothing, counting_outputs),
    Property(
        "the prompt counts for nothing",
        ("frequency_penalty", "presence_penalty", "min_tokens", "logit_bias"),
        the_prompt_counts_for_nothing,
        counting_the_prompt,
    ),
    Property(
        "bad words: prompt and output are one text",
        ("bad_words",),
        prompt_and_output_are_one_text,
        looking_at_the_output_only,
    ),
    Property(
        "repetition: prompt and output are one text",
        ("repetition_penalty",),
        prompt_and_output_are_one_text,
        counting_outputs,
    ),
    Property(
        "counted twice is played twice", ("frequency_penalty",), counted_twice_is_played_twice, once_per_token
    ),
    Property(
        "undone by the inverse: repetition",
        ("repetition_penalty",),
        undone_by_the_inverse("repetition_penalty", lambda p: 1 / p),
        halving,
    ),
    Property(
        "undone by the inverse: temperature",
        ("temperature",),
        undone_by_the_inverse("temperature", lambda t: 1 / t),
        halving,
    ),
    Property(
        "undone by the inverse: bias",
        ("logit_bias",),
        undone_by_the_inverse("logit_bias", lambda biases: {t: -b for t, b in biases.items()}),
        halving,
    ),
    Property("the nucleus reaches p", ("top_p",), the_nucleus_reaches_p, keeping_everything),
    Property("at least k stay", ("top_k",), at_least_k_stay, taking_by_token_order),
    Property("less than k above", ("top_k",), less_than_k_above, keeping_everything),
]
PAIRS = [pytest.param(p, f, id=f"{f}: {p.name}") for p in PROPERTIES for f in p.features]


@pytest.mark.law("D4", "D5", "D8")
@pytest.mark.parametrize(("prop", "feature"), PAIRS)
def test_the_reference_has_the_property(prop, feature, scenes):
    @QUIET
    @given(scenes(feature))
    def check(scene):
        assert prop.holds(getattr(rows, f"{feature}_row"), scene)

    check()


@pytest.mark.parametrize(("prop", "feature"), PAIRS)
def test_the_property_finds_out_a_wrong_row(prop, feature, scenes):
    find(
        scenes(feature),
        lambda scene: not prop.holds(prop.wrong, scene),
        settings=settings(QUIET, max_examples=2000, phases=[Phase.generate]),
    )


@pytest.mark.law("D2", "D3")
@pytest.mark.parametrize("stage", rows.PIPELINE, ids=lambda stage: stage.name)
def test_a_request_that_does_not_use_a_feature_gets_its_row_back(stage, scenes):
    @QUIET
    @given(scenes())
    def check(scene):
        assert scene.play(stage.row) == scene.row

    check()
