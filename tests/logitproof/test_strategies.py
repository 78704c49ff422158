"""The public strategies: shapes, bounds, corners that must be reached, and refused arguments."""

from __future__ import annotations

import pytest
import torch
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

import logitproof
from logitproof import SamplingParams
from logitproof import strategies as lst
from logitproof.lockstep import run
from logitproof.spec import check_token_ids
from logitproof.targets import load_target

MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"
QUICK = settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_logits_have_their_shape_and_are_exact(dtype):
    @QUICK
    @given(st.data(), st.integers(0, 4), st.integers(1, 40))
    def check(data, num_requests, vocab_size):
        tensor = data.draw(lst.logits(num_requests, vocab_size, dtype=dtype))
        assert tensor.shape == (num_requests, vocab_size)
        assert str(tensor.dtype) == f"torch.{dtype}"
        finite = tensor[tensor.isfinite()].double()
        assert torch.equal(finite, (finite * 64).round() / 64)
        assert bool((finite.abs() <= 8).all())
        assert not tensor.isnan().any()
        assert bool(tensor.isfinite().any(dim=1).all())

    check()


def test_logits_reach_their_corners_and_shrink_to_zeros():
    assert torch.equal(find(lst.logits(2, 4), lambda tensor: True), torch.zeros(2, 4))
    assert find(lst.logits(2, 4), lambda tensor: bool(tensor.isinf().any())).isinf().sum() == 1
    assert find(lst.logits(1, 4), lambda tensor: bool((tensor < -7).any())) is not None

    @QUICK
    @given(lst.logits(2, 4, allow_inf=False))
    def check(tensor):
        assert bool(tensor.isfinite().all())

    check()


@pytest.mark.parametrize("feature", lst.FEATURES)
def test_params_of_a_feature_use_it_and_stay_inside_the_vocabulary(feature):
    @QUICK
    @given(st.data(), st.integers(4, 40))
    def check(data, vocab_size):
        check_token_ids(data.draw(lst.sampling_params(feature, vocab_size=vocab_size)), vocab_size)

    check()
    assert find(lst.FEATURES[feature](8), lambda params: params != SamplingParams()) is not None


def test_without_names_every_feature_is_drawn():
    for field in ("min_p", "logit_bias", "min_tokens", "allowed_token_ids", "bad_words", "top_k"):
        assert find(lst.sampling_params(), lambda params, field=field: bool(getattr(params, field)))


@QUICK
@given(lst.histories(MIN_P, dialect="elided"))
def test_histories_can_be_played(history):
    assert history.dialect is logitproof.Dialect.ELIDED
    assert not run(history, load_target(MIN_P)).faults


@pytest.mark.law("C1", "B4")
@pytest.mark.parametrize("dialect", list(logitproof.Dialect))
def test_updates_are_what_a_consumer_can_follow(dialect):
    kinds = set()

    @QUICK
    @given(lst.updates(params=lst.min_p_params(), dialect=dialect))
    def check(updates):
        batch = {}
        for update in updates:
            if update is None:
                kinds.add("none")
                continue
            for slot in update.removed:
                batch.pop(slot, None)
            for slot, params, _, outputs in update.added:
                assert params.min_p in (0.0, 0.5, 0.1, 0.9, 0.02, 1.0)
                batch[slot] = id(outputs)
            for source, to, how in update.moved:
                kinds.add(how.name)
                left, right = batch.pop(source), batch.pop(to, None)
                batch[to] = left
                if how is logitproof.MoveDirectionality.SWAP:
                    batch[source] = right
            assert sorted(batch) == list(range(update.batch_size))
            assert len({*batch.values()}) == update.batch_size

    check()
    assert kinds == {"none", "SWAP", "UNIDIRECTIONAL"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: lst.tokens(0), "Expected vocab_size to be an integer >= 1 but got vocab_size=0 (type=int)"),
        (lambda: lst.min_tokens_params(2), "vocab_size to be an integer >= 4 but got vocab_size=2"),
        (lambda: lst.sampling_params("minp"), "Expected features to be among min_p, logit_bias"),
        (lambda: lst.logits(-1), "num_requests to be an integer >= 0 but got num_requests=-1"),
        (lambda: lst.logits(2.0), "but got num_requests=2.0 (type=float)"),
        (lambda: lst.logits(1, dtype="int8"), "dtype to be one of float64, float32, float16, bfloat16 but"),
        (lambda: lst.logits(1, allow_inf=1), "allow_inf to be True or False"),
        (lambda: lst.updates(dialect="klingon"), "dialect to be one of documented, elided, redundant"),
        (lambda: lst.histories(MIN_P, dtype="all"), "dtype to be one of float32, bfloat16, float16 but"),
    ],
)
def test_arguments_are_refused_when_the_strategy_is_made(make, message):
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert message in str(caught.value)


def test_a_target_or_params_that_cannot_be_used_are_refused():
    with pytest.raises(logitproof.TargetError, match="and no logits processor"):
        lst.histories(dict)
    with pytest.raises(logitproof.TargetError, match="params=: expected a hypothesis strategy"):
        lst.updates(params=7)
