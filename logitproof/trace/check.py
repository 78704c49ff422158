"""Plays a recording on the reference model, line by line, and checks the laws of A to C that a recording can decide."""

from __future__ import annotations

from collections.abc import Iterator

from logitproof.spec import Dialect

from .building import broken_building
from .checked import Checked
from .explanation import explain
from .growth import Growth
from .operations import Reading, name, read_update
from .recording import Line, Recording, Update
from .violation import Violation
from .wording import ONE_WAY, Told, legal_dialects


def check(recording: Recording) -> Checked:
    """Check a whole recording; a violation does not end it as long as the slots are still known."""
    return _Checker(recording).run()


class _Checker:
    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.result = Checked(recording)
        self.slots: list[int] | None = (
            [] if None in recording.batch else [e.request for e in recording.batch if e]
        )
        self.requests = recording.first_request
        self.expected_step = recording.first_step
        self.growth = Growth()
        for entry in recording.batch:
            if entry is not None:
                list(self.growth.enter(entry, recording.first_step - 1, set()))

    def run(self) -> Checked:
        recording, result = self.recording, self.result
        strays = [
            *(
                (number, f"line {number} was written by another recorder, {by}")
                for number, by in recording.foreign
            ),
            *(
                (number, f"line {number} cannot be read ({why}): a step is lost")
                for number, why in recording.damaged
            ),
        ]
        strays.sort()
        for line in recording.lines:
            while strays and strays[0][0] < line.number:
                self._stray(*strays.pop(0))
            found = list(self._line(line))
            for law, summary in dict.fromkeys(found):
                result.violations.append(Violation(law, summary, line.step, line.number))
        for number, summary in strays:
            self._stray(number, summary)
        if recording.torn is not None:
            result.warnings.append(
                f"line {recording.torn} is unfinished: the process ended while it wrote; everything before it was kept"
            )
        return result

    def _stray(self, number: int, summary: str) -> None:
        """A line that is no step of this recorder: `update_state` is called once per step, in one process."""
        self.result.violations.append(Violation("C4", summary, self.expected_step, number))

    def _line(self, line: Line) -> Iterator[tuple[str, str]]:
        result = self.result
        result.checked["C4"] += 1
        result.seen.steps += 1
        result.seen.nones += line.update is None
        if line.step != self.expected_step:
            yield (
                "C4",
                f"step {line.step} follows step {self.expected_step - 1}: update_state is called once per step; a line "
                f"{'is missing' if line.step > self.expected_step else 'stands out of order'}",
            )
        if line.applies > 1:
            yield (
                "C4",
                f"apply was called {line.applies} times since the update_state before: once per step, with None too",
            )
        self.expected_step = line.step + 1
        if line.unreadable is not None:
            yield "C1", f"the update is not in the contract's form: {line.unreadable}"
            self._lose()
            return
        if self.slots is None and not self._found_again(line):
            result.unjudged += 1
            return
        assert self.slots is not None
        before = self.slots
        reading = Reading(list(before)) if line.update is None else read_update(before, line.update)
        broken = list(self._changes(line, before, reading))
        yield from broken
        if (
            reading.place != line.place
            or reading.has_hole
            or len(reading.slots) != _size(line.update, before)
        ):
            self._lose()
            return
        self.slots = reading.live
        self.requests = line.requests
        result.seen.count(line, before, self.slots)
        yield from self._grown(line)

    def _changes(self, line: Line, before: list[int], reading: Reading) -> Iterator[tuple[str, str]]:
        """Sections A and B, C1 and C2. A law that explains the others comes first."""
        update = line.update
        self._count(update)
        if update is None:
            if reading.place != line.place or line.requests != self.requests:
                yield "B7", "the update is None, but the batch changed: an update was due"
            return
        broken = [*self._numbered(line, update), *reading.broken, *broken_building(before, update, reading)]
        indices = sorted(entry.index for entry in update.added)
        beyond = [index for index in indices if index >= len(before)]
        if beyond == list(range(len(before), len(before) + len(beyond))) and len({*indices}) == len(indices):
            broken.sort(key=lambda law: law[0] == "A2")  # an Add missed its slot only because of the order
        agrees = reading.place == line.place
        if not agrees and not broken:
            unchanged = sum((slot + 1) * (who + 1) for slot, who in enumerate(before)) == line.place
            if unchanged and not update.added:
                broken.append(
                    ("B7", "an update was delivered though the batch did not change: it must be None")
                )
        if not agrees:
            broken.append(
                (
                    "C2",
                    f"replayed by C1 the update leaves {_drawn(reading)}, whose place is {reading.place}; the line "
                    f"says {line.place}: requests were exchanged, or a number was changed",
                )
            )
        laws = [law for law, _ in broken]
        if broken and "B7" not in laws:
            explanation = explain(before, update, reading, line.place, laws)
            if explanation is not None and not self._missing(line, update):
                yield explanation
        yield from broken
        if not broken:
            yield from self._dialect(len(before), update)

    def _missing(self, line: Line, update: Update) -> list[int]:
        told = {entry.request for entry in update.added}
        return [number for number in range(self.requests, line.requests) if number not in told]

    def _numbered(self, line: Line, update: Update) -> Iterator[tuple[str, str]]:
        for number in self._missing(line, update):
            yield "B8", f"{name(number)} was told in this step but is not among the added: it was lost"
        again = [entry.request for entry in update.added if entry.request < self.requests]
        if again:
            yield "B8", f"{name(again[0])} is added a second time"

    def _dialect(self, size: int, update: Update) -> Iterator[tuple[str, str]]:
        result = self.result
        legal = legal_dialects(size, Told.of(update))
        result.telling += len(legal) < len(Dialect)
        if result.spoken & legal:
            result.spoken &= legal
            return
        spoken, now = (
            ", ".join(sorted(dialect.value for dialect in some)) for some in (result.spoken, legal)
        )
        yield (
            "B3",
            f"`removed` is worded as {now}, but all updates before as {spoken}: an engine speaks one dialect",
        )

    def _grown(self, line: Line) -> Iterator[tuple[str, str]]:
        assert self.slots is not None
        slots, growth, checked = self.slots, self.growth, self.result.checked
        if line.update is not None:
            newcomers = {entry.request for entry in line.update.added}
            for entry in line.update.added:
                checked["C5"] += 1
                yield from growth.enter(entry, line.step, {*slots} - newcomers)
            growth.forget({*slots}, line.step)
        for slot, length, waiting in line.lengths:
            checked["C5"] += 1
            if 0 <= slot < len(slots):
                yield from growth.look(slots[slot], length, waiting, line.step)
            else:
                yield "C2", f"the recorder saw a request in slot {slot}, but the batch has {len(slots)} slots"
        if line.rows is not None and line.rows < len(slots):
            yield (
                "C2",
                f"apply got {line.rows} logits rows in the step before, fewer than there were requests",
            )

    def _count(self, update: Update | None) -> None:
        checked = self.result.checked
        checked["B7"] += 1
        if update is None:
            return
        one_way = sum(how == ONE_WAY for _, _, how in update.moved)
        amounts = {"A1": len(update.removed), "A2": len(update.added), "A3": one_way}
        amounts["A4"] = len(update.moved) - one_way
        amounts.update(dict.fromkeys(("B1", "B2", "B3", "B4", "B5", "B6", "B8", "B9", "C1", "C2"), 1))
        checked.update(amounts)

    def _lose(self) -> None:
        """The slots are no longer known; the steps that follow are not judged until they are."""
        self.slots = None

    def _found_again(self, line: Line) -> bool:
        """An empty batch, or one in which all are new, is known whatever was before."""
        if line.place == 0:
            self.slots = []
            self.requests = line.requests
            return line.update is None
        added = () if line.update is None else line.update.added
        fresh = sum((entry.index + 1) * (entry.request + 1) for entry in added)
        if added and fresh == line.place and line.update is not None and not line.update.moved:
            self.slots, self.requests = [], line.requests - len(added)
            return not line.update.removed
        return False


def _size(update: Update | None, before: list[int]) -> int:
    return len(before) if update is None else update.batch_size


def _drawn(reading: Reading) -> str:
    return f"[{','.join(name(request) for request in reading.slots)}]"
