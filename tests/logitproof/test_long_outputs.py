"""What breaks only with many outputs is a fault, though the arguments of the requests were guessed."""

from __future__ import annotations

from logitproof.lockstep import Verdict, fuzz
from logitproof.targets import load_target

FILE = '''
import torch
from logitproof import LogitsProcessor

class Remembers(LogitsProcessor):
    """Keeps the tokens of a request in a buffer."""
    def __init__(self, config, device, is_pin_memory): self.rows = {}
    def is_argmax_invariant(self): return False
    def update_state(self, batch_update):
        for row in batch_update.removed if batch_update else (): self.rows.pop(row, None)
        for row, params, _, outputs in batch_update.added if batch_update else ():
            cost = (params.extra_args or {}).get("repeat_cost")
            self.rows[row] = None if cost is None else (float(cost), outputs)
        for source, to, how in batch_update.moved if batch_update else ():
            here, there = self.rows.pop(source, None), self.rows.pop(to, None)
            self.rows[to] = here
            if how.name == "SWAP": self.rows[source] = there
    def apply(self, logits):
        for row, state in self.rows.items():
            for place, token in enumerate(state[1] if state else ()):
                if place == WIDTH: raise IndexError(f"index {place} is out of bounds")
                logits[row, token] -= state[0]
        return logits
'''


def report_of(folder, width):
    (folder / "remembers.py").write_text(f"WIDTH = {width}\n{FILE}")
    return fuzz(load_target("remembers.py:Remembers"), 0)


def test_a_buffer_that_is_too_small_is_a_fault(in_empty_folder):
    report = report_of(in_empty_folder, 100)
    assert report.target.is_guessed
    assert report.verdict is Verdict.FAILED
    (arrival,) = report.caught[0].history.arrivals()
    assert len(arrival.outputs) == 101
    assert len(report.caught[0].history.steps) == 1


def test_one_that_holds_whatever_comes_is_clean(in_empty_folder):
    assert report_of(in_empty_folder, 1000).verdict is Verdict.CLEAN
