"""The table of laws names the oracles that there are."""

from __future__ import annotations

import subprocess
import sys

from logitproof.lockstep import ORACLES
from logitproof.traceability import trace


def test_what_is_read_from_the_source_is_what_the_oracles_say():
    watched = {entry.law.id: {*entry.watched_by} for entry in trace(None) if entry.watched_by}
    said = {
        law: {each.code for each in ORACLES if law in each.laws} for oracle in ORACLES for law in oracle.laws
    }
    assert watched == said


def test_the_table_needs_no_torch():
    program = (
        "import sys; from logitproof.traceability import trace; trace(None); print('torch' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
