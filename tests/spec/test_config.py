"""The configuration that a processor's constructor reads: attribute paths, defaults, and refused sizes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from logitproof.spec import EngineConfig, ModelConfig, SchedulerConfig

SIZES = [
    (SchedulerConfig, "max_num_seqs"),
    (SchedulerConfig, "max_num_batched_tokens"),
    (ModelConfig, "vocab_size"),
    (ModelConfig, "max_model_len"),
]


@pytest.mark.law("D7")
def test_a_processor_finds_the_sizes_where_vllm_has_them():
    config = EngineConfig(
        scheduler_config=SchedulerConfig(max_num_seqs=3, max_num_batched_tokens=5),
        model_config=ModelConfig(vocab_size=7, max_model_len=11),
        additional_config={"mine": 13},
    )
    assert config.scheduler_config.max_num_seqs == 3
    assert config.scheduler_config.max_num_batched_tokens == 5
    assert config.model_config.vocab_size == config.model_config.get_vocab_size() == 7
    assert config.model_config.max_model_len == 11
    assert config.speculative_config is None
    assert config.additional_config == {"mine": 13}


@pytest.mark.parametrize(("config", "name"), SIZES)
def test_one_is_the_smallest_size(config, name):
    assert getattr(config(**{name: 1}), name) == 1


@pytest.mark.parametrize(("config", "name"), SIZES)
@pytest.mark.parametrize("value", [0, -1, True, 2.0, "2", None])
def test_a_size_that_is_no_positive_integer_is_refused(config, name, value):
    with pytest.raises(ValueError, match=rf"^Expected a positive integer but got {name}={value!r} \(type="):
        config(**{name: value})


@pytest.mark.parametrize("config", [SchedulerConfig(), ModelConfig(), EngineConfig()])
def test_a_config_is_frozen(config):
    name = next(iter(type(config).__dataclass_fields__))
    with pytest.raises(FrozenInstanceError):
        setattr(config, name, 1)


def test_two_engines_share_no_settings():
    assert EngineConfig().additional_config is not EngineConfig().additional_config
