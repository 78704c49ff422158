"""The update's records, the dialects, the laws as data, and the interface of a processor."""

from __future__ import annotations

import inspect
import re
from dataclasses import FrozenInstanceError, fields

import pytest

from logitproof.spec import (
    LAW_BY_ID,
    LAWS,
    BatchUpdate,
    Dialect,
    LogitsProcessor,
    MoveDirectionality,
    SamplingParams,
)
from logitproof.spec.laws import SECTIONS


def test_a_batch_update_has_the_seeds_fields_in_the_seeds_order():
    assert [declared.name for declared in fields(BatchUpdate)] == ["batch_size", "removed", "added", "moved"]
    added = [(0, SamplingParams(), None, [])]
    moved = [(3, 2, MoveDirectionality.UNIDIRECTIONAL)]
    update = BatchUpdate(3, [2], added, moved)
    assert update == BatchUpdate(batch_size=3, removed=[2], added=added, moved=moved)
    assert update.added is added


def test_a_batch_update_is_frozen():
    update = BatchUpdate(0, [], [], [])
    with pytest.raises(FrozenInstanceError):
        update.batch_size = 1


def test_there_are_two_kinds_of_move_and_three_dialects():
    assert [how.name for how in MoveDirectionality] == ["UNIDIRECTIONAL", "SWAP"]
    assert [dialect.value for dialect in Dialect] == ["documented", "elided", "redundant"]


CONTRACT = {"A": 4, "B": 9, "C": 6, "D": 8, "E": 5}
"""How many laws the contract has in each section."""


def test_every_law_of_the_contract_is_stated_once_in_order():
    expected = [f"{section}{number}" for section, count in CONTRACT.items() for number in range(1, count + 1)]
    assert [law.id for law in LAWS] == expected
    assert list(LAW_BY_ID) == expected
    assert all(LAW_BY_ID[law.id] is law for law in LAWS)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.id)
def test_a_law_is_a_sentence_with_a_source_in_a_named_section(law):
    assert re.fullmatch(r"[A-Za-z].*\.", law.sentence)
    assert law.source
    assert law.section in SECTIONS
    with pytest.raises(FrozenInstanceError):
        law.sentence = "?"


def test_no_two_laws_say_the_same():
    assert len({law.sentence for law in LAWS}) == len(LAWS)


METHODS = {
    "__init__": ["self", "config", "device", "is_pin_memory"],
    "apply": ["self", "logits"],
    "is_argmax_invariant": ["self"],
    "update_state": ["self", "batch_update"],
}


@pytest.mark.law("D7")
@pytest.mark.parametrize(("name", "parameters"), METHODS.items())
def test_a_processor_must_define_each_method(name, parameters):
    assert list(inspect.signature(getattr(LogitsProcessor, name)).parameters) == parameters
    body = {method: lambda self, *args: None for method in METHODS if method != name}
    incomplete = type("Incomplete", (LogitsProcessor,), body)
    with pytest.raises(TypeError, match=rf"abstract.*{name}"):
        incomplete(None, None, False)


@pytest.mark.law("D6", "D7")
def test_a_processor_with_the_four_methods_accepts_every_params_unless_it_says_otherwise():
    complete = type("Complete", (LogitsProcessor,), {name: lambda self, *args: None for name in METHODS})
    assert isinstance(complete(None, None, False), LogitsProcessor)
    assert complete.validate_params(SamplingParams()) is None
