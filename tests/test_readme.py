"""What the README shows is what the commands print: its blocks are generated, and compared here.

`.venv/bin/python -P tests/test_readme.py` writes them anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import click.testing
import pytest

from logitproof.cli import main
from logitproof.cli.exits import Exit

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


def added_processor() -> str:
    """The file that adds a processor, word for word; `tests/impl/test_adding_a_processor.py` runs it."""
    return f"```python\n{(README.parent / 'examples/margin.py').read_text(encoding='utf-8').rstrip()}\n```"


BLOCKS: dict[str, Callable[[], str]] = {
    "example": failing_example,
    "exits": exit_codes,
    "adding": added_processor,
}


def block(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name}: [^>]*-->\n).*?(<!-- /{name} -->)", re.DOTALL)


@pytest.mark.parametrize("name", BLOCKS)
def test_the_readme_shows_what_the_commands_print(name):
    found = block(name).search(README.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == f"{found[1]}{BLOCKS[name]()}\n{found[2]}", (
        "run: .venv/bin/python -P tests/test_readme.py"
    )


if __name__ == "__main__":
    text = README.read_text(encoding="utf-8")
    for name, render in BLOCKS.items():
        text = block(name).sub(lambda found, render=render: f"{found[1]}{render()}\n{found[2]}", text)
    README.write_text(text, encoding="utf-8")
