"""What a caller gets wrong about `check_processor` is told in one line, and not from within."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from logitproof import TargetError, check_processor
from logitproof.impl.processors.min_p import MinPLogitsProcessor

pytest_plugins = ("pytester",)
OURS = Path(__file__).parents[3] / "logitproof"


class Duck:
    def update_state(self, batch_update): ...

    def apply(self, logits):
        return logits


@pytest.mark.parametrize(
    ("target", "options", "error", "message"),
    [
        (42, {}, TargetError, "Expected target to be a processor class, or text such as"),
        (Duck(), {}, TargetError, "(type=Duck); give the class itself, not an object of it"),
        (int, {}, TargetError, "is the class int, and no logits processor: expected a class with update_state"),
        ("nofile.py:X", {}, TargetError, "target file 'nofile.py' does not exist (looked in"),
        (MinPLogitsProcessor, {"dtype": "float8"}, ValueError, "Expected dtype to be one of float32"),
        (MinPLogitsProcessor, {"params": []}, TargetError, "but got [] (type=list); leave it out, and"),
        (MinPLogitsProcessor, {"params": [3]}, TargetError, "but got one that holds 3 (type=int)"),
        (MinPLogitsProcessor, {"params": "a"}, TargetError, "Expected params= as package.module:Name or path"),
        (MinPLogitsProcessor, {"params": [3], "args": ["a=int"]}, TargetError, 'params= and args=["a=int"] both say'),
        (MinPLogitsProcessor, {"args": 3}, TypeError, "Expected args to be texts such as"),
        (MinPLogitsProcessor, {"hazards": "asyn"}, ValueError, "unknown hazard 'asyn'; did you mean 'async'?"),
    ],
)  # fmt: skip
def test_it_is_one_line_from_the_call_itself(target, options, error, message):
    with pytest.raises(error) as raised:
        check_processor(target, **options)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    frames = [Path(frame.filename) for frame in traceback.extract_tb(raised.tb)]
    assert [path.name for path in frames if path.is_relative_to(OURS)] == ["check.py"]
    assert raised.value.__suppress_context__


def test_pytest_shows_the_line_of_the_test_alone(pytester):
    pytester.makepyfile("from logitproof import check_processor\ndef test_it():\n    check_processor(42)\n")
    told = pytester.runpytest_subprocess("-p", "no:cacheprovider").stdout.str()
    assert "E       logitproof.targets.errors.TargetError: Expected target" in told
    assert "check.py" not in told


def test_a_report_folder_of_another_type_is_told_before_the_run():
    with pytest.raises(TypeError, match="PathLike"):
        check_processor(MinPLogitsProcessor, report_dir=3, max_time=0.001)
