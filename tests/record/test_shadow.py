"""A shadow: finds what a lockstep run finds, never alters a row, never raises, and stays off the random numbers."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from logitproof import LogitsProcessor
from logitproof.cli import main
from logitproof.impl import PersistentBatch, Request
from logitproof.impl.processors import LogitBiasLogitsProcessor, MinPLogitsProcessor, MinTokensLogitsProcessor
from logitproof.record import Shadow
from logitproof.spec import BatchUpdate, EngineConfig, ModelConfig, SamplingParams, SchedulerConfig
from logitproof.targets.locate import locate

MUSEUM = Path(__file__).parents[1] / "museum"
VOCAB, SLOTS = 32, 6
CONFIG = EngineConfig(SchedulerConfig(max_num_seqs=SLOTS), ModelConfig(vocab_size=VOCAB))
PARAMS = (
    SamplingParams(),
    SamplingParams(min_p=0.5, logit_bias={3: -100.0}, min_tokens=9, max_tokens=None, stop_token_ids=[4]),
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LOGITPROOF_SHADOW_DIR", str(tmp_path))
    return tmp_path


def rows(cls, steps=120, seed=0):
    """What a processor makes of the same random run, as a list of tensors."""
    source, numbers = random.Random(seed), torch.Generator().manual_seed(seed)
    processor = cls(CONFIG, torch.device("cpu"), False)
    batch = PersistentBatch(max_num_reqs=SLOTS)
    number, found = 0, []
    for _ in range(steps):
        live = list(batch.requests)
        leaving = [request.request_id for request in live if source.random() < 0.2]
        new = []
        for _ in range(min(source.choice((0, 1, 2)), SLOTS - len(live) + len(leaving))):
            new.append(Request(f"q{number}", PARAMS[number % 2], [1, 2], []))
            number += 1
        processor.update_state(batch.step(finished=leaving, new=new))
        if batch.requests:
            found.append(processor.apply(torch.randn(len(batch.requests), VOCAB, generator=numbers)).clone())
        for request in batch.requests:
            request.output_token_ids.append(source.randrange(8))
    return found


SOUND = (MinPLogitsProcessor, LogitBiasLogitsProcessor, MinTokensLogitsProcessor)
FAULTY = (
    "min_p_moves_ignored.py:MinPMovesIgnored",
    "logit_bias_moves_ignored.py:LogitBiasMovesIgnored",
    "min_tokens_moves_ignored.py:MinTokensMovesIgnored",
)


@pytest.mark.law("D4")
@pytest.mark.parametrize("cls", SOUND)
@pytest.mark.parametrize("rate", [1.0, 0.25])
def test_a_sound_processor_is_left_in_peace(cls, rate, folder, capfd):
    bare = rows(cls)
    shadowed = rows(Shadow.around(cls, rate))
    assert all(torch.equal(one, other) for one, other in zip(bare, shadowed, strict=True))
    assert capfd.readouterr().err == ""
    assert list(folder.iterdir()) == []


@pytest.mark.law("D2", "D4", "C1")
@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_processor_is_found_once_per_law_and_replayed(name, folder, capfd):
    cls = locate(f"{MUSEUM / name}")
    bare = rows(cls)
    shadowed = rows(Shadow.around(cls, 1.0))
    assert all(torch.equal(one, other) for one, other in zip(bare, shadowed, strict=True)), (
        "the result was altered"
    )
    said = capfd.readouterr().err.splitlines()
    laws = [line.partition("(")[2].partition(")")[0] for line in said]
    assert laws
    assert len({*laws}) == len(laws)
    assert {*laws} <= {"D2", "D4"}
    saved = sorted(folder.rglob("*.json"))
    assert len(saved) == len(said)
    data = json.loads(saved[0].read_text())
    data["target"] = f"{MUSEUM / name}"  # the module was loaded from a file, under a name of its own
    saved[0].write_text(json.dumps(data))
    replayed = CliRunner().invoke(main, ["replay", str(saved[0]), "--json"])
    assert replayed.exit_code == 1, replayed.output


class Emptying(LogitsProcessor):
    """Bans everything in the row of slot 1."""

    def __init__(self, config, device, is_pin_memory):
        pass

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        pass

    def apply(self, logits):
        logits[1:2] = float("-inf")
        return logits


@pytest.mark.law("D8")
def test_an_emptied_row_is_found(capfd):
    rows(Shadow.around(Emptying, 1.0))
    assert "(D8): row 1" in capfd.readouterr().err


class Drawing(Emptying):
    """Draws from every generator that a solo run could disturb."""

    def apply(self, logits):
        return logits + torch.rand(1) * 0 if len(logits) else logits

    def __init__(self, config, device, is_pin_memory):
        random.random()
        torch.rand(3)


@pytest.mark.law("D4")
def test_solo_runs_leave_the_random_numbers_alone():
    def numbers(cls):
        random.seed(1)
        torch.manual_seed(1)
        rows(cls)
        return random.random(), torch.rand(1).item()

    assert numbers(Shadow.around(Drawing, 1.0)) == numbers(Drawing)


class Fragile(Emptying):
    """Only the engine's instance works."""

    made = 0

    def __init__(self, config, device, is_pin_memory):
        type(self).made += 1
        if type(self).made > 1:
            raise RuntimeError("there can be only one")

    def apply(self, logits):
        return logits


def test_what_fails_in_the_oracles_switches_the_shadow_off(capfd):
    assert rows(Shadow.around(Fragile, 1.0))
    assert capfd.readouterr().err.count("switched off after RuntimeError") == 1


def test_what_the_processor_raises_goes_through():
    class Raising(Emptying):
        def apply(self, logits):
            raise KeyError("mine")

    shadow = Shadow.around(Raising, 1.0)(CONFIG, torch.device("cpu"), False)
    shadow.update_state(BatchUpdate(1, [], [(0, SamplingParams(), [1], [])], []))
    with pytest.raises(KeyError, match="mine"):
        shadow.apply(torch.zeros(1, VOCAB))


@pytest.mark.parametrize(
    ("variable", "value"), [("LOGITPROOF_SHADOW", "nonsense"), ("LOGITPROOF_SHADOW_RATE", "2")]
)
def test_a_wrong_setting_is_refused_with_its_value(monkeypatch, variable, value):
    monkeypatch.setenv("LOGITPROOF_SHADOW", "logitproof.impl.processors:MinPLogitsProcessor")
    monkeypatch.setenv(variable, value)
    with pytest.raises(ValueError, match=f"{variable}.*'{value}'"):
        Shadow(CONFIG, torch.device("cpu"), False)


@pytest.mark.law("E5")
def test_the_processor_may_be_named_by_a_variable(monkeypatch):
    monkeypatch.setenv("LOGITPROOF_SHADOW", "logitproof.impl.processors:MinPLogitsProcessor")
    bare, shadowed = rows(MinPLogitsProcessor), rows(Shadow)
    assert all(torch.equal(one, other) for one, other in zip(bare, shadowed, strict=True))
