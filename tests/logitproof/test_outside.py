"""State that outlives an instance is put back before a failure is played again, and named where it is the cause."""

from __future__ import annotations

import pytest
import torch

from logitproof.lockstep import fuzz
from logitproof.lockstep.blame import blame
from logitproof.lockstep.driver import run
from logitproof.report.failure import kind_of
from logitproof.targets import load_target
from logitproof.targets.load import cpu, engine_config

FILE = """
import torch
from logitproof import LogitsProcessor

class Lifted:
    def __init__(self): self.tokens = []

SCRATCH, EVERYBODYS = torch.zeros(32), Lifted()
USERS = 0
SEEN = {"first": [1]}

class Alone(LogitsProcessor):
    def __init__(self, config, device, is_pin_memory): self.rows = {}
    def is_argmax_invariant(self): return False
    def token(self, row): return row and 1 + row % 3
    def update_state(self, batch_update):
        if batch_update is None: return
        for row in batch_update.removed: self.rows.pop(row, None)
        for row, params, _, _ in batch_update.added: self.rows[row] = params.extra_args and params.extra_args["lift"]
        for source, to, how in batch_update.moved:
            here, there = self.rows.pop(source, None), self.rows.pop(to, None)
            self.rows[to] = here
            if how.name == "SWAP": self.rows[source] = there
    def apply(self, logits):
        for row, lift in self.rows.items():
            if lift: logits[row, self.token(lift)] += 2.0
        return logits

class CountsInTheModule(Alone):
    def token(self, lift):
        global USERS
        USERS += 1
        return USERS % 5

class KeepsInADefault(Alone):
    def token(self, lift, seen=[]):
        seen.append(lift)
        return len(seen) % 5

class CountsInTheClass(Alone):
    count = 0
    def token(self, lift):
        type(self).count += 1
        return self.count % 5

class RemembersInTheModule(Alone):
    def token(self, lift):
        SEEN.setdefault("rows", []).append(lift)
        return len(SEEN["rows"]) % 5

class BansWhateverAnyoneBanned(Alone):
    def update_state(self, batch_update, seen=[]):
        super().update_state(batch_update)
        seen += [lift for lift in self.rows.values() if lift and lift not in seen]
        self.seen = seen
    def apply(self, logits):
        for row, lift in self.rows.items():
            if lift: logits[row, self.seen] -= 4.0
        return logits

class LeavesItInAScratchTensor(Alone):
    def apply(self, logits):
        for row, lift in self.rows.items():
            if lift:
                SCRATCH[lift] = 2.0
                logits[row] += SCRATCH[: logits.shape[1]]
        return logits

class LeavesItInAnObject(Alone):
    def apply(self, logits):
        for row, lift in self.rows.items():
            if lift:
                EVERYBODYS.tokens += [lift] * (lift not in EVERYBODYS.tokens)
                logits[row, EVERYBODYS.tokens] += 2.0
        return logits

class CachesRightly(Alone):
    cache = {}
    def token(self, lift): return self.cache.setdefault(lift, 1 + lift % 3)

class CachesRightlyAndForgets(CachesRightly):
    def apply(self, logits):
        return super().apply(logits) if len(logits) < 3 else logits
"""
SHARING = ("CountsInTheModule", "KeepsInADefault", "CountsInTheClass", "RemembersInTheModule")


@pytest.fixture
def target_named(in_empty_folder):
    (in_empty_folder / "sharing.py").write_text(FILE)
    return lambda name: load_target(f"sharing.py:{name}", args=("lift=int:1..3",))


@pytest.mark.parametrize("name", SHARING)
def test_it_is_put_back_in_place(target_named, name):
    target = target_named(name)
    processor = target.make(engine_config(4), cpu(), False)
    first, second = processor.token(1), processor.token(1)
    assert first != second
    assert target.outside.has_changed()
    target.outside.restore()
    assert not target.outside.has_changed()
    assert processor.token(1) == first


@pytest.mark.parametrize("name", SHARING)
def test_a_failure_that_comes_of_it_is_small_and_named(target_named, name):
    target = target_named(name)
    caught = fuzz(target, 0).caught[0]
    assert caught.fails_again
    assert len(caught.history.steps) <= 2
    assert kind_of(target, caught) == "shared-state"
    assert "modules and classes" in blame(caught.history, target, caught.findings[0], caught.findings)


def test_a_cache_that_is_right_is_clean(target_named):
    assert fuzz(target_named("CachesRightly"), 0).caught == []


def test_a_cache_that_is_right_is_not_named(target_named):
    target = target_named("CachesRightlyAndForgets")
    caught = fuzz(target, 0).caught[0]
    run(caught.history, target)
    assert target.outside.has_changed()
    assert kind_of(target, caught) == "row-map"


def test_what_trials_have_piled_up_hides_nothing(target_named):
    target = target_named("BansWhateverAnyoneBanned")
    target.make(engine_config(4), cpu(), False).update_state.__func__.__defaults__[0].extend((1, 2, 3))
    caught = fuzz(target, 0).caught[0]
    assert kind_of(target, caught) == "shared-state"


@pytest.mark.parametrize("name", ["LeavesItInAScratchTensor", "LeavesItInAnObject"])
def test_tensors_and_objects_of_the_module_are_put_back_too(target_named, name):
    target = target_named(name)
    processor = target.make(engine_config(4), cpu(), False)
    processor.rows = dict(enumerate((1, 2, 3)))
    processor.apply(torch.zeros(3, 32))
    assert target.outside.has_changed()
    caught = fuzz(target, 0).caught[0]
    assert not target.outside.has_changed()  # nor does a run leave anything behind
    assert kind_of(target, caught) == "shared-state"
    assert len(caught.history.steps) == 1
