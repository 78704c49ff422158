"""Vocabularies of real models: logits are drawn fast, batches are small, files stay short, runs end in time."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from click.testing import CliRunner

from logitproof.cli import main
from logitproof.lockstep import histories, run
from logitproof.lockstep.bank import BANNED_EVERY, LARGE, ROWS, bank
from logitproof.lockstep.come_and_go import come_and_go
from logitproof.lockstep.driver import MOST_CELLS, Lockstep
from logitproof.lockstep.failures import finding_to_json
from logitproof.lockstep.finding import Finding
from logitproof.lockstep.oracles.revived import Revived
from logitproof.spec import Dialect
from logitproof.targets import load_target
from logitproof.targets.drawing import few

VOCAB = 5000
play = Lockstep.play
THINK = """
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

THINK_END_TOKEN_ID = 4990

class Stale(AdapterLogitsProcessor):
    def is_argmax_invariant(self): return False
    def new_req_logits_processor(self, params):
        budget = (params.extra_args or {}).get("thinking_budget")
        if budget is None: return None
        calls = []
        def process(output_ids, logits):
            calls.append(1)
            if len(calls) > budget: logits[THINK_END_TOKEN_ID] += 4.0
            return logits
        return process
"""


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_rows_of_a_large_bank_are_as_those_of_a_small_one(dtype):
    rows = bank(1, VOCAB, dtype)
    assert rows.shape == (ROWS, VOCAB)
    assert LARGE < VOCAB
    finite = rows[rows.isfinite()].double()
    assert finite.min() == -8
    assert 7.9 < finite.max() < 8
    assert torch.equal(finite, (finite * 64).round() / 64)
    for number, row in enumerate(rows):
        assert bool(row.isneginf().any()) == (number % BANNED_EVERY == BANNED_EVERY - 1)
        assert not any(torch.equal(row, other) for other in rows[number + 1 :])
    assert not torch.equal(rows, bank(2, VOCAB, dtype))


def test_batches_of_long_rows_are_small(min_p):
    assert {each.slots for each in few(histories(min_p, Dialect.ELIDED, VOCAB), 40)} <= {1, 2, 3, 4}
    assert {each.slots for each in few(histories(min_p, Dialect.ELIDED, 32), 40)} > {8}


def test_a_long_history_of_long_rows_is_played_in_parts(monkeypatch):
    target = load_target("logitproof.impl.processors.min_p:MinPLogitsProcessor", vocab=1 << 15)
    history = come_and_go(target, "float32")
    sizes = []
    monkeypatch.setattr(Lockstep, "play", lambda self, steps: sizes.append(len(steps)) or play(self, steps))
    assert run(history, target).steps == len(history.steps) == sum(sizes)
    assert max(sizes) * history.slots * history.vocab <= MOST_CELLS
    assert run(replace(history, vocab=32), replace(target, vocab=32)).faults == ()
    assert sizes[-1] == len(history.steps)  # short rows are looked at all at once, which is faster


def test_a_default_run_says_how_wide_its_rows_are_and_saves_none(in_empty_folder):
    (in_empty_folder / "think.py").write_text(THINK)
    done = CliRunner().invoke(main, ["fuzz", "think.py:Stale", "--seed", "1"])
    assert done.exit_code == 1, done.output
    assert "4992 tokens, since its source names token 4990" in " ".join(done.output.split())
    (saved,) = Path(".logitproof/failures").glob("*.json")
    assert saved.stat().st_size < 20_000
    assert json.loads(saved.read_text())["finding"]["actual"] is None
    assert CliRunner().invoke(main, ["replay"]).exit_code == 1


def test_a_long_row_is_not_copied_logit_by_logit(monkeypatch):
    copied = []
    monkeypatch.setattr("copy.deepcopy", lambda each, memo=None: copied.append(each) or deepcopy(each, memo))
    row = (0.5,) * 100_000
    assert finding_to_json(Finding("solo", "D4", "differs", 1, actual=row))["actual"] is None
    assert len(copied) < 100


BANNED, FREE = [-torch.inf, -torch.inf, 1.0], [0.0, 2.0, 1.0]


@pytest.mark.parametrize(
    ("given", "returned", "is_silent"),
    [
        (BANNED, BANNED, True),
        (BANNED, [-torch.inf, 0.0, 1.0], True),
        (BANNED, FREE, False),
        (FREE, BANNED, True),
        (FREE, [0.0, torch.inf, 1.0], False),
        (FREE, [torch.nan, torch.inf, 1.0], False),
        (FREE, [torch.nan, 2.0, 1.0], True),
        ([torch.inf, 2.0, 1.0], [torch.inf, 2.0, 1.0], True),
    ],
)
def test_ends_of_rows_tell_whether_a_token_came_back(given, returned, is_silent):
    rows = [torch.tensor([FREE, row, BANNED]) for row in (given, returned)]
    assert Revived().is_silent(SimpleNamespace(given=rows[0], returned=rows[1])) is is_silent


def test_of_no_rows_nothing_came_back():
    none = torch.empty(0, 3)
    assert Revived().is_silent(SimpleNamespace(given=none, returned=none))
