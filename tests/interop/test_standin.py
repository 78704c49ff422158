"""The stand-in has vLLM's names, signatures and effects; where it differs, a table says why."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import random

import pytest
import torch
import vllm.sampling_params as real_params
import vllm.v1.sample.logits_processor as real

from logitproof.standin import adapter, batch_state, dict_updates, interface, sampling_params
from logitproof.standin.names import MODULES

ELSEWHERE = {
    "vllm.transformers_utils.tokenizer": "older releases had the tokenizer functions there",
    "vllm.transformers_utils.tokenizer_base": "the same",
    "vllm.utils.is_pin_memory_available": "older releases had it there",
    "vllm.utils.make_tensor_with_pad": "older releases had it there",
    "vllm.logits_process.LogitsProcessors": "older releases",
    "vllm.sampling_params.GuidedDecodingParams": "the older name of StructuredOutputsParams",
    "vllm.tokenizers.AnyTokenizer": "older releases",
    "vllm.tokenizers.TokenizerBase": "older releases",
    "vllm.tokenizers.init_tokenizer_from_configs": "older releases",
    "vllm.tokenizers.registry.AnyTokenizer": "older releases",
    "vllm.tokenizers.registry.TokenizerBase": "older releases",
    "vllm.tokenizers.registry.init_tokenizer_from_configs": "older releases",
    "vllm.platforms.CpuPlatform": "the class behind current_platform, under a short name",
}
"""Names that this release does not have, with the reason why files import them nevertheless."""


def names():
    for module, entries in MODULES.items():
        if module.startswith("vllm"):
            yield module, None
            for name in entries:
                yield module, name


def is_there(module, name):
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError:
        return False
    return name is None or hasattr(found, name)


@pytest.mark.parametrize(("module", "name"), list(names()))
def test_every_name_is_one_of_vllms(module, name):
    full = module if name is None else f"{module}.{name}"
    excused = full in ELSEWHERE or module in ELSEWHERE
    assert is_there(module, name) != excused


def shape(function):
    return [(each.name, each.kind) for each in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (interface.LogitsProcessor, real.LogitsProcessor),
        (adapter.AdapterLogitsProcessor, real.AdapterLogitsProcessor),
        (batch_state.BatchUpdateBuilder, real.BatchUpdateBuilder),
        (batch_state.LogitsProcessors, real.LogitsProcessors),
    ],
)
def test_classes_have_the_same_methods_with_the_same_parameters(ours, theirs):
    public = [name for name in dir(theirs) if not name.startswith("_")] + ["__init__"]
    for name in public:
        mine, other = inspect.getattr_static(ours, name), inspect.getattr_static(theirs, name)
        assert isinstance(mine, property) == isinstance(other, property), name
        if callable(getattr(theirs, name)):
            assert shape(getattr(ours, name)) == shape(getattr(theirs, name)), name
    assert getattr(ours, "__abstractmethods__", None) == getattr(theirs, "__abstractmethods__", None)


def test_records_have_the_same_fields():
    fields = [[field.name for field in dataclasses.fields(each.BatchUpdate)] for each in (interface, real)]
    assert fields[0] == fields[1]
    ours, theirs = interface.MoveDirectionality, real.MoveDirectionality
    assert [(each.name, each.value) for each in ours] == [(each.name, each.value) for each in theirs]


def test_params_have_the_same_fields_defaults_and_properties():
    ours, theirs = sampling_params.SamplingParams(), real_params.SamplingParams()
    wanted = list(inspect.signature(real_params.SamplingParams).parameters)
    assert list(inspect.signature(sampling_params.SamplingParams).parameters) == wanted
    for name in (*wanted, "eos_token_id", "all_stop_token_ids", "bad_words_token_ids", "num_logprobs"):
        mine, other = getattr(ours, name), getattr(theirs, name)
        assert getattr(mine, "name", mine) == getattr(other, "name", other), name


@pytest.mark.parametrize(
    "fields",
    [
        {"stop_token_ids": [3, 4]},
        {"stop": "end"},
        {"temperature": 0.0},
        {"seed": 7},
        {"extra_args": {"a": {"b": [1]}}},
        {"logprob_token_ids": [1, 2, 3]},
    ],
)
def test_params_made_alike_read_alike(fields):
    ours, theirs = sampling_params.SamplingParams(**fields), real_params.SamplingParams(**fields)
    for each in (ours, theirs):
        assert each.clone() == each
        assert each.clone().extra_args is not each.extra_args or each.extra_args is None
    for name in ("stop", "stop_token_ids", "all_stop_token_ids", "extra_args", "num_logprobs"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert ours.sampling_type.name == theirs.sampling_type.name


def random_update(draw, module, params, number):
    size = draw.randrange(1, 6)
    slots = list(range(size))
    added = [
        (slot, params[draw.randrange(3)], [slot], [number])
        for slot in draw.sample(slots, draw.randrange(size))
    ]
    removed = draw.sample(slots, draw.randrange(size))
    moves = [
        (*draw.sample(slots, 2), draw.choice(("SWAP", "UNIDIRECTIONAL")))
        for _ in range(draw.randrange(3))
        if size > 1
    ]
    moved = [(one, other, module.MoveDirectionality[how]) for one, other, how in moves]
    return module.BatchUpdate(batch_size=size, removed=removed, added=added, moved=moved)


@pytest.mark.law("C1")
@pytest.mark.parametrize("seed", range(40))
def test_process_dict_updates_has_the_same_effect(seed):
    results = []
    for function, module in (
        (dict_updates.process_dict_updates, interface),
        (real.process_dict_updates, real),
    ):
        draw, entries, told = random.Random(seed), {}, []
        states = (None, "", "state")  # an empty state is one, but counts as nothing where it is removed
        for number in range(25):
            update = None if draw.random() < 0.2 else random_update(draw, module, states, number)
            changed = function(entries, update, lambda params, prompt, outputs: params)
            told.append((changed, dict(entries)))
        results.append(told)
    assert results[0] == results[1]


def make_adapter(base):
    class Echo(base):
        def is_argmax_invariant(self):
            return False

        def new_req_logits_processor(self, params):
            def two(outputs, row):
                row[outputs[-1]] += 1.0
                return row

            def three(prompt, outputs, row):
                return row + len(prompt)

            return {None: None, "": two, "state": three}[params]

    return Echo(None, torch.device("cpu"), False)


@pytest.mark.parametrize("seed", range(20))
def test_adapters_have_the_same_effect(seed):
    results = []
    for base, module in ((adapter.AdapterLogitsProcessor, interface), (real.AdapterLogitsProcessor, real)):
        draw, processor, told = random.Random(seed), make_adapter(base), []
        for number in range(15):
            processor.update_state(random_update(draw, module, (None, "", "state"), number))
            told.append(processor.apply(torch.zeros(6, 20)).tolist())
        results.append(told)
    assert results[0] == results[1]


def test_an_adapter_refuses_a_request_without_prompt_ids_that_it_needs():
    for base, module in ((adapter.AdapterLogitsProcessor, interface), (real.AdapterLogitsProcessor, real)):
        with pytest.raises(ValueError, match=r"(?i)prompt token ids"):
            make_adapter(base).update_state(module.BatchUpdate(1, [], [(0, "state", None, [])], []))


@pytest.mark.parametrize("seed", range(20))
def test_builders_tell_the_same(seed):
    results = []
    for module in (batch_state, real):
        draw, builder, told = random.Random(seed), module.BatchUpdateBuilder(), []
        for number in range(20):
            for slot in draw.sample(range(8), draw.randrange(4)):
                builder.removed_append(slot)
            told += [builder.has_removed(), builder.peek_removed()]
            if draw.random() < 0.5:
                told.append(builder.pop_removed())
            if draw.random() < 0.5:
                builder.added.append((number, None, None, []))
            told.append(list(builder.removed))
            if draw.random() < 0.3:
                told.append(builder.reset())
            update = builder.get_and_reset(number)
            told.append(
                update and (update.batch_size, list(update.removed), list(update.added), list(update.moved))
            )
        results.append(told)
    assert results[0] == results[1]
