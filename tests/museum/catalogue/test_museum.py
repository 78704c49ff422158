"""Every exhibit is found by the oracle that it names, its twin is clean, and what cannot be found yet is not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import torch

from logitproof.lockstep import DEFAULT_EXAMPLES, Budget, Verdict, fuzz, run
from logitproof.lockstep.hazards import parse_hazards
from logitproof.lockstep.shrink import shrink
from logitproof.report.failure import kind_of
from logitproof.targets import locate

CATALOGUE = f"{Path(__file__).parent}/exhibits.py"
EXHIBITS = locate(f"{CATALOGUE}:EXHIBITS")
INVENTED = locate(f"{CATALOGUE}:INVENTED")
GALLERY = locate(f"{CATALOGUE}:GALLERY")
NOT_SHOWN = locate(f"{CATALOGUE}:NOT_SHOWN")
PROCESSOR_ALONE = locate(f"{CATALOGUE}:PROCESSOR_ALONE")
TOY_ENGINE = locate(f"{CATALOGUE}:TOY_ENGINE")
load = locate(f"{CATALOGUE}:load")

NOT_NAMED = {
    "N1": "addresses are others in every run, and with them what can be seen again",
    "N2": "takes a history of 400 steps",
    "N5": "found as state that cannot be made anew: nothing says that it is for a skipped apply",
    "N8": "an alias is one way to lose state on a swap, and is called that",
    "N9": "only with a hazard",
    "N10": "only with a hazard",
    "N26": "a crash, and nothing says why",
}
"""Exhibits whose kind the first line cannot tell, or not by default."""

FOUND = [exhibit for exhibit in EXHIBITS if exhibit.oracles]
WARNED = [exhibit for exhibit in EXHIBITS if exhibit.warns]
WITH_TWIN = [exhibit for exhibit in EXHIBITS if exhibit.twin]

NAMED = [exhibit for exhibit in INVENTED if exhibit.oracles and exhibit.fault not in NOT_NAMED]

SEEDS = (0, 1)
MOST_STEPS = 4
"""A leak is one only when more is kept than there are slots, which takes a step more than the rest."""
QUICK = 12
"""Histories per dialect for runs that find nothing: the exhibits that are found take two on the average."""
TWICE = 2 * QUICK
"""For twins, which must also have been seen idle."""
DOCS = Path(__file__).parents[3] / "docs" / "museum.md"
SHARED = {
    "pooling_or_bad_tokens",
    "references",
    "request_kinds",
    "row_processor",
    "toy_grammar",
    "toy_thinking",
}
"""What exhibits import; nothing is wrong there."""


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    torch.set_num_threads(1)


def name_of(exhibit):
    return f"{exhibit.fault}-{exhibit.name}"


@pytest.mark.parametrize("exhibit", FOUND, ids=name_of)
def test_the_fault_is_found_by_a_general_oracle_and_its_history_is_short(exhibit):
    target = load(exhibit)
    lengths = []
    for seed in SEEDS:
        budget = Budget(QUICK if exhibit.is_afterwards else DEFAULT_EXAMPLES, shrink=False)
        report = fuzz(
            target, seed, dtype=exhibit.dtype, budget=budget, hazards=parse_hazards(exhibit.hazards)
        )
        assert report.verdict is Verdict.FAILED
        caught = report.caught[0]
        oracle = caught.findings[0].oracle
        assert oracle in exhibit.oracles

        def still_fails(history, oracle=oracle):
            faults = run(history, target, thorough=oracle == "rebuild").faults
            return bool(faults) and faults[0].oracle == oracle

        if oracle == "growth":
            continue  # it shows in a long history only, which is not shrunk
        # hypothesis would shrink first: the benchmark measures what users see.
        lengths.append(len(shrink(caught.history, still_fails).steps))
        target.put_back()
    assert max(lengths, default=0) <= MOST_STEPS


@pytest.mark.parametrize("exhibit", NAMED, ids=name_of)
def test_the_first_line_names_the_kind(exhibit):
    target = load(exhibit)
    report = fuzz(target, 2, budget=Budget(QUICK if exhibit.is_afterwards else DEFAULT_EXAMPLES))
    assert kind_of(target, report.caught[0]) == exhibit.kind


@pytest.mark.parametrize("exhibit", WARNED, ids=name_of)
def test_waste_is_found_as_a_warning(exhibit):
    for seed in SEEDS:
        report = fuzz(
            load(exhibit), seed, dtype=exhibit.dtype, budget=Budget(max_examples=QUICK, shrink=False)
        )
        assert report.verdict is Verdict.CLEAN
        assert exhibit.warns in report.warnings


@pytest.mark.parametrize("exhibit", WITH_TWIN, ids=name_of)
def test_the_twin_without_the_fault_is_clean(exhibit):
    report = fuzz(
        load(exhibit, twin=True),
        0,
        dtype=exhibit.dtype,
        budget=Budget(max_examples=TWICE, shrink=False),
        hazards=parse_hazards(exhibit.hazards),
    )
    assert report.verdict is Verdict.CLEAN, report.caught
    # Only exhibits about arguments check their arguments; the others have one fault, and not this one.
    checks_arguments = exhibit.warns == "boundary" or exhibit.is_afterwards
    assert report.warnings.keys() - ({"boundary"} if not checks_arguments else set()) == {*exhibit.twin_warns}


def test_every_fault_of_the_first_two_sorts_has_an_exhibit_or_a_reason():
    alone = {exhibit.fault for exhibit in PROCESSOR_ALONE}
    assert len(alone) == len(PROCESSOR_ALONE) == 32 + 5
    assert {f"R{number}" for number in range(1, 6)} < alone
    toys = {exhibit.fault for exhibit in TOY_ENGINE}
    assert len(toys) == len(TOY_ENGINE)
    assert sum(bool(exhibit.oracles) for exhibit in TOY_ENGINE) >= 25
    assert not toys & NOT_SHOWN.keys()
    assert len(toys) + len(NOT_SHOWN) == 43


def test_every_kind_that_has_an_exhibit_has_a_twin():
    assert {exhibit.kind for exhibit in EXHIBITS} == {exhibit.kind for exhibit in WITH_TWIN}


def test_an_exhibit_is_found_as_a_fault_or_as_a_warning():
    for exhibit in EXHIBITS:
        assert bool(exhibit.oracles) != bool(exhibit.warns), exhibit.name


def test_every_file_is_an_exhibit_a_twin_or_shared_and_names_its_fault():
    files = {path.stem for path in GALLERY.glob("*.py")} - SHARED
    shown = {
        Path(place.partition(":")[0]).stem for each in EXHIBITS for place in (each.engine or each.target,)
    }
    twins = {Path(exhibit.twin.partition(":")[0]).stem for exhibit in WITH_TWIN}
    assert files == (shown - {"min_p_counter_drifts"}) | twins
    for exhibit in EXHIBITS:
        assert exhibit.sentence, exhibit.name
    for stem in files:
        tree = ast.parse((GALLERY / f"{stem}.py").read_text(encoding="utf-8"))
        assert any(isinstance(node, ast.ClassDef) for node in tree.body), stem


def test_the_table_in_the_docs_shows_the_catalogue():
    rows = [
        line.split("|")[1:-1]
        for line in DOCS.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    ]
    documented = {row[0].strip(" `"): [cell.strip() for cell in row[1:4]] for row in rows}
    assert documented == {each.name: [each.fault, each.kind, each.sentence] for each in EXHIBITS}
