"""The command line: `logitproof COMMAND`. One file per command; none is imported before it is called."""

from .main import main

__all__ = ["main"]
