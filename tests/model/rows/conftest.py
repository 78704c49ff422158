"""Scenes for the reference rows: a request, its tokens and its logits, small enough that ties and bans are common."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import strategies as st

from logitproof.spec import SamplingParams

INF = math.inf


@dataclass(frozen=True)
class Scene:
    uses: dict[str, Any]
    prompt: list[int] | None
    outputs: list[int]
    row: list[float]

    def play(self, row_function, **changes):
        scene = replace(self, **changes)
        return row_function(SamplingParams(**scene.uses), scene.prompt, scene.outputs, scene.row)


def ids(size):
    return st.integers(0, size - 1)


def uses(feature, size):
    tokens = ids(size)
    words = st.lists(st.lists(tokens, min_size=1, max_size=3), min_size=1, max_size=3)
    return {
        "allowed_token_ids": st.builds(
            lambda listed: {"allowed_token_ids": listed}, st.lists(tokens, min_size=1)
        ),
        "bad_words": st.builds(lambda listed: {"bad_words": listed}, words),
        "min_tokens": st.builds(
            lambda count, stops: {"min_tokens": count, "stop_token_ids": stops},
            st.integers(0, 5),
            st.lists(tokens, max_size=3),
        ),
        "logit_bias": st.builds(
            lambda biases: {"logit_bias": biases}, st.dictionaries(tokens, st.integers(-4, 4).map(float))
        ),
        "repetition_penalty": _one_of("repetition_penalty", 0.25, 0.5, 2.0, 4.0),
        "frequency_penalty": _one_of("frequency_penalty", -1.0, 0.5, 1.0, 2.0),
        "presence_penalty": _one_of("presence_penalty", -1.0, 0.5, 1.0, 2.0),
        "temperature": _one_of("temperature", 0.25, 0.5, 2.0, 4.0),
        "min_p": _one_of("min_p", 0.05, 0.2, 0.7, 1.0),
        "top_k": _one_of("top_k", 1, 2, 3, 4),
        "top_p": _one_of("top_p", 1e-9, 0.2, 0.5, 0.8, 0.99),
    }[feature]


def _one_of(name, *values):
    return st.sampled_from([{name: value} for value in values])


@st.composite
def draw_scene(draw, *features):
    size = draw(st.integers(1, 6))
    logits = st.one_of(st.integers(-8, 8).map(lambda half: half / 2), st.just(-INF))
    row = draw(st.lists(logits, min_size=size, max_size=size))
    tokens = st.lists(st.integers(-1, size), max_size=6)
    merged = {name: value for feature in features for name, value in draw(uses(feature, size)).items()}
    return Scene(merged, draw(st.none() | st.lists(ids(size), max_size=4)), draw(tokens), row)


@pytest.fixture
def scenes():
    """The strategy of scenes that use the features named."""
    return draw_scene
