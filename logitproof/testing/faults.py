"""What a check raises. All are assertions that failed, so that every test runner reports a failure and not an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class CheckFailed(AssertionError):
    """A check that did not end clean. Its text is for people; the first line of `summary` is enough for a list."""

    def __init__(self, text: str, summary: str, seed: int | None) -> None:
        super().__init__(text)
        self.summary = summary
        self.seed = seed

    def __reduce__(self) -> tuple[Any, ...]:
        """Runners that test in several processes send failures as pickles."""
        return type(self), (str(self), *vars(self).values())


class ProcessorFault(CheckFailed):
    """A law is broken. The text is the drawn failure and how to see it again.

    oracle, law: codes of the finding, such as "solo" and "D4". file: the saved failure, or None if it was not saved.
    """

    def __init__(
        self, text: str, summary: str, seed: int | None, oracle: str, law: str, file: Path | None
    ) -> None:
        super().__init__(text, summary, seed)
        self.oracle = oracle
        self.law = law
        self.file = file


class NothingTested(CheckFailed):
    """Nothing was exercised: no logit ever changed, or a kind of operation never happened. Such a run is not clean."""


class TimeRanOut(CheckFailed):
    """`max_time` was over before all histories were played. Such a run is not clean."""


class ProcessorWarning(UserWarning):
    """Wasteful or suspicious, but no request gets another one's treatment."""
