"""Where failures are saved, and which of them a user means. Needs neither torch nor hypothesis."""

from __future__ import annotations

from pathlib import Path

FOLDER = "failures"


class NoSuchFailure(Exception):
    """Nothing, or more than one thing, goes by that name. Its text is one line."""


def saved(report_dir: Path) -> list[Path]:
    """All saved failures, by name."""
    return sorted((report_dir / FOLDER).glob("*.json"))


def find_saved(name: str, report_dir: Path) -> Path:
    """The failure in that file, or with that id or the beginning of it. Raises NoSuchFailure."""
    if Path(name).is_file():
        return Path(name)
    paths = saved(report_dir)
    fitting = [path for path in paths if path.stem == name] or [p for p in paths if p.stem.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    where = f"an id under {report_dir / FOLDER}"
    if fitting:
        ids = ", ".join(path.stem for path in fitting)
        raise NoSuchFailure(f"{name!r} begins more than one id under {report_dir / FOLDER}: {ids}")
    known = ", ".join(path.stem for path in paths) or "none"
    raise NoSuchFailure(f"no failure {name!r}: neither a file nor {where} (saved: {known})")
