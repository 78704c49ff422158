"""The fields of SamplingParams that hold token ids or mappings, and the check against a vocabulary."""

from __future__ import annotations

import math

import pytest

from logitproof.spec import SamplingParams, check_token_ids

SEQUENCES = ("stop_token_ids", "allowed_token_ids")


@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("collection", [list, tuple, dict.fromkeys, iter])
def test_token_ids_are_copied_into_a_tuple(name, collection):
    assert getattr(SamplingParams(**{name: collection([3, 0])}), name) == (3, 0)


@pytest.mark.parametrize("name", SEQUENCES)
def test_a_list_of_token_ids_may_change_without_changing_the_params(name):
    ids = [3, 0]
    params = SamplingParams(**{name: ids})
    ids.append(9)
    assert getattr(params, name) == (3, 0)


@pytest.mark.law("D6")
@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("ids", [[-1], [True], [1.0], ["1"], [None]])
def test_what_is_no_token_id_is_refused(name, ids):
    with pytest.raises(ValueError, match=rf"Expected {name} to be .* but it holds {ids[0]!r}"):
        SamplingParams(**{name: ids})


@pytest.mark.law("D6")
@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("ids", ["12", b"12", 7])
def test_what_is_no_sequence_is_refused(name, ids):
    with pytest.raises(ValueError, match=rf"Expected {name} to be .* but got {name}={ids!r} \(type="):
        SamplingParams(**{name: ids})


@pytest.mark.law("D6")
def test_an_empty_list_of_allowed_tokens_is_refused():
    assert SamplingParams(stop_token_ids=[]).stop_token_ids == ()
    with pytest.raises(ValueError, match=r"at least one token id .* but got allowed_token_ids=\(\)"):
        SamplingParams(allowed_token_ids=[])


def test_logit_bias_is_copied():
    biases = {3: -1.5, 0: 2}
    params = SamplingParams(logit_bias=biases)
    biases[4] = 1.0
    assert params.logit_bias == {3: -1.5, 0: 2}


@pytest.mark.law("D6")
@pytest.mark.parametrize(
    ("biases", "message"),
    [
        (
            [(1, 1.0)],
            r"Expected logit_bias to be a mapping .* but got logit_bias=\[\(1, 1.0\)\] \(type=list\)",
        ),
        ({-1: 1.0}, r"Expected logit_bias to be .* but it holds -1"),
        ({"1": 1.0}, r"Expected logit_bias to be .* but it holds '1' \(type=str\)"),
        ({1: True}, r"Expected logit_bias\[1\] to be a finite number but got True \(type=bool\)"),
        ({1: "x"}, r"Expected logit_bias\[1\] to be a finite number but got 'x' \(type=str\)"),
        ({1: math.inf}, r"Expected logit_bias\[1\] to be a finite number but got inf"),
        (
            {1: -math.inf},
            r"Expected logit_bias\[1\] .* but got -inf .*to ban a token use a large negative bias",
        ),
        ({1: math.nan}, r"Expected logit_bias\[1\] to be a finite number but got nan"),
    ],
)
def test_a_wrong_logit_bias_is_refused(biases, message):
    with pytest.raises(ValueError, match=message):
        SamplingParams(logit_bias=biases)


def test_bad_words_are_copied_into_tuples():
    assert SamplingParams(bad_words=[[1, 2], (3,)]).bad_words == ((1, 2), (3,))


@pytest.mark.law("D6")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("no", r"Expected bad_words to be .* but got bad_words='no' \(type=str\)"),
        (["no"], r"Expected bad_words\[0\] to be .* but got bad_words\[0\]='no' \(type=str\)"),
        ([[1], [2, -3]], r"Expected bad_words\[1\] to be .* but it holds -3"),
        ([[1], []], r"Expected bad_words to be free of empty words .* but got bad_words=\[\[1\], \[\]\]"),
    ],
)
def test_wrong_bad_words_are_refused(words, message):
    with pytest.raises(ValueError, match=message):
        SamplingParams(bad_words=words)


@pytest.mark.parametrize("value", [0, 1, None, "yes"])
def test_ignore_eos_is_a_bool(value):
    with pytest.raises(
        ValueError, match=rf"Expected ignore_eos to be True or False but got ignore_eos={value!r}"
    ):
        SamplingParams(ignore_eos=value)


def test_extra_args_is_a_mapping():
    assert SamplingParams(extra_args={"budget": 3}).extra_args == {"budget": 3}
    with pytest.raises(
        ValueError, match=r"Expected extra_args to be a mapping .* but got extra_args=3 \(type=int\)"
    ):
        SamplingParams(extra_args=3)


def test_the_stop_set_holds_the_end_token_even_when_it_is_ignored():
    assert SamplingParams().all_stop_token_ids == frozenset()
    assert SamplingParams(stop_token_ids=[3, 4]).all_stop_token_ids == {3, 4}
    assert SamplingParams(stop_token_ids=[3], eos_token_id=5).all_stop_token_ids == {3, 5}
    assert SamplingParams(eos_token_id=5, ignore_eos=True).all_stop_token_ids == {5}


BEYOND = {
    "logit_bias": {4: 1.0, 8: 1.0},
    "stop_token_ids": [8, 1],
    "eos_token_id": 8,
    "allowed_token_ids": [0, 8],
    "bad_words": [[1, 2], [8]],
}


@pytest.mark.law("D6")
@pytest.mark.parametrize(("name", "value"), BEYOND.items())
def test_a_token_outside_the_vocabulary_is_refused(name, value):
    params = SamplingParams(**{name: value})
    assert check_token_ids(params, 9) is None
    with pytest.raises(ValueError, match=rf"^Expected token ids below vocab_size=8 but {name} has \[8\];"):
        check_token_ids(params, 8)


def test_params_without_token_ids_fit_every_vocabulary():
    assert check_token_ids(SamplingParams(), 1) is None
