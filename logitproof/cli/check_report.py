"""A proof run as text: what is proved, what is refuted and how, what kills which mutant, and one last line."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from textwrap import indent, shorten, wrap

import click

from logitproof.proofs import Report, Result, Verdict
from logitproof.proofs.features import draw_commutation, draw_order
from logitproof.proofs.result import EVERY_SIZE, EVERY_VOCABULARY
from logitproof.proofs.teeth import Kills
from logitproof.proofs.witnesses import OTHER_ORDERS, cell
from logitproof.report.lines import rule
from logitproof.spec import Dialect


def write_report(report: Report) -> None:
    """Print the whole run to standard output; what matters most comes last, where a terminal stops."""
    theorems = [result for result in report.results if result.expected is Verdict.PROVED]
    refuted = [result for result in report.results if result.expected is Verdict.REFUTED]
    consumers = [result for result in refuted if "_is_harmless_in_the_" in result.name]
    click.echo(rule("MUTANTS"))
    click.echo("every one-place change of the text under proof, and the first theorem that refutes it")
    _write_mutants(report.kills)
    click.echo(rule("MUST BE REFUTED"))
    click.echo("claims that are wrong, each with the smallest case that shows it\n")
    _write_wrong_claims(result for result in refuted if result not in consumers)
    _write_refutations(consumers)
    click.echo(rule("THEOREMS"))
    for scope, group in groupby(theorems, key=lambda result: result.scope):
        click.echo(f"\n{SCOPES.get(scope, f'for {scope}')}")
        for result in group:
            _write_theorem(result)
    verdicts = {result.name: result.verdict for result in report.results}
    click.echo("\n" + rule("ORDER OF THE SAMPLER (E1)"))
    click.echo(f"{draw_commutation(verdicts)}\n\n{draw_order()}")
    click.echo("\n" + rule("READING ORDERS (C3)"))
    _write_orders(verdicts)
    _write_attention(report)
    click.echo("\n" + rule("SUMMARY"))
    click.echo(_summary(report, theorems, refuted))


SCOPES = {
    EVERY_SIZE: "for every batch size, every number of requests and every sequence of swaps",
    EVERY_VOCABULARY: "for one row of every vocabulary size, over the reals",
}


def _write_theorem(result: Result) -> None:
    laws = ",".join(result.laws)
    click.echo(f"{result.verdict.value:8} {laws if len(laws) < 12 else f'{laws[:8]}...':11} {result.name}")


def _write_refutations(refuted: Iterable[Result]) -> None:
    def claim(result: Result) -> tuple[str, str, str]:
        stem = result.name.partition("_is_harmless_in_the_")[0]
        drawn, _, reading = result.picture.partition("\nengine")
        step = "\n".join(line for line in drawn.splitlines() if " Update(" not in line)
        return f"{result.verdict.value:8} {','.join(result.laws):6} {stem}", step, "engine" + reading

    for (title, step, reading), group in groupby(refuted, key=claim):
        dialects = ", ".join(result.name.rsplit("_", 2)[-2] for result in group)
        click.echo(f"{title} (in the {dialects} dialect{'s' if ',' in dialects else ''})")
        click.echo(indent(f"{step}\n{reading}", "    ") + "\n")


def _write_wrong_claims(refuted: Iterable[Result]) -> None:
    for result in refuted:
        click.echo(f"{result.verdict.value:8} {','.join(result.laws):6} {result.name}  ({result.scope})")
        click.echo(indent(result.picture, "    ") + "\n")


def _write_orders(verdicts: dict[str, Verdict]) -> None:
    click.echo(f"{'order':32}" + "".join(f"{dialect.value:>12}" for dialect in Dialect))
    click.echo(
        f"{'removed, added, moved (C1)':32}" + "".join(f"{_replayed(verdicts, d):>12}" for d in Dialect)
    )
    for name, order in OTHER_ORDERS.items():
        cells = [verdicts[cell(name, dialect)].value for dialect in Dialect]
        click.echo(
            f"{', '.join(phase.value for phase in order):32}" + "".join(f"{found:>12}" for found in cells)
        )
    click.echo("\nA processor may rely on C1 only: an engine may change its dialect.")


def _replayed(verdicts: dict[str, Verdict], dialect: Dialect) -> str:
    return verdicts[f"replay_equals_the_engine_in_the_{dialect.value}_dialect"].value


def _write_mutants(kills: Iterable[Kills]) -> None:
    for function, group in groupby(kills, key=lambda kill: kill.mutant.rule):
        click.echo(f"\n{function}")
        for kill in group:
            change = shorten(kill.mutant.name.partition(": ")[2], 78, placeholder=" ...")
            click.echo(f"  {change}\n      {_fate(kill)}: {_killer(kill)}")
    click.echo()


def _killer(kill: Kills) -> str:
    if kill.equivalent or not kill.killed_by:
        return _reason(kill)
    first, *others = kill.killed_by
    return f"{first}{f' (+{len(others)})' if others else ''}"


def _fate(kill: Kills) -> str:
    if kill.survives:
        return "SURVIVES"
    if kill.wrongly_excused:
        return "EXCUSED?"
    return "equivalent" if kill.equivalent else "killed"


def _reason(kill: Kills) -> str:
    if kill.equivalent and kill.killed_by:
        return f"listed as equivalent ({kill.equivalent}) but refuted by {', '.join(kill.killed_by)}"
    if kill.equivalent:
        return kill.equivalent
    return ", ".join(kill.killed_by) or "no obligation refutes it"


def _write_attention(report: Report) -> None:
    unexpected = [result for result in report.results if not result.as_expected]
    if unexpected:
        click.echo(rule("NOT AS EXPECTED"))
    for result in unexpected:
        click.echo(
            f"\n{result.name}: {result.verdict.value}, expected {result.expected.value}. {result.reason}".rstrip()
        )
        click.echo(indent("\n".join(wrap(result.sentence, 76)), "  "))
        if result.picture:
            click.echo(indent(result.picture, "    "))
    for kill in report.kills:
        if kill.survives or kill.wrongly_excused:
            click.echo(f"\nmutant {kill.mutant.name}: {_reason(kill)}")
    for name in report.stale_excuses:
        click.echo(
            f"\nno mutant is called {name!r}: its entry in logitproof.proofs.mutation.EQUIVALENT is stale"
        )
    if unexpected and not report.kills:
        click.echo("\nThe mutants were not tried: they say nothing while a theorem is open.")


def _summary(report: Report, theorems: list[Result], refuted: list[Result]) -> str:
    proved = sum(result.as_expected for result in theorems)
    wrong = sum(result.as_expected for result in refuted)
    killed = sum(bool(kill.killed_by) for kill in report.kills)
    excused = sum(kill.equivalent is not None for kill in report.kills)
    return "\n".join(
        [
            f"{proved} of {len(theorems)} theorems proved",
            f"{wrong} of {len(refuted)} wrong claims refuted, each replayed on the running model",
            f"{killed} of {len(report.kills)} mutants killed, {excused} break no law"
            if report.kills
            else "mutants not tried",
            f"{report.seconds:.1f} s",
        ]
    )
