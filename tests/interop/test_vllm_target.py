"""A vLLM processor class behind our interface: what it receives, what it may read, who is one."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from dataclasses import fields

import pytest
import torch
from vllm import SamplingParams as VllmSamplingParams
from vllm.v1.sample.logits_processor import (
    AdapterLogitsProcessor,
    LogitBiasLogitsProcessor,
    MinPLogitsProcessor,
    MinTokensLogitsProcessor,
)
from vllm.v1.sample.logits_processor import BatchUpdate as VllmBatchUpdate
from vllm.v1.sample.logits_processor import LogitsProcessor as VllmLogitsProcessor
from vllm.v1.sample.logits_processor import MoveDirectionality as VllmMoveDirectionality

from logitproof import spec
from logitproof.impl.processors.min_p import MinPLogitsProcessor as OurMinP
from logitproof.spec import BatchUpdate, EngineConfig, ModelConfig, MoveDirectionality, SamplingParams
from logitproof.targets import TargetError
from logitproof.vllm_params import CONVERTED, VERBATIM, to_spec_params, to_vllm_params
from logitproof.vllm_target import adapt_vllm_processor, is_vllm_processor, wrap
from logitproof.vllm_update import to_spec_update, to_vllm_update

CPU = torch.device("cpu")


class Recorder(VllmLogitsProcessor):
    """Remembers what it was given."""

    logitproof_params = (SamplingParams(min_p=0.25),)

    def __init__(self, vllm_config, device, is_pin_memory):
        self.config, self.device, self.is_pin_memory = vllm_config, device, is_pin_memory
        self.updates = []

    @classmethod
    def validate_params(cls, params):
        if params.extra_args and params.extra_args.get("bad"):
            raise ValueError("bad is bad")

    def update_state(self, batch_update):
        self.updates.append(batch_update)

    def is_argmax_invariant(self):
        return True

    def apply(self, logits):
        return logits


class BanLast(AdapterLogitsProcessor):
    """A per-request callable: the last output token may not come again."""

    def is_argmax_invariant(self):
        return False

    def new_req_logits_processor(self, params):
        return self.ban if params.extra_args else None

    @staticmethod
    def ban(outputs, logits):
        if outputs:
            logits[outputs[-1]] = -float("inf")
        return logits


def driven(target):
    return adapt_vllm_processor(target)(EngineConfig(), CPU, False)


@pytest.mark.parametrize(
    "cls", [MinPLogitsProcessor, LogitBiasLogitsProcessor, MinTokensLogitsProcessor, Recorder, BanLast]
)
def test_vllm_processors_are_recognised(cls):
    assert is_vllm_processor(cls)
    assert issubclass(adapt_vllm_processor(cls), spec.LogitsProcessor)


@pytest.mark.parametrize("other", [OurMinP, int, VllmSamplingParams, Recorder.apply, "Recorder", None])
def test_others_are_not(other):
    assert not is_vllm_processor(other)


def test_vllm_is_not_imported_for_a_class_that_cannot_be_its():
    code = (
        "import sys; from logitproof.vllm_target import is_vllm_processor; import logitproof.vllm_engine;"
        "assert not is_vllm_processor(int); sys.exit('vllm' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.law("D7")
def test_the_constructor_reads_our_configuration_under_vllms_names():
    config = EngineConfig(spec.SchedulerConfig(max_num_seqs=7), ModelConfig(vocab_size=99))
    inner = adapt_vllm_processor(Recorder)(config, CPU, False).inner
    assert inner.config.scheduler_config.max_num_seqs == 7
    assert inner.config.model_config.get_vocab_size() == 99
    assert inner.config.speculative_config is None
    assert inner.config.reasoning_config is None
    assert (inner.device, inner.is_pin_memory) == (CPU, False)
    assert getattr(inner.config, "lora_config", None) is None
    with pytest.raises(AttributeError, match=r"vllm_config\.lora_config; it offers additional_config"):
        inner.config.lora_config  # noqa: B018


@pytest.mark.law("C1", "C5")
def test_an_update_arrives_in_vllms_types_with_the_live_lists():
    params, prompt, outputs = SamplingParams(min_p=0.5), [1], [2]
    moved = [(2, 1, MoveDirectionality.UNIDIRECTIONAL), (0, 1, MoveDirectionality.SWAP)]
    processor = driven(Recorder)
    processor.update_state(
        BatchUpdate(3, [2, 4], [(0, params, prompt, outputs), (1, params, None, [])], moved)
    )
    processor.update_state(None)
    update, nothing = processor.inner.updates
    assert nothing is None
    assert isinstance(update, VllmBatchUpdate)
    assert (update.batch_size, update.removed) == (3, [4, 2])
    assert update.moved == [
        (2, 1, VllmMoveDirectionality.UNIDIRECTIONAL),
        (0, 1, VllmMoveDirectionality.SWAP),
    ]
    assert update.added[0][2] is prompt
    assert update.added[0][3] is outputs
    assert update.added[1][2] is None
    assert isinstance(update.added[0][1], VllmSamplingParams)
    assert update.added[0][1] is update.added[1][1]


def test_an_update_survives_the_way_there_and_back():
    params, prompt, outputs = SamplingParams(min_p=0.5), [1], [2]
    update = BatchUpdate(2, [3, 2], [(0, params, prompt, outputs)], [(0, 1, MoveDirectionality.SWAP)])
    back = to_spec_update(to_vllm_update(update, to_vllm_params))
    assert back == update
    assert back.added[0][1] is params
    assert back.added[0][3] is outputs
    assert to_spec_update(to_vllm_update(None, to_vllm_params)) is None


def test_every_field_of_our_params_is_translated():
    assert {*VERBATIM, *CONVERTED} == {field.name for field in fields(SamplingParams)}
    params = SamplingParams(
        temperature=2.5,
        top_p=0.5,
        top_k=3,
        min_p=0.1,
        repetition_penalty=1.5,
        frequency_penalty=0.5,
        presence_penalty=-0.5,
        logit_bias={3: 200.0},
        min_tokens=2,
        max_tokens=20,
        stop_token_ids=[5, 4, 5],
        eos_token_id=1,
        allowed_token_ids=[1, 2],
        bad_words=[[1, 2], [3]],
        seed=7,
        logprobs=2,
        extra_args={"a": [1]},
    )
    translated = to_vllm_params(params)
    for name in VERBATIM:
        assert getattr(translated, name) == getattr(params, name)
    assert translated.logit_bias == {3: 200.0}
    assert translated.stop_token_ids == [5, 4]
    assert translated.all_stop_token_ids == {1, 4, 5}
    assert translated.eos_token_id == 1
    assert translated.allowed_token_ids == [1, 2]
    assert translated.bad_words_token_ids == [[1, 2], [3]]
    assert translated.extra_args == {"a": [1]}
    assert to_spec_params(translated) is params


def test_an_end_token_that_is_ignored_still_stops_min_tokens_from_sampling_it():
    translated = to_vllm_params(SamplingParams(eos_token_id=1, ignore_eos=True))
    assert translated.eos_token_id is None
    assert translated.all_stop_token_ids == {1}


def test_defaults_agree():
    ours, theirs = to_vllm_params(SamplingParams()), VllmSamplingParams()
    assert ours == theirs


@pytest.mark.law("C6")
def test_params_live_as_long_as_the_processor_keeps_them():
    forgetful, keeper = driven(LogitBiasLogitsProcessor), driven(Recorder)
    for processor, kept in ((forgetful, False), (keeper, True)):
        params = SamplingParams(logit_bias={1: 2.0})
        reference = weakref.ref(params)
        processor.update_state(BatchUpdate(1, [], [(0, params, None, [])], []))
        del params
        gc.collect()
        assert (reference() is not None) == kept
    keeper.inner.updates.clear()
    gc.collect()
    assert reference() is None


@pytest.mark.law("D4", "C5")
def test_a_per_request_callable_is_driven_too():
    processor, outputs = driven(BanLast), []
    params = SamplingParams(extra_args={"on": True})
    processor.update_state(
        BatchUpdate(2, [], [(0, SamplingParams(), None, [1]), (1, params, None, outputs)], [])
    )
    assert processor.apply(torch.zeros(2, 4)).tolist() == [[0.0] * 4] * 2
    outputs.append(3)
    assert processor.apply(torch.zeros(2, 4)).tolist() == [[0.0] * 4, [0.0, 0.0, 0.0, -float("inf")]]
    processor.update_state(BatchUpdate(1, [], [], [(1, 0, MoveDirectionality.UNIDIRECTIONAL)]))
    assert processor.apply(torch.zeros(1, 4)).tolist() == [[0.0, 0.0, 0.0, -float("inf")]]


@pytest.mark.law("D6")
def test_the_target_judges_params():
    cls = adapt_vllm_processor(Recorder)
    cls.validate_params(SamplingParams())
    with pytest.raises(ValueError, match="bad is bad"):
        cls.validate_params(SamplingParams(extra_args={"bad": True}))


def test_a_target_carries_the_names_of_its_class():
    target = wrap(Recorder)
    made = target.make(EngineConfig(), CPU, False)
    assert target.name == "Recorder"
    assert type(made).__qualname__ == "Recorder"
    assert type(made).__module__ == __name__
    assert type(made).logitproof_params is Recorder.logitproof_params
    logits = torch.zeros(1, 2)
    assert made.apply(logits) is logits
    assert made.is_argmax_invariant() is True


@pytest.mark.parametrize("cls", [VllmLogitsProcessor, AdapterLogitsProcessor])
def test_an_abstract_class_is_refused(cls):
    with pytest.raises(TargetError, match=r"lacks .*is_argmax_invariant"):
        wrap(cls)


def test_a_class_that_is_no_processor_is_refused():
    with pytest.raises(TypeError, match="Expected a subclass of vllm"):
        adapt_vllm_processor(int)
