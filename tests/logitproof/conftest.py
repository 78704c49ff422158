"""Targets and histories that several tests need."""

from __future__ import annotations

import pytest
import torch

from logitproof.lockstep import History
from logitproof.spec import Dialect, SamplingParams
from logitproof.targets import Target, load_target
from logitproof.targets.params import min_p_params

POOL = (SamplingParams(), SamplingParams(min_p=0.5))


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture
def in_empty_folder(tmp_path, monkeypatch):
    """Commands write below the folder they run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def min_p() -> Target:
    return load_target("logitproof.impl.processors.min_p:MinPLogitsProcessor")


@pytest.fixture
def target_of():
    """A target around a processor class, without reference."""

    def wrap(cls, **more) -> Target:
        return Target(cls.__name__, make=cls, params_for=min_p_params, params_from="the test", **more)

    return wrap


@pytest.fixture
def history_of():
    """A history from steps; unless told, plain params are at 0 and min-p ones at 1."""

    def build(*steps, params=POOL, dialect=Dialect.DOCUMENTED, **more):
        return History(steps=steps, params=params, prompts=((1, 2),), dialect=dialect, **more)

    return build
