"""The page about oracles has a section for each, and its tables are those of the code.

`.venv/bin/python -P tests/logitproof/test_oracle_docs.py` writes them anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from logitproof.lockstep import ORACLES
from logitproof.lockstep.fault_kind import BY_ORACLE, KINDS
from logitproof.lockstep.hazards import DEFAULT_HAZARDS, Hazard

PAGE = Path(__file__).parents[2] / "docs" / "oracles.md"


def oracles() -> str:
    rows = (
        f"| [`{each.code}`](#{each.code}) | {', '.join(each.laws)} | {each.sentence} |" for each in ORACLES
    )
    return "\n".join(("| oracle | laws | it speaks when |", "|---|---|---|", *rows))


def hazards() -> str:
    rows = (
        f"| `{hazard.value}` | {'on' if hazard in DEFAULT_HAZARDS else 'off'} | {hazard.sentence} |"
        for hazard in Hazard
    )
    return "\n".join(("| hazard | by default | what happens |", "|---|---|---|", *rows))


def kinds() -> str:
    return "\n".join(
        ("| kind | meaning |", "|---|---|", *(f"| `{kind}` | {KINDS[kind]} |" for kind in KINDS))
    )


BLOCKS: dict[str, Callable[[], str]] = {"oracles": oracles, "hazards": hazards, "kinds": kinds}


def block(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name}: [^>]*-->\n).*?(<!-- /{name} -->)", re.DOTALL)


@pytest.mark.parametrize("name", BLOCKS)
def test_the_tables_are_those_of_the_code(name):
    found = block(name).search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == f"{found[1]}{BLOCKS[name]()}\n{found[2]}", (
        "run: .venv/bin/python -P tests/logitproof/test_oracle_docs.py"
    )


def test_every_oracle_has_a_section_that_says_why_and_how_to_mend_it():
    text = PAGE.read_text(encoding="utf-8")
    sections = {part.split("`")[1]: part for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:]}
    assert sections.keys() == {each.code for each in ORACLES}
    for code, section in sections.items():
        assert "**Why.**" in section, code
        assert "**Mend.**" in section, code
        assert "```" in section or "**Example.**" in section, code


def test_codes_are_unique_and_kinds_are_named_by_oracles_that_exist():
    codes = [each.code for each in ORACLES]
    assert len({*codes}) == len(codes)
    assert BY_ORACLE.keys() < {*codes}
    assert {*BY_ORACLE.values()} < KINDS.keys()


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    for name, render in BLOCKS.items():
        page = block(name).sub(lambda found, render=render: f"{found[1]}{render()}\n{found[2]}", page)
    PAGE.write_text(page, encoding="utf-8")
