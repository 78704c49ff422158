"""The command group, with commands that are imported only when they are named."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from logitproof import __version__

from .exits import Exit

CLOSED_PIPE = 128 + 13
"""What a shell reports for a program that SIGPIPE ended."""
COMMANDS = {
    "check": "Prove the laws: every obligation, the expected refutations, every mutant.",
    "diff": "Play the same histories with two processors, and show where they differ.",
    "doctor": "Show what is installed, whether it works, and what will be used.",
    "fuzz": "Fuzz logits processors in lockstep with the proven model.",
    "gate": "Run all that [tool.logitproof] in pyproject.toml asks for.",
    "laws": "Show for every law what proves it, what watches it and which tests cover it.",
    "new": "Write a pytest file that checks a target.",
    "replay": "Run saved failures again.",
    "step": "Show what one engine step does to a batch, and the update it yields.",
    "trace": "Check what a live engine did, from its recording.",
}
"""Name and one line of help; the module `logitproof.cli.NAME` holds a click command of that name."""


class WrongUsage(click.ClickException):
    """Something the user can put right: one line on standard error, exit 2."""

    exit_code = Exit.USAGE


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """Click's usage errors print a usage block first; the line that matters is enough."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        where = f" (see {error.ctx.command_path} --help)" if error.ctx is not None else ""
        raise WrongUsage(error.format_message() + where) from None


class LazyCommands(click.Group):
    """Lists the commands without importing them, so that `--help` is instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"logitproof.cli.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = get_close_matches(name, COMMANDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(sorted(COMMANDS))}"
            raise WrongUsage(f"there is no command {name!r}; {hint}")
        return super().resolve_command(ctx, args)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with _one_line_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _one_line_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(Exit.INTERRUPTED)
        except BrokenPipeError:  # the reader, such as `head`, has seen enough: end as any filter does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(CLOSED_PIPE)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: Sequence[tuple[str, list[tuple[str, str]]]] = (
            ("Commands", sorted(COMMANDS.items())),
            ("Exit codes", [(str(int(code)), code.meaning) for code in Exit]),
        )
        for title, rows in sections:
            with formatter.section(title):
                formatter.write_dl(rows)


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="logitproof")
def main() -> None:
    """Check, fuzz and gate batched logits processors against a proven model of the engine's batch."""
