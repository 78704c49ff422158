"""`logitproof new`: the file runs as it is, says what was learned as code, and overwrites nothing unasked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from logitproof import SamplingParams
from logitproof.cli import main
from logitproof.cli.exits import Exit
from logitproof.testing.written_params import Unspeakable, code_of, written_params
from logitproof.testing.written_test import snake_case

ROOT = Path(__file__).parents[3]
PROCESSORS = "logitproof.impl.processors"
CLEAN = [
    f"{PROCESSORS}.min_p:MinPLogitsProcessor",
    f"{PROCESSORS}.logit_bias:LogitBiasLogitsProcessor",
    f"{PROCESSORS}.min_tokens:MinTokensLogitsProcessor",
    f"{PROCESSORS}.bad_words:BadWordsLogitsProcessor",
    "logitproof.impl.pipeline:PipelineLogitsProcessor",
]


@pytest.fixture
def call(in_empty_folder):
    def run(*arguments):
        return CliRunner().invoke(main, ["new", *arguments], catch_exceptions=False)

    return run


def pytest_on(*arguments):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_written_files_run_as_they_are(call):
    for target in CLEAN:
        assert call(target).exit_code == Exit.HOLDS
    files = sorted(Path.cwd().glob("test_*.py"))
    assert len(files) == len(CLEAN)
    for file in files:
        assert "EDIT: what requests look like; known for this class" in file.read_text()
        assert "What is right is known for this class" in file.read_text()
    told = pytest_on("--logitproof-max-examples", 40, "-W", "error", *files)
    assert told.returncode == 0, told.stdout
    assert f"{len(CLEAN)} passed" in told.stdout


def test_a_faulty_file_target_is_written_and_its_test_fails_with_the_picture(call):
    source = (ROOT / "examples" / "ban_token.py").read_text()
    Path("mine.py").write_text(source)
    assert call("mine.py:BanToken", "--output", "test_it.py").stdout == (
        "test_it.py written. Run it from here:\n  python -m pytest test_it.py\n"
    )
    text = Path("test_it.py").read_text()
    assert "said by BanToken.logitproof_params" in text
    assert "reference=" in text
    told = pytest_on("test_it.py")
    assert told.returncode == 1
    assert "was treated as" in told.stdout


def test_what_was_learned_is_spelled_out(call):
    Path("mine.py").write_text(
        f"from {PROCESSORS}.min_p import MinPLogitsProcessor\n"
        "class Mine(MinPLogitsProcessor):\n"
        "    def update_state(self, update):\n"
        "        self.seen = [params.min_p for _, params, _, _ in update.added] if update else []\n"
        "        super().update_state(update)\n"
    )
    text = call("mine.py:Mine", "--output", "-").stdout
    assert "EDIT: what requests look like; fields that its source reads: " in text
    assert "PARAMS = st.builds(SamplingParams, min_p=st.sampled_from([0.02, 0.1, 0.5, 0.9, 1.0]))" in text
    assert "    check_processor(TARGET, params=PARAMS)\n" in text
    assert not list(Path.cwd().glob("test_*"))


def test_specs_that_are_given_are_named(call):
    Path("mine.py").write_text(
        "from logitproof import SamplingParams\n"
        "requests = [SamplingParams(min_p=0.5)]\n"
        "def expected(params, prompt, outputs, row): return row\n"
    )
    given = ("--params", "mine.py:requests", "--reference", "mine.py:expected")
    text = call(CLEAN[0], *given, "--output", "-").stdout
    assert 'PARAMS = "mine.py:requests"' in text
    assert "check_processor(TARGET, params=PARAMS, reference=REFERENCE)" in text
    compile(text, "test_it.py", "exec")


def test_objects_that_cannot_be_written_are_said(call):
    gallery = ROOT / "tests" / "museum" / "gallery"
    text = call(f"{gallery}/matcher_lives_in_the_params.py:MatcherLivesInTheParams", "--output", "-").stdout
    assert "logitproof_params" in text or "cannot be written here" in text
    compile(text, "test_it.py", "exec")


def test_nothing_is_overwritten_unasked(call):
    assert json.loads(call(CLEAN[0], "--json").stdout) == {
        "file": "test_min_p_logits_processor.py",
        "target": CLEAN[0],
    }
    again = call(CLEAN[0])
    assert again.exit_code == Exit.USAGE
    assert again.stderr == (
        "Error: test_min_p_logits_processor.py exists; --force overwrites it, --output FILE writes another\n"
    )
    assert call(CLEAN[0], "--force").exit_code == Exit.HOLDS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no_such:Name",), "was not found"),
        ((CLEAN[0], "--output", "missing/test_it.py"), "cannot be written (No such file or directory)"),
        ((CLEAN[0], "--params", "no.py:x"), "does not exist"),
        ((), "TARGET"),
    ],
)
def test_bad_input_gets_one_line(call, arguments, message):
    result = call(*arguments)
    assert result.exit_code == Exit.USAGE
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


# --- code out of values -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([3, 3], "st.just(3)"),
        ([3, 1], "st.sampled_from([1, 3])"),
        (range(9), "st.integers(0, 8)"),
        ([True, False], "st.booleans()"),
        ([None, 0.5], "st.none() | st.just(0.5)"),
        ([None], "st.none()"),
        (["b", "a"], "st.sampled_from(['a', 'b'])"),
        ([1, "a"], "st.sampled_from([1, 'a'])"),
        ([[1], [2, 3]], "st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=2, unique=True)"),
        ([[1, 1]], "st.lists(st.just(1), min_size=2, max_size=2)"),
        ([[]], "st.just([])"),
        ([((1, 2),)], "st.lists(st.lists(st.sampled_from([1, 2]), min_size=2, max_size=2, unique=True), "
                      "min_size=1, max_size=1)"),
        ([{"a": 1}, {"a": 2, "b": None}], 'st.fixed_dictionaries({"a": st.sampled_from([1, 2])}, '
                                          'optional={"b": st.none()})'),
        ([{1: 0.5}], "st.dictionaries(st.just(1), st.just(0.5), min_size=1, max_size=1)"),
        ([{}], "st.just({})"),
    ],
)  # fmt: skip
def test_values_become_code(values, code):
    assert code_of(values) == code


def test_what_has_no_form_in_source_is_named():
    with pytest.raises(Unspeakable, match="object"):
        code_of([object()])


ANY_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(ANY_VALUES, min_size=1, max_size=4))
def test_any_plain_values_give_code_that_runs_or_are_refused(values):
    try:
        code = code_of(values)
    except Unspeakable:
        return
    eval(code, {"st": st}).validate()


def test_features_stay_apart_and_fields_of_one_stay_together():
    drawn = [
        SamplingParams(min_p=0.5),
        SamplingParams(top_k=3),
        SamplingParams(top_p=0.5),
        SamplingParams(top_k=2, top_p=0.9),
    ]
    strategy = eval(written_params(drawn), {"st": st, "SamplingParams": SamplingParams})
    assert written_params(drawn).count("st.builds") == 2
    strategy.validate()


def test_names_are_told_as_python_does():
    assert [snake_case(name) for name in ("BanToken", "MinPLogits", "HTTPBan", "Outer.Inner")] == [
        "ban_token", "min_p_logits", "http_ban", "outer_inner",
    ]  # fmt: skip


@pytest.mark.parametrize("nested", [False, True])
def test_long_requests_are_broken_where_optional_keys_begin(nested):
    values = [{"a_rather_long_name": number % 9, "another_long_name": number / 4} for number in range(9)]
    values += [{"a_rather_long_name": 1}]
    drawn = [SamplingParams(extra_args={"inner": each} if nested else each) for each in values]
    code = written_params(drawn)
    assert "\n        optional={" in code
    assert max(map(len, code.splitlines())) <= 110
    compile(code, "written", "eval")
