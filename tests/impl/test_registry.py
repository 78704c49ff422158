"""Built-in processors are always loaded, custom ones in each of the three ways, and mistakes are named."""

from __future__ import annotations

import sys
import types
from importlib.metadata import EntryPoint

import pytest
import torch

from logitproof.impl import BUILTIN_PROCESSORS, ENTRIES, load_processors, registry
from logitproof.impl.processors import MinPLogitsProcessor
from logitproof.spec import EngineConfig, LogitsProcessor


class Custom(MinPLogitsProcessor):
    """A processor that is not built in."""


class Unfinished(LogitsProcessor):
    """Lacks its methods."""


CONFIG, CPU = EngineConfig(), torch.device("cpu")


@pytest.fixture
def installed(monkeypatch):
    """Entry points that pretend to be installed; none unless a test adds one."""
    found = []
    monkeypatch.setattr(
        registry, "entry_points", lambda group: found if group == "vllm.logits_processors" else []
    )
    return found


@pytest.fixture
def module(monkeypatch):
    """An importable module that holds the custom class."""
    made = types.ModuleType("processors_for_tests")
    made.Custom = Custom
    monkeypatch.setitem(sys.modules, made.__name__, made)
    return made.__name__


def load(*custom):
    return load_processors(custom, CONFIG, CPU, False)


@pytest.mark.law("E5", "D5", "D7")
def test_built_in_processors_are_always_loaded_and_parted(installed):
    loaded = load()
    assert {type(processor) for processor in loaded.all} == set(BUILTIN_PROCESSORS)
    modelled = {entry.processor for entry in ENTRIES if entry.reference is None}
    known = [kind for kind in map(type, loaded.all) if kind in modelled]
    names = [kind.__name__.removesuffix("LogitsProcessor") for kind in known]
    assert names[:4] == ["AllowedTokenIds", "BadWords", "MinTokens", "LogitBias"]
    assert names[4:] == [
        *["RepetitionPenalty", "FrequencyPenalty", "PresencePenalty"],
        *["Temperature", "MinP", "TopK", "TopP"],
    ]
    assert loaded.argmax_invariant == tuple(p for p in loaded.all if p.is_argmax_invariant())


@pytest.mark.law("E5")
def test_custom_processors_come_as_class_name_or_entry_point(installed, module):
    assert type(load(Custom).argmax_invariant[-3]) is Custom
    assert type(load(f"{module}:Custom").argmax_invariant[-3]) is Custom
    installed.append(EntryPoint("custom", f"{module}:Custom", "vllm.logits_processors"))
    assert type(load().argmax_invariant[-3]) is Custom


@pytest.mark.parametrize(
    ("custom", "error", "message"),
    [
        ("no_colon", ValueError, "module:Class.*'no_colon'"),
        ("no_such_module:Custom", ValueError, "ModuleNotFoundError"),
        ("json:Dekoder", ValueError, "'Dekoder'.*not define"),
        ("json:JSONDecoder", TypeError, "subclass of logitproof.spec.LogitsProcessor"),
        (object(), TypeError, "neither an instance nor a function"),
        (Unfinished, TypeError, r"\['apply', 'is_argmax_invariant', 'update_state'\]|not implement"),
        (MinPLogitsProcessor, ValueError, "act twice"),
    ],
)
@pytest.mark.law("E5")
def test_a_wrong_processor_is_named(installed, custom, error, message):
    with pytest.raises(error, match=message):
        load(custom)


@pytest.mark.law("E5")
def test_the_same_class_twice_is_refused(installed, module):
    with pytest.raises(ValueError, match="act twice"):
        load(Custom, f"{module}:Custom")
    installed.append(EntryPoint("custom", f"{module}:Custom", "vllm.logits_processors"))
    with pytest.raises(ValueError, match="entry point"):
        load(Custom)


def test_a_single_name_in_place_of_a_sequence_is_refused(installed):
    with pytest.raises(TypeError, match="sequence"):
        load_processors("json:JSONDecoder", CONFIG, CPU, False)


def test_a_class_written_for_vllm_is_told_apart(installed):
    base = type("LogitsProcessor", (), {"__module__": "vllm.v1.sample.logits_processor.interface"})
    with pytest.raises(TypeError, match="MoveDirectionality is another enum"):
        load(type("Theirs", (base,), {}))
