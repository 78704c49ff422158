"""Recordings damaged by hand, in every line where a damage fits: the right law, in the right step, and exit 1."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from logitproof.trace import read
from logitproof.trace.operations import read_update

sys.path.append(str(Path(__file__).parent))
from damage import DAMAGES, damaged  # what lies beside the tests is found only now

AMBIGUOUS = {
    (
        "two_new_requests_swapped",
        "C1",
    ): "two requests exchanged may also be an index shifted by one: both are told",
    ("two_residents_swapped", "B7"): "a swap that undoes the step's only swap leaves the batch as it was",
}
"""Damages that another damage explains as well, with the reason; few of all cases."""
SOURCES = ("vllm", "documented", "elided", "redundant")


def slots_before(lines, tmp_path):
    """The requests before each line but the header."""
    path = tmp_path / "whole.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    found = [[]]
    for line in read(path).lines:
        found.append(found[-1] if line.update is None else read_update(found[-1], line.update).live)
    return found


@pytest.mark.law(
    "A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "C1", "C2", "C4", "C5"
)
@pytest.mark.parametrize("source", SOURCES)
def test_a_whole_recording_is_clean(recorded, checked, source):
    result = checked(recorded[source])
    assert result.violations == []
    assert [dialect.value for dialect in result.spoken] == ["elided" if source == "vllm" else source]
    assert result.telling > 5
    assert result.unjudged == 0


@pytest.mark.law("A1", "A3", "A4", "B1", "B7", "B8", "B9", "C1", "C2")
@pytest.mark.parametrize("source", SOURCES)
def test_each_damage_names_its_law_and_step(recorded, checked, tmp_path, source):
    lines = recorded[source]
    slots = slots_before(lines, tmp_path)
    met = set()
    for damage, laws in DAMAGES.items():
        cases = list(damaged(lines, slots, damage))
        odd = 0
        for number, recording in cases[:40]:
            first = checked(recording).violations[0]
            assert (first.line, first.step) == (number + 1, lines[number]["step"]), (damage.__name__, first)
            if first.law not in laws:
                assert (damage.__name__, first.law) in AMBIGUOUS, (damage.__name__, first, recording[number])
                odd += 1
            met.add(damage)
        assert odd <= len(cases) // 4, damage.__name__
    if source == "documented":
        assert met == {*DAMAGES}, "a damage that fits nowhere proves nothing"
    assert len(met) > 9


@pytest.mark.law("C4")
def test_a_torn_end_is_a_warning(recorded, checked):
    *lines, last = recorded["vllm"]
    text = str(last).replace("'", '"')
    result = checked([*lines, text[: len(text) // 2]], end="")
    assert result.violations == []
    assert len(result.warnings) == 1
    assert f"line {len(lines) + 1} is unfinished" in result.warnings[0]
    assert result.seen.steps == len(lines) - 1


@pytest.mark.law("C4")
def test_a_line_torn_in_the_middle_is_a_lost_step(recorded, checked):
    lines = list(recorded["vllm"])
    lines[10] = '{"step": 10, "by": "'
    first = checked(lines).violations[0]
    assert (first.law, first.line, first.step) == ("C4", 11, 10)


@pytest.mark.law("C4")
def test_a_missing_line_is_named(recorded, checked):
    lines = recorded["vllm"]
    first = checked([*lines[:10], *lines[11:]]).violations[0]
    assert (first.law, first.line, first.step) == ("C4", 11, 11)


@pytest.mark.law("C4")
@pytest.mark.parametrize("own_header", [True, False])
def test_lines_of_two_processes_are_told_apart(recorded, checked, own_header):
    ours, others = recorded["vllm"], recorded["documented"]
    mixed = [ours[0]]
    others = others if own_header else others[1:]
    for one, other in zip(ours[1:], others, strict=False):
        mixed += [one, other]
    result = checked(mixed)
    first = result.violations[0]
    assert (first.law, first.line) == ("C4", 3)
    assert first.step == 2, "it stands where the second step was due"
    assert result.broken == {"C4": min(len(ours) - 1, len(others))}, "our own lines are judged all the same"
    assert result.unjudged == 0


@pytest.mark.law("B3")
def test_an_engine_speaks_one_dialect(recorded, checked):
    lines = recorded["elided"]
    place = next(
        number
        for number, line in enumerate(lines)
        if number > 40 and line.get("update") and any(how != "SWAP" for *_, how in line["update"]["moved"])
    )
    update = lines[place]["update"]
    holes = [to for _, to, how in update["moved"] if how != "SWAP"]
    documented = {**lines[place], "update": {**update, "removed": sorted({*update["removed"], *holes})}}
    first = checked([*lines[:place], documented, *lines[place + 1 :]]).violations[0]
    assert (first.law, first.line) == ("B3", place + 1)
    assert "documented" in first.summary


@pytest.mark.law("C5")
def test_a_list_that_is_a_copy_is_found(recorded, checked):
    """A request of 3 tokens may go 4 steps without a token, not 30."""
    header = recorded["elided"][0]
    added = {"batch_size": 1, "removed": [], "added": [[0, 0, "plain", 3, 0, None]], "moved": []}
    lines = [{"step": 1, "by": header["by"], "update": added, "requests": 1, "place": 1}]
    lines += [
        {"step": step, "by": header["by"], "update": None, "requests": 1, "place": 1, "lengths": [[0, 0, 0]]}
        for step in range(2, 31)
    ]
    result = checked([header, *lines])
    assert [(violation.law, violation.step) for violation in result.violations] == [("C5", 6)]


@pytest.mark.law("C4")
def test_a_step_without_update_state_is_found(recorded, checked):
    lines = [dict(line) for line in recorded["vllm"]]
    lines[7]["applies"] = 2
    first = checked(lines).violations[0]
    assert (first.law, first.step) == ("C4", 7)
