"""The commands: exit codes, JSON shapes, one-line errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from logitproof.cli import main
from logitproof.cli.exits import Exit
from logitproof.lockstep.history_json import from_json
from logitproof.spec import LAWS

MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"
FAULTY = f"{Path(__file__).parent.parent / 'museum' / 'min_p_moves_ignored.py'}:MinPMovesIgnored"
QUICK = ("--max-examples", "60", "--seed", "3")


@pytest.fixture
def call(in_empty_folder):
    def run(*arguments):
        return CliRunner().invoke(main, arguments, catch_exceptions=False)

    return run


def the_object(result):
    """The one JSON object on standard output, where nothing else may be."""
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


# --- step -------------------------------------------------------------------------------------------------------------

FIRST = ("step", "--batch", "A,B,C,D", "--finished", "A,C", "--new", "E", "--swap", "0:1")
SECOND = ("step", "--batch", "A,B,C,D", "--finished", "C", "--new", "E,F", "--swap", "0:1")


@pytest.mark.law("A2", "B1", "B2", "B3", "B4", "B5", "B6")
def test_step_gives_both_worked_examples(call):
    assert the_object(call(*FIRST, "--json")) == {
        "batch": ["B", "E", "D"],
        "batch_size": 3,
        "removed": [2],
        "added": [[0, "E"]],
        "moved": [[3, 2, "UNIDIRECTIONAL"], [0, 1, "SWAP"]],
    }
    assert the_object(call(*SECOND, "--json")) == {
        "batch": ["B", "A", "E", "D", "F"],
        "batch_size": 5,
        "removed": [],
        "added": [[2, "E"], [4, "F"]],
        "moved": [[0, 1, "SWAP"]],
    }


def test_step_in_other_dialects(call):
    removed = {
        name: the_object(call(*FIRST, "--dialect", name, "--json"))["removed"]
        for name in ("elided", "redundant")
    }
    assert removed == {"elided": [], "redundant": [0, 2]}


def test_step_is_drawn_as_the_contract_draws_it(call):
    assert (
        call(*FIRST).stdout
        == """\
              [A,B,C,D]
Add E@0    -> [E,B,C,D]   A is discarded
Remove 2   -> [E,B,_,D]   C is discarded
Move 3->2  -> [E,B,D]
Swap 0<->1 -> [B,E,D]

BatchUpdate(batch_size=3, removed=[2], added=[(0, 'E')], moved=[(3, 2,
            UNIDIRECTIONAL), (0, 1, SWAP)])
"""
    )


@pytest.mark.parametrize("prefix", ["R", "a-request-with-a-rather-long-name-"])
def test_step_of_a_large_batch_fits_into_80_columns(call, prefix):
    names = [f"{prefix}{number}" for number in range(200)]
    result = call("step", "--batch", ",".join(names), "--finished", ",".join(names[3:9]), "--swap", "0:99")
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "; 194 slots]" in result.stdout


@pytest.mark.law("B7")
def test_step_in_which_nothing_happens(call):
    assert "None" in call("step", "--batch", "A").stdout
    assert the_object(call("step", "--batch", "A", "--json"))["removed"] == []


# --- fuzz and replay --------------------------------------------------------------------------------------------------


def test_fuzz_of_a_clean_target(call):
    result = call("fuzz", MIN_P, *QUICK)
    assert result.exit_code == Exit.HOLDS
    assert "seed 3" in result.stdout
    assert "steps/s" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert not Path(".logitproof").exists()


def test_fuzz_json(call):
    result = call("fuzz", MIN_P, FAULTY, *QUICK, "--json")
    assert result.exit_code == Exit.BROKEN
    told = the_object(result)
    assert told["seed"] == 3
    clean, failed = told["targets"]
    assert clean["verdict"] == "clean"
    assert clean["findings"] == []
    assert {
        "target",
        "verdict",
        "histories",
        "steps",
        "steps_per_second",
        "transitions",
        "findings",
    } <= clean.keys()
    assert all(
        clean["transitions"][kind] > 0
        for kind in ("refill", "extend", "remove", "move", "swap", "none", "resume")
    )
    assert failed["verdict"] == "failed"
    (finding,) = failed["findings"]
    assert finding["history_steps"] <= 3
    assert finding["finding"]["actual"] != finding["finding"]["expected"]
    assert {request["name"] for request in finding["requests"]} >= {finding["finding"]["request"]}
    assert any("min_p" in request["params"] for request in finding["requests"])
    assert from_json(finding["history"]).steps
    assert finding["replay"] == f"logitproof replay {finding['file']}"
    assert Path(finding["test"]).is_file()


def test_a_failure_is_drawn_saved_and_replayed(call):
    result = call("fuzz", FAULTY, *QUICK)
    assert result.exit_code == Exit.BROKEN
    assert (
        max(len(line) for line in result.stdout.splitlines() if FAULTY not in line and ".json" not in line)
        <= 80
    )
    reproduce = result.stdout.split("reproduce with:\n  ")[1].splitlines()[0]
    path = reproduce.removeprefix("logitproof replay ")
    again = call(*reproduce.split()[1:])
    assert again.exit_code == Exit.BROKEN
    assert "STILL FAILS" in again.stdout
    assert "found with seed 3" in again.stdout
    by_id = the_object(call("replay", Path(path).stem, "--json"))
    assert by_id["failures"][0]["verdict"] == "failed"
    assert call("replay").exit_code == Exit.BROKEN


def test_a_mended_failure_replays_clean(call, in_empty_folder):
    source = Path(FAULTY.rpartition(":")[0]).read_text()
    Path("mine.py").write_text(source)
    path = the_object(call("fuzz", "mine.py:MinPMovesIgnored", *QUICK, "--json"))["targets"][0]["findings"][
        0
    ]["replay"]
    file = path.removeprefix("logitproof replay ")
    saved = json.loads(Path(file).read_text())
    saved["target"] = MIN_P
    Path(file).write_text(json.dumps(saved))
    result = call("replay", file)
    assert result.exit_code == Exit.HOLDS
    assert "mended" in result.stdout


def test_same_seed_same_json(call):
    def told():
        (target,) = the_object(call("fuzz", FAULTY, *QUICK, "--json"))["targets"]
        return {key: value for key, value in target.items() if key != "steps_per_second"}

    assert told() == told()


def test_a_failure_that_does_not_come_back_is_called_flaky(call):
    Path("once.py").write_text(
        "from pathlib import Path\n"
        "from logitproof.impl.processors.min_p import MinPLogitsProcessor\n"
        "class Once(MinPLogitsProcessor):\n"
        "    def apply(self, logits):\n"
        "        if len(logits) > 2 and not Path('seen').exists():\n"
        "            Path('seen').touch()\n"
        "            logits = logits + 1\n"
        "        return super().apply(logits)\n"
    )
    result = call("fuzz", "once.py:Once", *QUICK)
    assert result.exit_code == Exit.BROKEN
    assert "FLAKY FAILURE" in result.stdout
    assert "Flaky: seen once" in result.stdout
    assert "\nrank-split · " in result.stdout
    again = call("replay", "--json")
    assert again.exit_code == Exit.UNKNOWN
    assert the_object(again)["failures"][0]["verdict"] == "not seen again"
    assert "not seen again" in call("replay").stdout


def test_a_failure_that_json_cannot_hold_is_shown_and_not_saved(call):
    gallery = Path(__file__).parent.parent / "museum" / "gallery"
    target = f"{gallery / 'matcher_lives_in_the_params.py'}:MatcherLivesInTheParams"
    result = call("fuzz", target, *QUICK)
    assert result.exit_code == Exit.BROKEN
    assert "The failure was not saved: extra_args hold what JSON cannot" in result.stdout
    assert f"logitproof fuzz {target} --seed 3" in result.stdout
    assert not Path(".logitproof").exists()


def test_nothing_to_replay_is_vacuous(call):
    assert call("replay").exit_code == Exit.VACUOUS


def test_a_run_too_short_to_mean_anything_is_vacuous(call):
    result = call("fuzz", MIN_P, "--max-examples", "1")
    assert result.exit_code == Exit.VACUOUS
    assert "never happened" in result.stdout


def test_an_interrupt_still_reports(call):
    Path("stops.py").write_text(
        "from logitproof.impl.processors.min_p import MinPLogitsProcessor\n"
        "class Stops(MinPLogitsProcessor):\n"
        "    left = 300\n"
        "    def apply(self, logits):\n"
        "        Stops.left -= 1\n"
        "        if Stops.left < 0: raise KeyboardInterrupt\n"
        "        return super().apply(logits)\n"
    )
    result = call("fuzz", "stops.py:Stops", MIN_P, "--json")
    assert result.exit_code == Exit.INTERRUPTED
    (target,) = the_object(result)["targets"]
    assert target["verdict"] == "interrupted"
    assert target["steps"] > 0


# --- laws -------------------------------------------------------------------------------------------------------------


def test_laws_name_every_law_and_the_gaps(call, in_empty_folder):
    Path("tests").mkdir()
    Path("tests/test_one.py").write_text(
        "import pytest\n\npytestmark = pytest.mark.law('D7')\n\n"
        "@pytest.mark.law('E5', 'D6')\ndef test_it():\n    pass\n\n\ndef test_other():\n    pass\n"
    )
    told = the_object(call("laws", "--json"))
    by_id = {law["id"]: law for law in told["laws"]}
    assert list(by_id) == [law.id for law in LAWS]
    assert by_id["E5"]["tests"] == ["tests/test_one.py::test_it"]
    assert by_id["D7"]["tests"] == ["tests/test_one.py"]
    assert "solo" in by_id["D4"]["watched_by"]
    assert told["gaps"] == [law["id"] for law in told["laws"] if law["gap"]]
    drawn = call("laws")
    assert drawn.exit_code == Exit.HOLDS
    assert "gaps" in drawn.stdout


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fuzz", "no_such_module:Name"), "'no_such_module' was not found"),
        (("fuzz", "broken.py:Name"), "fails to import: ZeroDivisionError"),
        (("fuzz", "plain.py:Plain"), "is the class Plain, and no logits processor"),
        (("fuzz", MIN_P, "--max-examples", "-1"), "--max-examples"),
        (("fuzz", MIN_P, "--max-examples", "0"), "--max-examples"),
        (("fuzz", MIN_P, "--seed", "-1"), "--seed"),
        (("fuzz", MIN_P, "--max-time", "0"), "--max-time"),
        (("fuzz", MIN_P, "--dialect", "klingon"), "klingon"),
        (("fuzz", MIN_P, "--params", "plain.py:nothing"), "has no 'nothing'"),
        (("fuzz",), "TARGET"),
        (("replay", "nothing"), "no failure 'nothing'"),
        (("replay", "corrupt.json"), "not a JSON file"),
        (("replay", "other.json"), "not a saved failure"),
        (("replay", "newer.json"), "upgrade logitproof"),
        (("replay", "damaged.json"), "damaged"),
        (("step", "--batch", "A,A"), "distinct"),
        (("step", "--batch", "A", "--finished", "B"), "'B'"),
        (("step", "--batch", "A", "--swap", "0-1"), "--swap"),
        (("step", "--batch", "A,B", "--swap", "0:7"), "(0, 7)"),
        (("fuz",), "did you mean 'fuzz'?"),
        (("--nonsense",), "--nonsense"),
    ],
)
def test_bad_input_gets_one_line_and_exit_2(call, arguments, message):
    Path("broken.py").write_text("1 / 0\nName = 1\n")
    Path("plain.py").write_text("class Plain: pass\n")
    Path("corrupt.json").write_text("{")
    Path("other.json").write_text("{}")
    Path("newer.json").write_text('{"format": "logitproof.failure", "version": 99}')
    Path("damaged.json").write_text('{"format": "logitproof.failure", "version": 1}')
    result = call(*arguments)
    assert result.exit_code == Exit.USAGE
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_help_lists_commands_and_exit_codes(call):
    text = call("--help").stdout
    for word in ("check", "fuzz", "laws", "replay", "step", "130", "vacuous"):
        assert word in text
