"""The stand-in for vLLM where it is missing: which names there are, what it says about others, and its tokenizer."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
import torch

from logitproof.spec import EngineConfig, ModelConfig
from logitproof.standin import Missing, is_installed, offer
from logitproof.standin.names import MODULES, UNPLAYED
from logitproof.standin.placeholder import NotInStandIn
from logitproof.standin.tokenizer import ToyTokenizer, cached_tokenizer_from_config
from logitproof.toy_model import marker_ids, model_name, size_of, tokens
from logitproof.vllm_config import VllmConfigView

without_vllm = pytest.mark.skipif(is_installed("vllm"), reason="vLLM itself is installed")


@pytest.fixture(autouse=True)
def offered():
    offer()


@without_vllm
@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("vllm")])
def test_every_name_of_the_table_can_be_imported(module):
    found = importlib.import_module(module)
    for name in MODULES[module]:
        assert getattr(found, name) is getattr(found, name)


@without_vllm
def test_one_class_is_the_same_in_every_module_and_says_that_it_is_vllms():
    package = importlib.import_module("vllm.v1.sample.logits_processor")
    interface = importlib.import_module("vllm.v1.sample.logits_processor.interface")
    assert package.LogitsProcessor is interface.LogitsProcessor
    assert package.LogitsProcessor.__module__.startswith("vllm.")
    assert importlib.import_module("vllm").SamplingParams.__module__.startswith("vllm")


@without_vllm
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "from vllm.v1.sample.logits_processor import LogitProcessor",
            "did you mean vllm.v1.sample.logits_processor.LogitsP",
        ),
        ("import vllm.no_such_part", "has no vllm.no_such_part (vllm is not installed here"),
        (
            "from transformers import BertModel",
            "has no transformers.BertModel (transformers is not installed",
        ),
        ("from vllm.v1.sample.tops import topk", "has no vllm.v1.sample.tops"),
    ],
)
def test_a_name_that_is_missing_is_told_exactly(statement, message):
    if statement.startswith("from transformers") and is_installed("transformers"):
        importlib.import_module("transformers")
    with pytest.raises(Missing) as caught:
        exec(statement)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@without_vllm
def test_what_no_processor_needs_can_be_imported_but_not_used():
    from vllm import LLM
    from vllm.entrypoints.openai.protocol import ChatCompletionRequest

    for name in (LLM, ChatCompletionRequest):
        with pytest.raises(NotInStandIn, match=rf"{name.__name__} can be imported but not used"):
            name(model="x")
    assert all(importlib.import_module(part) for part in UNPLAYED)


def test_the_stand_in_comes_after_a_real_package(tmp_path):
    (tmp_path / "vllm").mkdir()
    (tmp_path / "vllm" / "__init__.py").write_text("real = True")
    code = "from logitproof.standin import offer, is_offered; offer(); offer(); import vllm; assert vllm.real, vllm"
    code += "\nassert not is_offered('vllm')"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(tmp_path), "PATH": ""})


def test_logitproof_itself_does_not_put_it_there():
    code = "import logitproof.lockstep, logitproof.vllm_target, importlib.util, sys; sys.exit('vllm' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_tokenizer_spells_and_reads_back():
    tokenizer = ToyTokenizer.from_pretrained(model_name(64))
    assert len(tokenizer) == tokenizer.vocab_size == size_of(model_name(64)) == 64
    ids = tokenizer.encode('<think>{"a": 1}</think>', add_special_tokens=False)
    assert (ids[0], ids[-1]) == (4, 5)
    assert tokenizer.decode(tokenizer.encode("the tail")) == "the tail"
    assert tokenizer.convert_ids_to_tokens(tokenizer.convert_tokens_to_ids("</think>")) == "</think>"
    assert tokenizer("an end", return_tensors="pt").input_ids.shape == (1, 6)
    assert tokenizer.get_vocab()["</s>"] == tokenizer.eos_token_id
    assert [*tokenizer.get_vocab().values()] == list(range(64))
    assert tokenizer.decode([2, 4], skip_special_tokens=True) == "<think>"
    assert [str(token) for token in tokenizer.added_tokens_decoder.values() if token.special] == [
        *tokenizer.added_tokens_encoder
    ]


@pytest.mark.parametrize("size", [8, 32, 33, 1000])
def test_a_vocabulary_holds_as_many_different_tokens(size):
    assert len({*tokens(size)}) == size


def test_markers_are_found_in_texts():
    assert marker_ids(["ends with </think>", "<nothing>", "plain"]) == (5,)
    (answer,) = marker_ids(["<answer>"])
    assert tokens(answer + 1)[answer] == "<answer>"


@pytest.mark.law("D7")
def test_the_configuration_has_what_constructors_read():
    config = VllmConfigView.of(EngineConfig(model_config=ModelConfig(vocab_size=48)), reasons=True)
    model = config.model_config
    assert (
        model.get_vocab_size()
        == model.hf_config.vocab_size
        == model.hf_text_config.get_text_config().vocab_size
        == 48
    )
    assert len(cached_tokenizer_from_config(model)) == 48
    assert (model.dtype, model.trust_remote_code, model.skip_tokenizer_init) == (torch.float32, False, False)
    assert config.parallel_config.tensor_parallel_size == 1
    assert config.device_config.device == torch.device("cpu")
    assert config.reasoning_config.reasoning_end_token_ids == (5,)
    assert VllmConfigView.of(EngineConfig()).reasoning_config is None
    with pytest.raises(AttributeError, match=r"no vllm_config\.model_config\.rope; it offers .*vocab_size"):
        _ = model.rope


MODEL = """
from __future__ import annotations
from typing import Annotated, Literal, Optional
from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError, field_validator, model_validator
class Inner(BaseModel):
    k: int = 1
class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    ids: list[int] = Field(min_length=1)
    p: Annotated[float, Field(gt=0)] = 0.5
    mode: Literal["a", "b"] = "a"
    inner: Optional[Inner] = None
    n: PositiveInt = 3
    names: dict[str, tuple[int, ...]] = Field(default_factory=dict)
    @model_validator(mode="before")
    @classmethod
    def renamed(cls, data):
        return {("ids" if key == "tokens" else key): value for key, value in data.items()}
    @field_validator("ids")
    @classmethod
    def no_nine(cls, value):
        if 9 in value: raise ValueError("nine")
        return value
    @model_validator(mode="after")
    def not_both(self):
        if self.mode == "b" and self.p > 1: raise ValueError("both")
        return self
"""
FITS = [
    ({"ids": [1]}, {"ids": [1], "p": 0.5, "mode": "a", "inner": None, "n": 3, "names": {}}),
    ({"tokens": ["2", 3.0], "p": "1.5"}, {"ids": [2, 3], "p": 1.5, "mode": "a", "inner": None, "n": 3, "names": {}}),
    ({"ids": (4,), "inner": {"k": 2}, "names": {"x": [5]}},
     {"ids": [4], "p": 0.5, "mode": "a", "inner": {"k": 2}, "n": 3, "names": {"x": (5,)}}),
]  # fmt: skip
MISFITS = [{}, {"ids": []}, {"ids": [9]}, {"ids": ["x"]}, {"ids": [1.5]}, {"ids": 1}, {"ids": [1], "p": 0}]
MISFITS += [{"ids": [1], "mode": "c"}, {"ids": [1], "mode": "b", "p": 2}, {"ids": [1], "inner": 3}]
MISFITS += [{"ids": [1], "n": 0}, {"ids": [1], "more": 1}, {"ids": [1], "names": {"x": 5}}]


def test_models_of_fields_read_as_pydantics_do(tmp_path, monkeypatch):
    """Whichever is there: the stand-in, or pydantic itself."""
    (tmp_path / "model_of_test.py").write_text(MODEL)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("model_of_test")
    for given, expected in FITS:
        assert module.Outer(**given).model_dump() == expected
        assert module.Outer.model_validate(given) == module.Outer(**given)
    for given in MISFITS:
        with pytest.raises(module.ValidationError):
            module.Outer.model_validate(given)
    assert issubclass(module.ValidationError, ValueError)


@without_vllm
def test_n_grams_are_banned_as_transformers_does():
    from transformers.generation.logits_process import _calc_banned_ngram_tokens

    rows = torch.tensor([[1, 2, 1, 2, 3, 1, 2], [5, 6, 7, 8, 9, 1, 2]])
    assert _calc_banned_ngram_tokens(3, rows, 2, 7) == [[1, 3], []]
    assert _calc_banned_ngram_tokens(9, rows, 2, 7) == [[], []]


def test_vllms_params_always_say_how_many_tokens():
    from logitproof.spec import SamplingParams
    from logitproof.vllm_params import to_spec_params, to_vllm_params

    params = SamplingParams(max_tokens=None)
    translated = to_vllm_params(params)
    assert translated.max_tokens == 4096
    assert to_spec_params(translated) is params
