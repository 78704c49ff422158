"""The one exception for everything a user can get wrong about a target."""

from __future__ import annotations


class TargetError(Exception):
    """A target that cannot be used. Its text is one line: what, the value, the likely cause, what to do."""


def one_line(error: BaseException) -> str:
    """`Type: first line of the message`, for an exception that the user's own code raised."""
    message = str(error).strip().splitlines()
    return f"{type(error).__name__}: {message[0]}" if message else type(error).__name__
