"""Failures on disk: the history, the finding and the target, one JSON file each under `failures/`."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from logitproof.targets import Target, load_target

from .finding import Finding
from .history import History
from .history_json import CorruptHistory, from_json, to_json
from .saved import FOLDER

FORMAT = "logitproof.failure"
VERSION = 1
LONGEST_ROW = 4096
"""Longer ones would make files of megabytes."""
ROWS = ("given", "expected", "actual")
OPTIONS = ("params", "reference", "consumer", "observe", "second")
"""What was given on the command line and is one text."""

_LIST_OF_PLAIN_VALUES = re.compile(r"\[\n[^\[\]{}]*\]")
"""Put on one line each, so that a person can read the file. Text in JSON holds no line break, so none is changed."""


class Unwritable(Exception):
    """A failure whose params hold what JSON cannot. Its text is one line."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A saved failure. `params`, `reference`, `args`, `consumer` and `observe` were given on the command line, if any.

    second: the other processor, where the failure is that two differ.
    fails_again: False if the history was clean when it was played once more, before it was saved.
    """

    id: str
    target: str
    params: str | None
    reference: str | None
    oracle: str
    law: str
    summary: str
    seed: int | None
    history: History
    fails_again: bool = True
    args: tuple[str, ...] = ()
    consumer: str | None = None
    observe: str | None = None
    second: str | None = None


def save(
    report_dir: Path,
    target: Target,
    finding: Finding,
    history: History,
    seed: int | None,
    fails_again: bool = True,
    second: str | None = None,
) -> Path:
    """Write a failure; the id depends on target and history, so that the same failure is one file.

    second: the target with which it was compared, if it was.

    Raises Unwritable: the params hold objects that JSON has no form for.
    """
    played = to_json(history)
    seen_by = [option for option in (target.consumer_spec, target.observe_spec, second) if option is not None]
    try:
        identity = json.dumps([target.name, finding.oracle, played, *seen_by], sort_keys=True)
    except (TypeError, ValueError) as error:
        raise Unwritable(f"extra_args hold what JSON cannot: {str(error).splitlines()[0]}") from error
    name = blake2b(identity.encode(), digest_size=5).hexdigest()
    path = report_dir / FOLDER / f"{name}.json"
    content = {
        "format": FORMAT,
        "version": VERSION,
        "id": name,
        "target": target.name,
        "params": target.params_spec,
        "reference": target.reference_spec,
        "args": list(target.args_spec),
        "consumer": target.consumer_spec,
        "observe": target.observe_spec,
        "second": second,
        "seed": seed,
        "fails_again": fails_again,
        "finding": finding_to_json(finding),
        "history": played,
    }
    text = _LIST_OF_PLAIN_VALUES.sub(
        lambda match: " ".join(match.group().split()), json.dumps(content, indent=1)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def reload(saved: Failure, target: str | type | None = None) -> Target:
    """The target as it was when the failure was saved. target: where it is now, if not there any more.

    Raises TargetError, in one line.
    """
    return load_target(
        saved.target if target is None else target,
        saved.params,
        saved.reference,
        args=saved.args,
        vocab=saved.history.vocab,
        consumer=saved.consumer,
        observe=saved.observe,
        learns=False,
    )


def load(path: Path) -> Failure:
    """Read a failure. Raises CorruptHistory, in one line, if it cannot be read."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CorruptHistory(f"{path}: cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise CorruptHistory(f"{path}: not a JSON file ({str(error).splitlines()[0]})") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise CorruptHistory(f"{path}: not a saved failure (expected format={FORMAT!r})")
    if data.get("version") != VERSION:
        raise CorruptHistory(
            f"{path}: has version {data.get('version')!r}, this logitproof reads version {VERSION}; "
            f"upgrade logitproof, or record the failure again"
        )
    try:
        finding = data["finding"]
        texts = [data["id"], data["target"], finding["oracle"], finding["law"], finding["summary"]]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("expected text in id, target and finding")
        if not all(isinstance(data.get(spec), str | None) for spec in OPTIONS):
            raise TypeError(f"expected text or null in {', '.join(OPTIONS)}")
        args = data.get("args", [])
        if not isinstance(args, list) or not all(isinstance(text, str) for text in args):
            raise TypeError("expected a list of texts in args")
        if not isinstance(data.get("seed"), int | None):
            raise TypeError("expected an integer or null in seed")
        return Failure(
            id=data["id"],
            target=data["target"],
            params=data.get("params"),
            reference=data.get("reference"),
            oracle=finding["oracle"],
            law=finding["law"],
            summary=finding["summary"],
            seed=data.get("seed"),
            history=from_json(data["history"]),
            fails_again=data.get("fails_again") is not False,
            args=tuple(args),
            consumer=data.get("consumer"),
            observe=data.get("observe"),
            second=data.get("second"),
        )
    except CorruptHistory as error:
        raise CorruptHistory(f"{path}: {error}") from error
    except (KeyError, TypeError) as error:
        raise CorruptHistory(f"{path}: damaged: {type(error).__name__}: {error}") from error


def finding_to_json(finding: Finding) -> dict[str, Any]:
    """Plain JSON values: infinities and NaN as text, since JSON has none.

    Rows of a real model's vocabulary are left out: the history gives them again.
    """
    written = asdict(replace(finding, given=None, expected=None, actual=None))  # not every logit by itself
    written["severity"] = finding.severity.value
    for name in ROWS:
        row = getattr(finding, name)
        if row is not None and len(row) <= LONGEST_ROW:
            written[name] = [logit if abs(logit) < float("inf") else str(logit) for logit in row]
    return written
