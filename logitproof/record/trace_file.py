"""The file of one recorder in one process: opened for appending, one `write` per line, never shared."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "LOGITPROOF_TRACE"
DEFAULT = "logitproof-trace.jsonl"
MOST_NAMES = 10_000


class TraceFile:
    """Appends lines; each is one `write` to a file that only this recorder of this process has.

    A process that is killed loses nothing that was written, and at most the line it was writing. A full disk or a
    missing folder is said once on standard error, and then nothing more is written.
    """

    __slots__ = ("_descriptor", "_torn", "path", "serial")

    def __init__(self, pattern: str | None = None) -> None:
        self._descriptor = -1
        self._torn = False
        self.path: Path | None = None
        self.serial = 0
        try:
            self._open(pattern or os.environ.get(VARIABLE) or DEFAULT)
        except Exception as error:
            say(f"cannot write a recording ({error}); set {VARIABLE} to a file or folder that can be written")
        else:
            say(f"recording to {self.path}")

    def __del__(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)

    def append(self, line: str) -> None:
        """Write one line, without its line break. Never raises."""
        if self._descriptor < 0:
            return
        try:
            data = (f"\n{line}\n" if self._torn else f"{line}\n").encode()
            self._torn = os.write(self._descriptor, data) < len(data)
        except Exception as error:
            os.close(self._descriptor)
            self._descriptor = -1
            say(f"recording stopped: {self.path}: {error}")

    def _open(self, pattern: str) -> None:
        """A file that did not exist before: process ids come round again, in containers at every start."""
        for serial in range(MOST_NAMES):
            path = trace_path(pattern, os.getpid(), serial)
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
                self._descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0), 0o644)
            except FileExistsError:
                continue
            self.path, self.serial = path, serial
            return
        raise OSError(f"{pattern}: {MOST_NAMES} recordings of process {os.getpid()} are there already")


def trace_path(pattern: str, process: int, serial: int) -> Path:
    """Where a recorder writes.

    >>> trace_path("runs/a.jsonl", 4711, 0).as_posix(), trace_path("runs/a-{pid}.jsonl", 4711, 1).as_posix()
    ('runs/a.4711.0.jsonl', 'runs/a-4711.1.jsonl')

    pattern: a file; its process is put before the suffix, or where it says `{pid}`. A folder gets the default name.
    """
    path = Path(pattern)
    if pattern.endswith(("/", os.sep)) or path.is_dir():
        path /= DEFAULT
    unique = f"{process}.{serial}"
    if "{pid}" in path.name:
        return path.with_name(path.name.replace("{pid}", unique))
    return path.with_name(f"{path.stem}.{unique}{path.suffix}")


def say(text: str) -> None:
    """One line on standard error, if there is one."""
    try:
        print(f"logitproof: {text}", file=sys.stderr, flush=True)
    except Exception:  # a closed standard error must not reach the engine
        return
