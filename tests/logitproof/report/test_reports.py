"""Files that a run leaves behind: JUnit that CI servers can read, JSON, lines of JSON, and clean errors."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from logitproof.cli import main
from logitproof.cli.exits import Exit
from logitproof.report.junit import Case, Outcome, write_junit
from logitproof.report.lines import broken

ROOT = Path(__file__).parents[3]
BAN_TOKEN = f"{ROOT}/examples/ban_token.py:BanToken"
MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"


@pytest.fixture
def fuzz(in_empty_folder):
    def run(*arguments):
        return CliRunner().invoke(main, ["fuzz", *arguments], catch_exceptions=False)

    return run


def test_every_report_of_one_run(fuzz):
    targets = (BAN_TOKEN, MIN_P)
    result = fuzz(*targets, "--seed", "1", "--max-examples", "40", "--report", "junit, json,ndjson", "--json")
    assert result.exit_code == Exit.BROKEN
    told = json.loads(result.stdout)
    assert json.loads(Path(".logitproof/report.json").read_text()) == told
    start, *each, end = [
        json.loads(line) for line in Path(".logitproof/report.ndjson").read_text().splitlines()
    ]
    assert (start, end) == ({"event": "start", "seed": 1}, {"event": "end", "exit": 1})
    assert each == [{"event": "target", **target} for target in told["targets"]]
    suite = ElementTree.parse(".logitproof/junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    assert suite.find("properties/property[@name='seed']").get("value") == "1"
    failed, passed = suite.findall("testcase")
    assert [case.get("name") for case in (failed, passed)] == [*targets]
    assert failed.find("failure").get("message").startswith("stale-slot · untouched (D2): row 0 (B)")
    assert "Row 0 (B) was treated as A would be." in failed.find("failure").text
    assert "logitproof replay .logitproof/failures/" in failed.find("failure").text
    assert passed.find("failure") is None
    assert passed.find("properties/property[@name='verdict']").get("value") == "clean"
    assert float(passed.get("time")) > 0


def test_what_tested_nothing_is_an_error_not_a_pass(fuzz):
    assert fuzz(MIN_P, "--max-examples", "1", "--report", "junit").exit_code == Exit.VACUOUS
    suite = ElementTree.parse(".logitproof/junit.xml").getroot().find("testsuite")
    assert (suite.get("failures"), suite.get("errors")) == ("0", "1")
    assert suite.find("testcase/error").get("message").startswith("vacuous: these never happened")


def test_without_asking_no_report_is_written(fuzz):
    assert fuzz(MIN_P, "--max-examples", "40", "--seed", "1").exit_code == Exit.HOLDS
    assert not Path(".logitproof").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--report", "junitt"), "some of junit, json, ndjson but got 'junitt'; did you mean 'junit'?"),
        (("--report", "html"), "but got 'html'"),
        (
            ("--report", "junit", "--report-dir", "taken/below"),
            "taken/below cannot be written (Not a directory)",
        ),
    ],
)
def test_mistakes_are_said_before_the_run(fuzz, arguments, message):
    Path("taken").write_text("a file")
    result = fuzz(MIN_P, *arguments)
    assert result.exit_code == Exit.USAGE
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_junit_survives_any_text(tmp_path):
    nasty = "".join(map(chr, range(300))) + "]]>\ud800 <&>\ufffe"
    cases = [Case("fuzz", nasty, Outcome.FAILED, 1.5, nasty, nasty, properties={"verdict": nasty})]
    write_junit(tmp_path / "deep" / "junit.xml", "logitproof", cases, {})
    (failure,) = ElementTree.parse(tmp_path / "deep" / "junit.xml").iter("failure")
    assert failure.text.endswith("]]>? <&>?")


def test_names_are_cut_where_a_reader_would_cut_them():
    name = f"{'folder/' * 12}a_file.py:AClassWithALongName"
    lines = broken(name)
    assert "".join(line.strip() for line in lines) == name
    assert max(map(len, lines)) <= 80
    assert lines[-1].endswith("AClassWithALongName")
    assert "".join(broken("x" * 200, 40, indent="")) == "x" * 200
    assert max(map(len, broken("x" * 200 + ".y", 40))) <= 40
    assert broken("") == [""]


def test_a_crash_says_where(fuzz):
    Path("raises.py").write_text(
        "from logitproof.impl.processors.min_p import MinPLogitsProcessor\n"
        "class Raises(MinPLogitsProcessor):\n"
        "    def apply(self, logits):\n"
        "        raise ValueError('no')\n"
    )
    assert "\nRaised by ValueError at raises.py:4\n" in fuzz("raises.py:Raises", "--seed", "1").stdout
