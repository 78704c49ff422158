"""The line that is shown while a target is fuzzed: on a terminal, and nowhere else."""

from __future__ import annotations

import io
import sys

import pytest

from logitproof.cli.fuzz_progress import shown_progress
from logitproof.lockstep import Report


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("stream", "is_shown"), [(Terminal, True), (io.StringIO, False)])
def test_progress_is_shown_on_a_terminal_only(min_p, monkeypatch, stream, is_shown):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", stream())
    report = Report(min_p, histories=12, steps=345)
    with shown_progress("my.module:Mine", "looking at it") as progress:
        assert ("my.module:Mine  looking at it" in sys.stderr.getvalue()) == is_shown
        assert (progress is not None) == is_shown
        if progress is not None:
            progress(report)
    written = sys.stderr.getvalue()
    assert ("my.module:Mine  12 histories, 345 steps" in written) == is_shown
    assert bool(written) == is_shown


def test_where_the_number_of_histories_is_known_it_is_said_how_long_the_rest_will_take(min_p, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", Terminal())
    with shown_progress("my.module:Mine", whole=100) as progress:
        progress(Report(min_p, histories=12, steps=345))
    assert "left: " in sys.stderr.getvalue()
