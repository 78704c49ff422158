"""`logitproof gate`: the summary, the baseline, the thresholds, and the exit code of the worst part."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from logitproof import proofs
from logitproof.cli import main
from logitproof.cli.exits import Exit, worst
from logitproof.gate.fuzzing import missed_thresholds
from logitproof.gate.known import Baseline, Known
from logitproof.gate.settings import read_settings
from logitproof.lockstep.hazards import Hazard
from logitproof.lockstep.transitions import KINDS, Transitions
from logitproof.proofs import Verdict
from logitproof.report.advice import as_settings

ROOT = Path(__file__).parents[3]
MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"
QUICK = "max_examples = 40\n"
BAN_TOKEN = 'targets = ["ban_token.py:BanToken"]\n'
KNOWN = """
[[tool.logitproof.known]]
target = "ban_token.py:BanToken"
oracle = "untouched"
reason = "waits for 2.4"
expires = 2999-01-31
"""
FAULTY_MOVE = """
            elif source in self.banned:
                self.banned[destination] = self.banned.pop(source)
"""
MENDED_MOVE = """
            else:
                self.banned.pop(destination, None)
                if source in self.banned:
                    self.banned[destination] = self.banned.pop(source)
"""


@pytest.fixture
def gate(in_empty_folder):
    Path("ban_token.py").write_text((ROOT / "examples" / "ban_token.py").read_text())

    def run(settings, *arguments):
        Path("pyproject.toml").write_text(f"[tool.logitproof]\n{settings}")
        return CliRunner().invoke(main, ["gate", *arguments], catch_exceptions=False)

    return run


@pytest.fixture
def proved(monkeypatch):
    """Replaces the proofs, which take half a minute, by a report that is made up."""

    def replace(verdict=Verdict.PROVED, *, sound=True):
        result = SimpleNamespace(
            name="condense_leaves_no_hole", verdict=verdict, as_expected=verdict is Verdict.PROVED
        )
        kills = SimpleNamespace(mutant=SimpleNamespace(name="refill: cursor + 2"), survives=not sound)
        report = SimpleNamespace(results=[result], kills=[kills], sound=sound)
        monkeypatch.setattr(proofs, "check", lambda: report)

    replace()
    return replace


def one_space(result):
    return " ".join(result.stdout.split())


def test_all_is_well(gate, proved):
    result = gate(f'check = true\nseed = 3\n{QUICK}targets = ["{MIN_P}"]\n')
    assert result.exit_code == Exit.HOLDS, result.output
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "check the laws of the batch: 1 obligations, 1 holds" in one_space(result)
    assert result.stdout.endswith("\nwritten: .logitproof/junit.xml\n\n1 holds, 1 clean; seed 3; exit 0\n")
    suite = ElementTree.parse(".logitproof/junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "0", "0")


def test_a_fault_is_drawn_saved_replayed_and_reported(gate):
    result = gate(QUICK + BAN_TOKEN)
    assert result.exit_code == Exit.BROKEN
    picture, summary = result.stdout.split(" GATE ")
    assert "= FAILURE =" in picture
    assert "was treated as A would be" in picture
    assert "fuzz ban_token.py:BanToken FAILED" in " ".join(summary.split())
    assert summary.rstrip().endswith("1 FAILED; seed 0; exit 1")
    (failure,) = ElementTree.parse(".logitproof/junit.xml").iter("failure")
    assert failure.get("message").startswith("FAILED: stale-slot · untouched (D2): row")
    assert "reproduce with:" in failure.text
    again = gate(QUICK + BAN_TOKEN, "--json")
    told = json.loads(again.stdout)
    # What was saved by an earlier run must stay mended, and is not.
    assert [(part["kind"], part["verdict"]) for part in told["parts"]] == [
        ("fuzz", "FAILED"),
        ("replay", "FAILED"),
    ]
    assert told["parts"][0]["finding"]["oracle"] == "untouched"


def test_a_saved_failure_must_stay_mended(gate):
    gate(QUICK + BAN_TOKEN)
    Path(".logitproof/failures").rename("kept")
    settings = f'replays = "kept"\n{QUICK}targets = ["{MIN_P}"]\n'
    assert gate(settings).exit_code == Exit.BROKEN
    source = Path("ban_token.py").read_text()
    mended = source.replace(FAULTY_MOVE, MENDED_MOVE)
    assert mended != source
    Path("ban_token.py").write_text("raise ImportError('gone')")
    # The module was imported already; a new process would see the change, so name another file.
    for path in Path("kept").glob("*.json"):
        path.write_text(path.read_text().replace("ban_token.py", "mended.py"))
    Path("mended.py").write_text(mended)
    result = gate(settings)
    assert "mended" in result.stdout
    assert result.exit_code == Exit.HOLDS, result.stdout
    Path("mended.py").unlink()
    for path in Path("kept").glob("*.json"):
        path.write_text(path.read_text().replace("mended.py", "vanished.py"))
    result = gate(settings)
    assert result.exit_code == Exit.USAGE
    assert "'vanished.py' does not exist" in one_space(result)


# --- known findings ---------------------------------------------------------------------------------------------------


def test_a_known_finding_passes_and_is_told(gate):
    result = gate(QUICK + BAN_TOKEN + KNOWN)
    assert result.exit_code == Exit.HOLDS, result.stdout
    assert "untouched is known until 2999-01-31, met" in one_space(result)
    assert "waits for 2.4" in result.stdout
    assert not Path(".logitproof/failures").exists()


def test_an_expired_one_does_not(gate):
    result = gate(QUICK + BAN_TOKEN + KNOWN.replace("2999", "2001"))
    assert result.exit_code == Exit.BROKEN
    assert "It was known until 2001-01-31: waits for 2.4" in one_space(result)


def test_one_of_another_law_or_oracle_does_not(gate):
    assert gate(QUICK + BAN_TOKEN + KNOWN + 'law = "D5"\n').exit_code == Exit.BROKEN
    assert gate(QUICK + BAN_TOKEN + KNOWN.replace("untouched", "crash")).exit_code == Exit.BROKEN
    assert gate(QUICK + BAN_TOKEN + KNOWN + 'law = "D2"\n').exit_code == Exit.HOLDS


@pytest.mark.parametrize("year", ["2999", "2001"])
def test_one_that_is_not_needed_misses_the_gate(gate, year):
    known = KNOWN.replace("ban_token.py:BanToken", MIN_P).replace("2999", year)
    result = gate(f'{QUICK}targets = ["{MIN_P}"]\n{known}')
    assert result.exit_code == Exit.GATE
    assert (
        f"untouched was not met in {MIN_P}. Take it out of known; its reason was: waits for 2.4"
        in one_space(result)
    )


def test_a_known_finding_of_a_saved_failure_passes_too(gate):
    gate(QUICK + BAN_TOKEN)
    replays = 'replays = ".logitproof/failures"\n'
    result = gate(replays + QUICK + BAN_TOKEN + KNOWN, "--json")
    assert result.exit_code == Exit.HOLDS
    assert [part["verdict"] for part in json.loads(result.stdout)["parts"]] == ["clean", "known"]


def test_the_last_day_counts():
    known = Known("t", "solo", None, "why", date(2027, 1, 31))
    assert Baseline([known], date(2027, 1, 31)).lets_pass("t", "solo", "D4")
    assert not Baseline([known], date(2027, 2, 1)).lets_pass("t", "solo", "D4")
    assert Baseline([known], date(2027, 2, 1)).expired("t", "solo", "D4") is known


# --- thresholds and worse ---------------------------------------------------------------------------------------------


def test_thresholds_that_are_missed_are_exit_5(gate):
    result = gate(f'{QUICK}min_steps = 10000000\ntargets = ["{MIN_P}"]\n')
    assert result.exit_code == Exit.GATE
    assert "min_steps = 10000000: raise max_examples" in one_space(result)


def test_kinds_of_operation_that_never_happened_miss_the_coverage(gate):
    gate('coverage = 0.95\ntargets = ["a:B"]\n')
    (wanted,) = read_settings(Path("pyproject.toml")).targets
    report = SimpleNamespace(steps=9, transitions=Transitions(), hazards=frozenset(Hazard))
    report.transitions.counts.update(dict.fromkeys(KINDS[2:], 1))
    (said,) = missed_thresholds(report, wanted)
    assert said == "92% of the kinds of operation, and coverage = 0.95: there was never refill, extend"
    report.transitions.counts["refill"] = 1
    assert not [*missed_thresholds(report, wanted)]


def test_nothing_asked_for_is_vacuous(gate):
    result = gate("")
    assert result.exit_code == Exit.VACUOUS
    assert "nothing was asked for; seed 0; exit 4" in result.stdout


@pytest.mark.parametrize(
    ("verdict", "sound", "code", "said"),
    [
        (Verdict.REFUTED, False, Exit.BROKEN, "not as expected: condense_leaves_no_hole"),
        (Verdict.UNKNOWN, False, Exit.UNKNOWN, "not as expected: condense_leaves_no_hole"),
        (Verdict.PROVED, False, Exit.VACUOUS, "mutants that no theorem kills: refill: cursor + 2"),
    ],
)
def test_proofs_that_do_not_hold(gate, proved, verdict, sound, code, said):
    proved(verdict, sound=sound)
    result = gate("check = true\n")
    assert result.exit_code == code
    assert said in one_space(result)
    assert "details: logitproof check" in one_space(result)


def test_rules_that_cannot_be_read_do_not_keep_targets_from_being_fuzzed(gate, monkeypatch):
    def broken():
        raise SyntaxError("somebody is editing")

    monkeypatch.setattr(proofs, "check", broken)
    result = gate(f'check = true\n{QUICK}targets = ["{MIN_P}"]\n', "--json")
    assert result.exit_code == Exit.BROKEN
    check, fuzzed = json.loads(result.stdout)["parts"]
    assert check["notes"] == ["cannot be checked: SyntaxError: somebody is editing"]
    assert fuzzed["verdict"] == "clean"


def test_a_target_that_is_missing_does_not_keep_others_from_being_fuzzed(gate):
    result = gate(f'{QUICK}targets = ["gone.py:Gone", "{MIN_P}"]\n', "--json")
    assert result.exit_code == Exit.USAGE
    assert [part["verdict"] for part in json.loads(result.stdout)["parts"]] == ["not run", "clean"]


def test_an_interrupt_still_tells_what_was_done(gate):
    Path("stops.py").write_text(
        "from logitproof.impl.processors.min_p import MinPLogitsProcessor\n"
        "class Stops(MinPLogitsProcessor):\n"
        "    left = 300\n"
        "    def apply(self, logits):\n"
        "        Stops.left -= 1\n"
        "        if Stops.left < 0: raise KeyboardInterrupt\n"
        "        return super().apply(logits)\n"
    )
    result = gate(f'{QUICK}targets = ["stops.py:Stops", "{MIN_P}"]\n')
    assert result.exit_code == Exit.INTERRUPTED
    assert "1 interrupted; seed 0; exit 130" in result.stdout
    assert Path(".logitproof/junit.xml").is_file()


def test_paths_are_taken_from_the_settings_folder(gate, monkeypatch):
    folder = Path.cwd()
    Path("elsewhere").mkdir()
    gate(QUICK + BAN_TOKEN + KNOWN)
    monkeypatch.chdir("elsewhere")
    result = CliRunner().invoke(
        main, ["gate", "--config", str(folder / "pyproject.toml")], catch_exceptions=False
    )
    assert result.exit_code == Exit.HOLDS
    assert "written: ../.logitproof/junit.xml" in result.stdout


def test_the_worst_decides():
    assert worst([Exit.HOLDS, Exit.GATE, Exit.VACUOUS]) is Exit.VACUOUS
    assert worst([Exit.USAGE, Exit.BROKEN]) is Exit.BROKEN
    assert worst([]) is Exit.VACUOUS


# --- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("chek = true\n", "[tool.logitproof] has no 'chek'; did you mean 'check'?"),
        ("max-examples = 3\n", "[tool.logitproof] has no 'max-examples'; did you mean 'max_examples'?"),
        ("check = 1\n", "Expected check in [tool.logitproof] to be true or false but got check=1 (type=int)"),
        ("seed = -1\n", "to be an integer >= 0 but got seed=-1"),
        ("max_examples = 0\n", "[tool.logitproof]: Expected max_examples to be an integer >= 1"),
        ('dtype = "float8"\n', "Expected dtype to be one of float32"),
        ('dialects = ["klingon"]\n', "Expected dialects to be some of documented, elided, redundant"),
        ("coverage = 2\n", "Expected coverage in [tool.logitproof] to be a number in [0, 1] but got coverage=2"),
        ('targets = "my.module:Mine"\n', "Expected targets in [tool.logitproof] to be a list"),
        ("targets = [3]\n", "Expected targets[0] to be a table but got 3"),
        ("targets = [{}]\n", "targets[0] lacks 'target'"),
        ('targets = [{targt = "a:B"}]\n', "lacks 'target'; it has 'targt', did you mean 'target'?"),
        ('targets = [{target = "a:B", min_step = 3}]\n', "targets[0] has no 'min_step'; did you mean 'min_steps'?"),
        ('targets = [{target = "a:B", max_time = 0}]\n', "targets[0]: Expected max_time to be a number of seconds > 0"),
        ('targets = [{target = "a:B", param = "x"}]\n', "targets[0] has no 'param'; did you mean 'params'?"),
        ('targets = [{target = "a:B", params = 3}]\n', "Expected params in targets[0] to be package.module:Name"),
        ('replays = "nowhere"\n', "replays = 'nowhere' is no folder in"),
        (BAN_TOKEN + KNOWN.replace("BanToken", "BanTokn"), "'ban_token.py:BanTokn' is none of the targets; did you"),
        (BAN_TOKEN + KNOWN.replace("untouched", "untuched"), "there is no oracle 'untuched'; did you mean 'untou"),
        (BAN_TOKEN + KNOWN + 'law = "D99"\n', "there is no law 'D99'"),
        (BAN_TOKEN + KNOWN.replace("2999-01-31", '"2999-01-31"'), "a date such as 2027-01-31, without quotes"),
        (BAN_TOKEN + KNOWN.replace("expires = 2999-01-31", ""), "known[0] lacks 'expires', a date such as 2027-01-31"),
        (BAN_TOKEN + KNOWN.replace('reason = "waits for 2.4"', ""), "known[0] lacks 'reason'"),
        ("[[[\n", "pyproject.toml is no TOML file"),
    ],
)  # fmt: skip
def test_settings_that_are_wrong_are_told_in_one_line(gate, settings, message):
    result = gate(settings)
    assert result.exit_code == Exit.USAGE
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_without_settings_the_least_is_shown(gate):
    Path("other.toml").write_text("[project]\n")
    told = gate("", "--config", "other.toml")
    assert told.exit_code == Exit.USAGE
    assert (
        'has no [tool.logitproof]; the least is: [tool.logitproof] targets = ["my.module:MyProcessor"]'
        in told.stderr
    )
    assert (
        "missing.toml cannot be read (No such file or directory)"
        in gate("", "--config", "missing.toml").stderr
    )


def test_a_target_may_say_otherwise_than_all(gate):
    own = '{target = "c:D", max_examples = 9, dialects = ["elided"], min_steps = 5, coverage = 0.5}'
    gate(f'dtype = "all"\nmin_steps = 70\nmax_examples = 7\ntargets = ["a:B", {own}]\n')
    one, other = read_settings(Path("pyproject.toml")).targets
    assert (one.options.dtype, one.options.max_examples, len(one.options.dialects)) == ("all", 7, 2)
    assert (other.options.dtype, other.options.max_examples, len(other.options.dialects)) == ("all", 9, 1)
    assert [(each.min_steps, each.coverage) for each in (one, other)] == [(70, 0.0), (5, 0.5)]


def test_advice_names_what_stands_in_the_settings(gate):
    told = one_space(gate(f'max_examples = 1\ntargets = ["{MIN_P}"]\n'))
    assert "these never happened" in told
    assert "raise max_examples" in told
    assert "--" not in told
    assert as_settings("raise --max-time, see --dtype all or --arg a=int:1..2") == (
        'raise max_time, see dtype = "all" or args = ["a=int:1..2"]'
    )


def test_this_repository_passes_its_own_gate(proved, in_empty_folder):
    arguments = ["gate", "--config", str(ROOT / "pyproject.toml"), "--report-dir", str(in_empty_folder)]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == Exit.HOLDS, result.stdout
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["logitproof"]["targets"]
    assert result.stdout.count("fuzz  ") == len(listed)
    assert list(in_empty_folder.iterdir()) == [in_empty_folder / "junit.xml"]
