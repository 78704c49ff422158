"""From a file to a `Recording`. Whatever a crash or a careless copy can do to the file is noted, not fatal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from logitproof.json_values import token_ids, whole
from logitproof.record.lines import FORMAT, VERSION

from .recording import Added, Line, Recording, Update


class NotARecording(Exception):
    """Not a recording, or one that this version cannot read. Its text is one line."""


def read(path: Path) -> Recording:
    """Read a recording. Raises NotARecording: no such file, no header, or a newer version."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise NotARecording(f"{path}: cannot be read ({error.strerror})") from None
    texts = raw.split(b"\n")
    unfinished = texts.pop()  # what follows the last line break
    header = _header(path, texts[0] if texts else unfinished)
    lines: list[Line] = []
    foreign: list[tuple[int, str]] = []
    damaged: list[tuple[int, str]] = []
    torn = None
    if texts and unfinished:
        number = len(texts) + 1
        try:
            _line(number, unfinished)
            texts.append(unfinished)  # complete but for its line break
        except (ValueError, KeyError, TypeError):
            torn = number
    for number, text in enumerate(texts[1:], start=2):
        if not text.strip():
            continue  # a recorder starts a new line after a write that was cut short
        try:
            line = _line(number, text)
        except (ValueError, KeyError, TypeError) as error:
            damaged.append((number, _why(text, error)))
            continue
        if line.by == header["by"]:
            lines.append(line)
        else:
            foreign.append((number, line.by))
    return Recording(
        str(path), header, _batch(path, header), tuple(lines), tuple(foreign), tuple(damaged), torn
    )


def _header(path: Path, text: bytes) -> Mapping[str, Any]:
    try:
        header = json.loads(text)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise NotARecording(
            f"{path}: not a recording (expected a first line with format={FORMAT!r}); logitproof.record:Recorder "
            f"writes them"
        )
    version = header.get("version")
    if version != VERSION:
        newer = isinstance(version, int) and version > VERSION
        raise NotARecording(
            f"{path}: has version {version!r}, this logitproof reads version {VERSION}; "
            f"{'upgrade logitproof' if newer else 'the first line is damaged'}"
        )
    if not isinstance(header.get("by"), str):
        raise NotARecording(
            f"{path}: its first line does not say by whom it was written; the file is damaged"
        )
    return header


def _batch(path: Path, header: Mapping[str, Any]) -> tuple[Added | None, ...]:
    try:
        return tuple(None if entry is None else _added(entry) for entry in header.get("batch", ()))
    except (ValueError, TypeError) as error:
        raise NotARecording(f"{path}: the batch in its first line is damaged ({error})") from None


def _line(number: int, text: bytes) -> Line:
    data = json.loads(text)
    if not isinstance(data, dict):
        raise TypeError("expected a JSON object")
    if "format" in data:
        return Line(number, 0, f"{data.get('by')} (its header)", None, 0, 0)
    if not isinstance(data["by"], str):
        raise TypeError("expected text in by")
    return Line(
        number=number,
        step=whole(data["step"]),
        by=data["by"],
        update=None if data["update"] is None else _update(data["update"]),
        requests=whole(data["requests"]),
        place=whole(data["place"]),
        lengths=tuple((whole(slot), whole(length), whole(w)) for slot, length, w in data.get("lengths", ())),
        applies=whole(data.get("applies", 1)),
        rows=None if data.get("rows") is None else whole(data["rows"]),
        unreadable=data.get("unreadable"),
        tokens={
            whole(request): (None if prompt is None else token_ids(prompt), token_ids(outputs))
            for request, prompt, outputs in data.get("tokens", ())
        },
        left={whole(request): token_ids(outputs) for request, outputs in data.get("left", ())},
    )


def _update(data: Mapping[str, Any]) -> Update:
    moved = []
    for source, destination, how in data["moved"]:
        if how not in ("SWAP", "UNIDIRECTIONAL"):
            raise ValueError(f"a move is neither SWAP nor UNIDIRECTIONAL but {how!r}")
        moved.append((whole(source), whole(destination), str(how)))
    return Update(
        batch_size=whole(data["batch_size"]),
        removed=tuple(whole(index) for index in data["removed"]),
        added=tuple(_added(entry) for entry in data["added"]),
        moved=tuple(moved),
    )


def _added(entry: Any) -> Added:
    index, request, features, prompt, outputs, before = entry
    if not isinstance(features, str):
        raise TypeError("expected the features of a request as text")
    return Added(
        whole(index),
        whole(request),
        features,
        None if prompt is None else whole(prompt),
        whole(outputs),
        None if before is None else whole(before),
    )


def _why(text: bytes, error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return f"not one JSON object ({len(text)} bytes)"
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return str(error)
