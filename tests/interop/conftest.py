"""What the tests of a released vLLM share: one comparison of a step with the model, and how bytes become steps.

Where vLLM is missing the files here are not imported; tests/conftest.py reports them as skipped, with the reason.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import pytest

from logitproof import model
from logitproof.spec import Dialect


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    """Choose hypothesis' seed here, so that it can be printed on success too."""
    if config.getoption("hypothesis_seed", None) is None:
        config.option.hypothesis_seed = str(secrets.randbelow(2**32))


def pytest_report_header(config):
    return (
        f"interop: random histories are repeated by --hypothesis-seed={config.getoption('hypothesis_seed')}"
    )


@pytest.fixture(scope="session")
def assert_same_step():
    """Compare one step of vLLM's batch with the model's: slots, update, and the update replayed by C1."""

    def compare(engine, before, finished, new, swaps, update):
        expected = model.step(before, finished, new, swaps, dialect=Dialect.ELIDED)
        assert engine.requests == expected.batch
        assert_same_update(update, expected.update)
        assert model.replay(before, named(update, new)) == expected.batch

    return compare


def assert_same_update(update, expected):
    """`added` and `moved` exactly, `removed` as a set; params and token lists are the requests' own objects."""
    if expected is None:
        assert update is None
        return
    assert update.batch_size == expected.batch_size
    assert sorted(update.removed) == expected.removed
    assert update.moved == expected.moved
    assert [index for index, *_ in update.added] == [index for index, _ in expected.added]
    for (_, params, prompt, outputs), (_, request) in zip(update.added, expected.added, strict=True):
        assert params is request.params
        assert prompt is request.prompt_token_ids
        assert outputs is request.output_token_ids


def named(update, new):
    """The update with requests in place of what it carries of them, found by their live output lists."""
    if update is None:
        return None
    by_list = {id(request.output_token_ids): request for request in new}
    added = [(index, by_list[id(outputs)]) for index, _, _, outputs in update.added]
    return model.Update(update.batch_size, list(update.removed), added, list(update.moved))


@dataclass(frozen=True, slots=True)
class Decision:
    """A step in slot numbers: who leaves for good or for a while, how many come, who of the waiting returns, swaps."""

    finished: list[int]
    unscheduled: list[int]
    new: int
    resumed: list[int]
    swaps: list[tuple[int, int]]


class Script:
    """Bytes read as decisions. Zeros mean that nothing happens, so that hypothesis shrinks towards idle steps."""

    SIZES = (200, 600)
    """Fewest and most bytes, 400 on average: about forty steps. A smaller minimum would make hypothesis draw few."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.position = 0

    @property
    def spent(self) -> bool:
        return self.position >= len(self.content)

    def byte(self) -> int:
        self.position += 1
        return self.content[self.position - 1] if self.position <= len(self.content) else 0

    def step(self, size: int, waiting: int, slots: int) -> Decision:
        """The next decision for a batch of `size`, with `waiting` requests outside that may return."""
        fate = [self.byte() for _ in range(size)]
        finished = [slot for slot, byte in enumerate(fate) if byte >= 220]
        unscheduled = [slot for slot, byte in enumerate(fate) if 190 <= byte < 220]
        room = slots - size + len(finished) + len(unscheduled)
        new = min((0, 0, 0, 1, 1, 2, 3)[self.byte() % 7], room)
        resumed = [place for place in range(waiting) if self.byte() >= 128][: room - new]
        after = size - len(finished) - len(unscheduled) + new + len(resumed)
        swaps = []
        for _ in range(max(0, self.byte() - 160) // 32 if after > 1 else 0):
            source = self.byte() % after
            swaps.append((source, (source + 1 + self.byte() % (after - 1)) % after))
        return Decision(finished, unscheduled, new, resumed, swaps)


@pytest.fixture(scope="session")
def read_script():
    """`bytes -> Script`."""
    return Script
