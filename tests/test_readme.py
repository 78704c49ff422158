"""What README and docs show is what the commands print: their blocks are generated, and compared here.

`.venv/bin/python -P tests/test_readme.py` writes them anew.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import chdir
from dataclasses import fields
from pathlib import Path
from shutil import copy
from subprocess import run
from tempfile import TemporaryDirectory

import click.testing
import pytest

from logitproof.cli import main
from logitproof.cli.exits import Exit
from logitproof.gate.settings import PER_TARGET, SHARED, Settings
from logitproof.targets.arg_language import KINDS

README = Path(__file__).parents[1] / "README.md"


def failing_example() -> str:
    """The failure of the README's example, from its headline to the line that reproduces it."""
    command = ["fuzz", "examples/ban_token.py:BanToken", "--seed", "0", "--report-dir"]
    with TemporaryDirectory() as elsewhere, chdir(README.parent):
        result = click.testing.CliRunner().invoke(main, [*command, f"{elsewhere}/.logitproof"])
    assert result.exit_code == Exit.BROKEN, result.output
    failure = result.output[result.output.index("=====") :].replace(f"{elsewhere}/", "")
    return f"```\n{failure.rstrip()}\n```"


def exit_codes() -> str:
    """The table of exit codes."""
    rows = (f"| {int(code)} | {code.meaning} |" for code in Exit)
    return "\n".join(("| exit | meaning |", "|---|---|", *rows))


def kinds_of_arguments() -> str:
    """The table of the language of `--arg`."""
    rows = (f"| `{kind}` | {gives} |" for kind, gives in KINDS.items())
    return "\n".join(("| KIND | gives |", "|---|---|", *rows))


def added_processor() -> str:
    """The file that adds a processor, word for word; `tests/impl/test_adding_a_processor.py` runs it."""
    return f"```python\n{(README.parent / 'examples/margin.py').read_text(encoding='utf-8').rstrip()}\n```"


DOCS = README.parent / "docs"
BLOCKS: dict[str, tuple[Path, Callable[[], str]]] = {
    "example": (README, failing_example),
    "exits": (DOCS / "gate.md", exit_codes),
    "kinds": (DOCS / "fuzzing.md", kinds_of_arguments),
    "adding": (README, added_processor),
}
"""By name: the file it stands in, and what makes it."""
MOST_LINES = 270
"""Of the README: what is longer is not read."""


def block(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name}: [^>]*-->\n).*?(<!-- /{name} -->)", re.DOTALL)


@pytest.mark.parametrize("name", BLOCKS)
def test_the_docs_show_what_the_commands_print(name):
    path, render = BLOCKS[name]
    found = block(name).search(path.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == f"{found[1]}{render()}\n{found[2]}", "run: .venv/bin/python -P tests/test_readme.py"


def shown(section: str, language: str) -> str:
    """The one block of code in a section."""
    text = README.read_text(encoding="utf-8").split(f"\n## {section}\n")[1].split("\n## ")[0]
    (code,) = re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return str(code)


def test_the_test_in_the_readme_runs_and_shows_the_picture(tmp_path):
    (tmp_path / "test_it.py").write_text(shown("In your tests", "python"), encoding="utf-8")
    (tmp_path / "examples").mkdir()
    copy(README.parent / "examples" / "ban_token.py", tmp_path / "examples")
    command = [sys.executable, "-m", "pytest", "-q", "test_it.py"]
    told = run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert "was treated as" in told.stdout
    assert "check.py" not in told.stdout


def test_the_settings_in_the_readme_pass_the_gate(tmp_path):
    settings = shown("In CI", "toml")
    for wanted, quick in (
        ("check = true ", "check = false"),
        ("my_package.processors:MinWords", "logitproof.impl.processors.min_p:MinPLogitsProcessor"),
        ("max_examples = 300", "max_examples = 40"),
        ("min_steps = 5000", "min_steps = 1000"),
    ):
        assert wanted in settings
        settings = settings.replace(wanted, quick)
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    (tmp_path / "tests" / "failures").mkdir(parents=True)
    (tmp_path / "examples").mkdir()
    copy(README.parent / "examples" / "ban_token.py", tmp_path / "examples")
    result = click.testing.CliRunner().invoke(main, ["gate", "--config", str(tmp_path / "pyproject.toml")])
    assert result.exit_code == Exit.HOLDS, result.output
    assert "untouched is known until 2036-12-31" in " ".join(result.output.split())


def test_the_workflow_in_the_readme_runs_the_gate():
    steps = re.findall(r"^      - (run|uses): (\S.*)$", shown("In CI", "yaml"), re.MULTILINE)
    assert ("run", "logitproof gate") in steps
    assert not [line for line in shown("In CI", "yaml").splitlines() if "\t" in line or line != line.rstrip()]


def test_the_readme_is_short_and_its_links_lead_somewhere():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    for path in (README, README.parent / "ARCHITECTURE.md", *DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        for place, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", text):
            linked = path.parent / place if place else path
            assert linked.is_file(), (path, place)
            titles = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
            assert not anchor or anchor in anchors, (path, place, anchor)


def test_the_docs_of_the_gate_name_every_key():
    told = (DOCS / "gate.md").read_text(encoding="utf-8")
    keys = {*PER_TARGET, *SHARED, *(field.name for field in fields(Settings)), "min_steps", "coverage"}
    assert not [key for key in keys if f"`{key}`" not in told]


if __name__ == "__main__":
    for name, (path, render) in BLOCKS.items():
        text = path.read_text(encoding="utf-8")
        path.write_text(
            block(name).sub(lambda found, render=render: f"{found[1]}{render()}\n{found[2]}", text),
            encoding="utf-8",
        )
