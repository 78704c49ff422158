"""Three seeded faults of every processor that the core did not have; the lockstep engine finds each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from logitproof.impl import ENTRIES
from logitproof.lockstep import Budget, Verdict, fuzz
from logitproof.targets import load_target

FAULTS = {
    "allowed_token_ids": ("ListStaysBehind", "ReadAsForbidden", "EveryoneGetsTheLastList"),
    "bad_words": ("MatchedWhenTheRequestArrived", "WordsLostInASwap", "PromptForgotten"),
    "repetition_penalty": ("PromptForgotten", "OncePerOccurrence", "SignIgnored"),
    "frequency_penalty": ("GrowthUnseen", "NewcomerOverwritten", "PromptCounted"),
    "presence_penalty": ("TimesTheCount", "KeptAfterRemoval", "CellsRenewedWithTheBatchOnly"),
    "temperature": ("MovesInReverse", "GreedyIsVeryCold", "Multiplied"),
    "top_k": ("OneTooMany", "LargestKForAll", "NumberLostInASwap"),
    "top_p": ("NumberStaysBehind", "EdgeDropped", "SmallestPForAll"),
}
CORE = {"min_p", "logit_bias", "min_tokens"}
"""Their faults are the files one folder up."""


def test_every_processor_has_three_faults():
    assert FAULTS.keys() | CORE == {entry.name for entry in ENTRIES if entry.reference is None}
    assert all(len(set(faults)) == 3 for faults in FAULTS.values())
    folder = Path(__file__).parent.parent
    assert all(len(list(folder.glob(f"{name}_*.py"))) >= 3 for name in CORE)


@pytest.mark.law("D4", "C1", "C5", "C6")
@pytest.mark.parametrize(("name", "fault"), [(name, fault) for name in FAULTS for fault in FAULTS[name]])
def test_the_fault_is_found(name, fault):
    file = Path(__file__).parent / f"{name}.py"
    target = load_target(f"{file}:{fault}", reference=f"logitproof.model.rows:{name}_row")
    assert fuzz(target, seed=1, budget=Budget(max_examples=100, shrink=False)).verdict is Verdict.FAILED
