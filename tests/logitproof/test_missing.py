"""Files whose other imports are not there: they are imported all the same, and what is used says so."""

from __future__ import annotations

import sys

import pytest

from logitproof.lockstep import Budget, Verdict, fuzz
from logitproof.standin import NotInStandIn, is_installed
from logitproof.targets import TargetError, load_target, locate

PROCESSOR = """
import torch
from vllm.v1.sample.logits_processor import LogitsProcessor, process_dict_updates
class Mine(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory): self.rows = {}
    def is_argmax_invariant(self): return False
    def update_state(self, update):
        process_dict_updates(self.rows, update, lambda params, prompt, outputs: (params.extra_args or {}).get("token"))
    def apply(self, logits):
        for row, token in self.rows.items(): %s
        return logits
"""
ADDS = PROCESSOR % "logits[row, token] += 1.0"


@pytest.fixture
def write(tmp_path):
    number = 0

    def written(text, name=None):
        nonlocal number
        number += 1
        file = tmp_path / (name or f"lacks{number}.py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return f"{file}:Mine"

    return written


def test_what_the_rest_of_a_file_imports_need_not_be_installed(write):
    head = (
        "import not_here_a as server\nfrom not_here_b.parts import Thing, decorate\n"
        "app = server.App(3)\n@app.get('/')\ndef root(): return 1\n@decorate\ndef kept(): return 2\n"
        "for each in app.routes: raise RuntimeError\nclass Sub(Thing): pass\n"
        "def typed(x: Thing | None) -> Thing[int]: ...\n"
    )
    target = load_target(write(head + ADDS))
    assert "not_here_a, not_here_b" in dict(target.notes)["missing"]
    assert fuzz(target, 1, budget=Budget(max_examples=25)).verdict is Verdict.CLEAN
    module = sys.modules[target.make.target.__module__]
    assert (module.root(), module.kept()) == (1, 2)
    with pytest.raises(
        NotInStandIn, match=r"not_here_a\.App.* can be imported but not used: not_here_a is not installed"
    ):
        module.app.run()


def test_an_import_with_a_way_out_takes_it(write):
    found = locate(write(f"try:\n    import not_here_c\nexcept ImportError:\n    not_here_c = None\n{ADDS}"))
    assert sys.modules[found.__module__].not_here_c is None


def test_a_processor_that_needs_what_is_missing_is_refused_and_not_blamed(write):
    text = "from not_here_d import boost\n" + PROCESSOR % "logits[row, token] += boost(token)"
    with pytest.raises(TargetError, match=r"cannot be run: not_here_d\.boost can be imported but not used"):
        load_target(write(text))
    with pytest.raises(TargetError, match=r"not_here_d\.boost can be imported but not used"):
        fuzz(load_target(write(text), args=["token=token"]), 1, budget=Budget(max_examples=25))


def test_a_package_of_the_same_project_is_found_above_the_file(write):
    write("BOOST = 1.0\n", "project/own_package_of_test/settings.py")
    spec = write(
        "from own_package_of_test.settings import BOOST\n" + PROCESSOR % "logits[row, token] += BOOST",
        "project/own_package_of_test/parts/mine.py",
    )
    target = load_target(spec)
    assert "missing" not in dict(target.notes)
    assert fuzz(target, 1, budget=Budget(max_examples=25)).verdict is Verdict.CLEAN


def test_a_logger_of_a_missing_package_works(write):
    text = (
        "from not_here_e.utils import logging\n" + PROCESSOR % "logging.info('x'); logits[row, token] += 1.0"
    )
    assert fuzz(load_target(write(text)), 1, budget=Budget(max_examples=25)).verdict is Verdict.CLEAN


def test_a_name_that_the_installed_version_lacks_is_stood_in_for(write):
    text = f"from click.core import NoSuchNameInIt\nfrom click.no_such_module import thing\n{ADDS}"
    target = load_target(write(text))
    assert "click.core.NoSuchNameInIt, click.no_such_module" in dict(target.notes)["missing"]


def test_a_slip_is_still_told(write):
    with pytest.raises(TargetError, match=r"cannot import name 'Comand' from 'click\.core'"):
        locate(write(f"from click.core import Comand\n{ADDS}"))


@pytest.mark.skipif(is_installed("vllm"), reason="vLLM itself is installed")
def test_parts_of_vllm_that_are_not_played_are_stood_in_for(write):
    text = f"from vllm.utils.no_such_utils import parse\nfrom transformers import AutoProcessor\n{ADDS}"
    target = load_target(write(text))
    assert "transformers.AutoProcessor, vllm.utils.no_such_utils" in dict(target.notes)["missing"]
    with pytest.raises(TargetError, match=r"did you mean vllm\.v1\.sample\.logits_processor\.LogitsP"):
        locate(write("from vllm.v1.sample.logits_processor import LogitProcessor\n"))
