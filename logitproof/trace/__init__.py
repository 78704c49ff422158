"""Recordings of a live engine: read, checked against the laws of sections A to C, and turned into histories."""

from .check import check
from .checked import Checked
from .read import NotARecording, read
from .recording import Added, Line, Recording, Update
from .violation import Violation

__all__ = ["Added", "Checked", "Line", "NotARecording", "Recording", "Update", "Violation", "check", "read"]
