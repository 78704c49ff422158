"""What a target needs around it, environment variables and `additional_config`, is guessed where it does nothing."""

from __future__ import annotations

import os

import pytest

from logitproof.lockstep import Budget, Verdict, fuzz
from logitproof.targets import TargetError, load_target, locate
from logitproof.targets.environment import variables
from logitproof.targets.source import source_of

HEAD = """
import os
class Mine:
    def __init__(self, config, device, is_pin_memory):
        self.size = 0
        {}
    def is_argmax_invariant(self): return False
    def update_state(self, update):
        if update is not None: self.size = update.batch_size
    def apply(self, logits):
        logits[:, self.token] += self.amount
        return logits
"""


@pytest.fixture
def load(tmp_path):
    number = 0

    def written(lines):
        nonlocal number
        number += 1
        file = tmp_path / f"around{number}.py"
        file.write_text(HEAD.format("\n        ".join(lines)))
        return load_target(f"{file}:Mine")

    return written


def is_clean(target):
    return fuzz(target, 1, budget=Budget(max_examples=25)).verdict is Verdict.CLEAN


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["self.token, self.amount = int(os.environ['T_A']), 1.0"], "T_A=2"),
        (["self.token = 1", "self.amount = float(os.environ.get('T_B') == 'on')"], "T_B=on"),
        (["self.token = 1", "self.amount = int(os.getenv('T_C', '0'))"], "T_C=2"),
        (
            [
                "self.token = 1",
                "self.amount = float(os.getenv('T_ENABLED', 'false').lower() in ('true', '1'))",
            ],
            "T_ENABLED=true",
        ),
        (
            ["self.amount = 1.0", "self.token = config.additional_config['ban']['token_id']"],
            "additional_config['ban.token_id']=",
        ),
        (
            ["self.amount = 1.0", "self.token = (config.additional_config or {}).get('ids', [])"],
            "additional_config['ids']=[",
        ),
    ],
)
def test_it_is_set_and_said(load, lines, said):
    target = load(lines)
    assert f"since it does nothing without: {said}" in dict(target.notes)["set"]
    assert is_clean(target)
    assert not {"T_A", "T_B", "T_C", "T_ENABLED"} & os.environ.keys()


def test_what_the_user_has_set_stays(load, monkeypatch):
    monkeypatch.setenv("T_A", "5")
    target = load(["self.token, self.amount = int(os.environ['T_A']), 1.0"])
    assert "set" not in dict(target.notes)
    assert "T_A; set them as for the engine" in dict(target.notes)["environment"]


def test_a_default_that_works_stays(load):
    assert "set" not in dict(load(["self.token, self.amount = int(os.getenv('T_D', '3')), 1.0"]).notes)


def test_where_nothing_helps_the_constructor_is_told(load):
    with pytest.raises(TargetError, match="raised KeyError: 'T_E'"):
        load(["os.environ['T_E'][9]"])


def test_variables_are_found_through_helpers(tmp_path):
    file = tmp_path / "helped.py"
    file.write_text(
        "import os\nKEY = 'H_A'\n"
        "def required(name):\n    value = os.environ.get(name)\n    if value is None: raise RuntimeError(name)\n"
        "    return value\n"
        "def perhaps(name, default): return os.environ.get(name, default)\n"
        "class Mine:\n    def __call__(self, outputs, logits):\n"
        "        return int(required(KEY)), perhaps('H_B', 'off'), perhaps('H_C', '7')\n"
    )

    found = {each.name: each for each in variables(source_of(locate(f"{file}:Mine")))}
    assert {name: each.is_required for name, each in found.items()} == {
        "H_A": True,
        "H_B": False,
        "H_C": False,
    }
    assert {name: each.guess for name, each in found.items()} == {"H_A": "2", "H_B": "on", "H_C": ""}
