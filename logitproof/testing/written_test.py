"""The test file that `logitproof new` writes for a target: it runs as it is, and says what to edit."""

from __future__ import annotations

import json
import re
from textwrap import wrap

from logitproof.lockstep.alone import drawn_params
from logitproof.targets import Target

from .written_params import Unspeakable, written_params

MOST_DRAWN = 200
WIDTH = 100


def file_name(target: Target) -> str:
    """`test_ban_token.py`, for a class BanToken."""
    return f"test_{snake_case(target.name.rpartition(':')[2])}.py"


def snake_case(name: str) -> str:
    """`BanToken` as `ban_token`."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"\W+", "_", apart).lower()


def written_test(target: Target, params: str | None, reference: str | None) -> str:
    """The text of the file. params, reference: specs that were given, which the test then names."""
    name = target.name.rpartition(":")[2]
    arguments = ["TARGET"]
    lines = [
        f'"""{name} in lockstep with the proven model. Written by `logitproof new`; from here on it is yours."""',
        "",
    ]
    said, code = _requests(target, params)
    if code is not None and params is None:
        lines += ["from hypothesis import strategies as st", ""]
        lines += ["from logitproof import SamplingParams, check_processor"]
    else:
        lines += ["from logitproof import check_processor"]
    lines += ["", f"TARGET = {json.dumps(target.name)}", ""]
    lines += [*(f"# {line}" for line in wrap(said, WIDTH)), *([""] if code is None else [])]
    if code is not None:
        lines += [f"PARAMS = {code}", ""]
        arguments.append("params=PARAMS")
    if reference is not None:
        lines += [f"REFERENCE = {json.dumps(reference)}", ""]
        arguments.append("reference=REFERENCE")
    elif target.reference is not None:
        lines += [f"# What is right is known for this class: {target.reference_from}.", ""]
    else:
        lines += [*(f"# {line}" if line else "#" for line in WITHOUT_REFERENCE), ""]
    if lines[-1] != "":
        lines.append("")
    lines += [
        "",
        f"def test_{snake_case(name)}():",
        "    # The seed follows from the name. Others: python -m pytest --logitproof-seed random",
        f"    check_processor({', '.join(arguments)})",
        "",
    ]
    return "\n".join(lines)


WITHOUT_REFERENCE = (
    "If you can say what is right for one row, pass it as reference=, as plainly as you can:",
    "",
    "    def expected(params, prompt, outputs, row):  # row: list of floats; return the row as it should be",
    "        return row",
)


def _requests(target: Target, params: str | None) -> tuple[str, str | None]:
    """What to say about the requests, and the code of PARAMS, if there is any."""
    if params is not None:
        return "What requests look like.", json.dumps(params)
    if target.params_from.endswith(".logitproof_params"):
        return f"What requests look like is said by {target.params_from}.", None
    try:
        code = written_params(drawn_params(target, target.vocab, MOST_DRAWN))
    except Unspeakable as error:
        about = f"Requests come from: {target.params_from}. They hold objects ({error}) that cannot be written here."
        return f"{about} To choose others, pass params=, a hypothesis strategy of SamplingParams.", None
    origin = "known for this class" if target.params_from == "built in" else target.params_from
    told = (
        f"EDIT: what requests look like; {origin}. Requests that ask for nothing are mixed in by themselves. "
        f"Token ids lie in 0..{target.vocab - 1}: that is the vocabulary while fuzzing."
    )
    return told, code
