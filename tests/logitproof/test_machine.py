"""The state machine: our three processors survive it, and a faulty one does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from logitproof.lockstep import lockstep_machine
from logitproof.spec import Dialect
from logitproof.targets import load_target

MUSEUM = Path(__file__).parent.parent / "museum"
QUICK = settings(
    max_examples=10,
    stateful_step_count=30,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.law("C1", "C2", "C4", "D2", "D4")
@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize(
    "name",
    [
        "min_p:MinPLogitsProcessor",
        "logit_bias:LogitBiasLogitsProcessor",
        "min_tokens:MinTokensLogitsProcessor",
    ],
)
def test_our_processors_survive(name, dialect):
    run_state_machine_as_test(
        lockstep_machine(load_target(f"logitproof.impl.processors.{name}"), dialect), settings=QUICK
    )


def test_a_faulty_one_does_not_and_the_picture_is_in_the_message():
    machine = lockstep_machine(load_target(f"{MUSEUM / 'min_p_moves_ignored.py'}:MinPMovesIgnored"))
    with pytest.raises(AssertionError) as caught:
        run_state_machine_as_test(
            machine, settings=settings(QUICK, max_examples=200, phases=[Phase.generate])
        )
    assert "where it differs" in str(caught.value)


@pytest.mark.law("C6")
def test_what_only_the_end_of_a_history_shows_fails_too():
    file = "gallery/per_request_objects_never_released.py"
    machine = lockstep_machine(load_target(f"{MUSEUM / file}:PerRequestObjectsNeverReleased"))
    with pytest.raises(AssertionError, match=r"kept \(C6\): self.object_of still leads to"):
        run_state_machine_as_test(machine, settings=settings(QUICK, max_examples=50, phases=[Phase.generate]))
