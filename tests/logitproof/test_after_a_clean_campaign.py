"""What is tried once a campaign has ended clean: strange arguments, many requests, waste, other dtypes."""

from __future__ import annotations

import math
from copy import deepcopy

import pytest
import torch
from hypothesis import strategies as st

from logitproof.lockstep import Severity, run
from logitproof.lockstep.boundary import boundary_arguments
from logitproof.lockstep.come_and_go import come_and_go, many_requests
from logitproof.lockstep.edited_params import places, strange_values
from logitproof.lockstep.history import first_fault
from logitproof.lockstep.odd_logits import odd_logits
from logitproof.lockstep.other_dtypes import other_dtypes
from logitproof.lockstep.work_in_use import work_in_use
from logitproof.spec import LogitsProcessor, MoveDirectionality, SamplingParams
from logitproof.targets import Target, load_target

VOCAB = 32


def ban_params(vocab_size):
    banned = st.lists(st.integers(0, 7), min_size=1, max_size=3, unique=True)
    return st.builds(SamplingParams, extra_args=st.fixed_dictionaries({"banned": banned}))


class Bans(LogitsProcessor):
    """Bans the tokens in `extra_args`. Nothing refuses a token that is none."""

    def __init__(self, config, device, is_pin_memory):
        self.rows = {}

    def is_argmax_invariant(self):
        return False

    def enter(self, params):
        return (params.extra_args or {}).get("banned")

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.rows.pop(row, None)
        for row, params, _prompt, _outputs in batch_update.added:
            self.rows.pop(row, None)
            if (state := self.enter(params)) is not None:
                self.rows[row] = state
        for source, destination, how in batch_update.moved:
            left, right = self.rows.pop(source, None), self.rows.pop(destination, None)
            if left is not None:
                self.rows[destination] = left
            if right is not None and how is MoveDirectionality.SWAP:
                self.rows[source] = right

    def apply(self, logits):
        for row, tokens in self.rows.items():
            for token in tokens:
                self.ban(logits, row, token)
        return logits

    def ban(self, logits, row, token):
        logits[row, token] = -math.inf


def target_around(cls, params=ban_params):
    return Target(
        cls.__name__, make=cls, validate=cls.validate_params, params_for=params, params_from="the test"
    )


# --- strange arguments ------------------------------------------------------------------------------------------------


class ChecksTokens(Bans):
    @classmethod
    def validate_params(cls, sampling_params):
        banned = (sampling_params.extra_args or {}).get("banned", [])
        if not isinstance(banned, list) or not all(type(t) is int and 0 <= t < VOCAB for t in banned):
            raise ValueError(f"banned is {banned!r}")


class AddressesFlatMemory(Bans):
    def ban(self, logits, row, token):
        flat = logits.view(-1)
        if row * VOCAB + token < len(flat):
            flat[row * VOCAB + token] = -math.inf


class SkipsNone(Bans):
    """-1 means that there is no token."""

    def ban(self, logits, row, token):
        if token != -1:
            super().ban(logits, row, token)


@pytest.mark.law("D6")
def test_a_crash_in_extra_args_is_a_warning_that_names_value_and_exception():
    tried = boundary_arguments(target_around(Bans), is_strict=False)
    assert tried.broken is None
    warning = tried.warning()
    assert warning.severity is Severity.WARNING
    (crashes,) = (figure for figure in warning.figures if figure.what == "IndexError in apply")
    assert crashes.count == len(tried.harms["IndexError in apply"])
    assert crashes.which == "extra_args['banned'][0]=32, 33, 1000003, ..."


@pytest.mark.law("D6")
def test_it_is_a_fault_where_the_hazard_is_asked_for():
    history, faults = boundary_arguments(target_around(Bans), is_strict=True).broken
    assert faults[0].oracle == "crash"
    assert first_fault(history) is None
    assert run(history, target_around(Bans)).faults[0].oracle == "crash"


@pytest.mark.law("D6", "D4")
def test_damage_to_a_neighbour_is_a_fault_in_any_case():
    history, faults = boundary_arguments(target_around(AddressesFlatMemory), is_strict=False).broken
    assert {finding.oracle for finding in faults} & {"untouched", "solo"}
    assert run(history, target_around(AddressesFlatMemory)).faults


@pytest.mark.law("D6")
@pytest.mark.parametrize(("processor", "acts"), [(Bans, True), (SkipsNone, False)])
def test_minus_one_must_not_act_on_the_last_token(processor, acts):
    harms = boundary_arguments(target_around(processor), is_strict=False).harms
    assert ("-1 acts on the last token" in harms) is acts


@pytest.mark.law("D6")
@pytest.mark.parametrize(
    "target",
    [
        target_around(ChecksTokens),
        *(
            load_target(f"logitproof.impl.{name}")
            for name in (
                "pipeline:PipelineLogitsProcessor",
                "processors.min_tokens:MinTokensLogitsProcessor",
                "processors.logit_bias:LogitBiasLogitsProcessor",
                "processors.top_k:TopKLogitsProcessor",
            )
        ),
    ],
    ids=lambda target: target.name,
)
def test_whoever_checks_arguments_is_clean(target):
    tried = boundary_arguments(target, is_strict=True)
    assert tried.broken is None
    assert tried.warning() is None


LEARNED = """
from logitproof.impl.processors.min_p import MinPLogitsProcessor

class Bans(MinPLogitsProcessor):
    def __init__(self, config, device, is_pin_memory):
        self.rows = {}
    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.rows.pop(row, None)
        for row, params, _, _ in batch_update.added:
            self.rows[row] = (params.extra_args or {}).get("ban_token")
        for source, destination, how in batch_update.moved:
            left, right = self.rows.pop(source, None), self.rows.pop(destination, None)
            self.rows[destination] = left
            if how.name == "SWAP":
                self.rows[source] = right
    def apply(self, logits):
        for row, token in self.rows.items():
            if token is not None:
                logits[row, token] = float("-inf")
        return logits
"""


@pytest.mark.law("D6")
def test_requests_that_are_learned_are_tried_as_those_that_are_given(tmp_path):
    (tmp_path / "bans.py").write_text(LEARNED)
    spec = f"{tmp_path}/bans.py:Bans"
    learned, given = (
        boundary_arguments(load_target(spec, args=args), is_strict=False)
        for args in ((), ("ban_token=token",))
    )
    assert "IndexError in apply" in learned.harms
    assert learned.warning() == given.warning()


def test_every_place_is_found_once_and_can_be_filled():
    params = SamplingParams(min_p=0.5, logit_bias={3: 1.0}, extra_args={"a": {"b": [1, 2]}, "c": True})
    found = {(place.name, place.is_key): place for place in places(params)}
    assert {name for name, _ in found} == {
        *("min_p", "logit_bias", "logit_bias[3]"),
        *("extra_args['a']", "extra_args['a']['b']", "extra_args['a']['b'][0]", "extra_args['c']"),
    }
    assert found["extra_args['a']['b'][0]", False].holding(7).extra_args == {"a": {"b": [7, 2]}, "c": True}
    assert found["logit_bias", True].holding(9).logit_bias == {9: 1.0}
    assert found["min_p", False].holding(7.0) is None
    assert all(-1 in strange_values(old, VOCAB) for old in (3, 0))
    assert math.inf in strange_values(0.5, VOCAB)
    assert math.inf not in strange_values(0.5, VOCAB, is_json=True)


# --- many requests ----------------------------------------------------------------------------------------------------


class CountsRequests(Bans):
    def enter(self, params):
        self.lengths = [*getattr(self, "lengths", ()), 1]
        return super().enter(params)


class CachesByContent(Bans):
    def enter(self, params):
        state = super().enter(params)
        cache = self.__dict__.setdefault("cache", {})
        return state and cache.setdefault(tuple(state), state)


class StacksTensors(Bans):
    def enter(self, params):
        self.table = torch.cat([getattr(self, "table", torch.zeros(0)), torch.ones(1)])
        return super().enter(params)


@pytest.mark.law("C6")
@pytest.mark.parametrize(
    ("processor", "grows"),
    [(CountsRequests, True), (StacksTensors, True), (CachesByContent, False), (Bans, False)],
)
def test_what_grows_with_every_request_is_found(processor, grows):
    target = target_around(processor)
    history = come_and_go(target, "float32")
    assert first_fault(history) is None
    assert [finding.oracle for finding in run(history, target).faults] == ["growth"] * grows


class KeepsTheLastThousand(Bans):
    def enter(self, params):
        self.lengths = [*getattr(self, "lengths", []), len(params.bad_words)][-1000:]
        return super().enter(params)


@pytest.mark.law("C6")
@pytest.mark.parametrize(("processor", "grows"), [(CountsRequests, True), (KeepsTheLastThousand, False)])
def test_a_long_window_does_not_grow_without_end(processor, grows):
    target = target_around(processor)
    assert run(come_and_go(target, "float32"), target).faults, "it looks like growth at first"
    assert bool(many_requests(target, "float32")[1]) is grows


def test_so_many_requests_meet_every_operation():
    history = come_and_go(target_around(Bans), "float32")
    assert {1, 2, 3} <= {len(step.finished) for step in history.steps}
    for event in ("unscheduled", "resumed", "swaps", "new"):
        assert sum(bool(getattr(step, event)) for step in history.steps) > 20


# --- waste ------------------------------------------------------------------------------------------------------------


class BuildsAMask(Bans):
    def apply(self, logits):
        mask = torch.zeros(logits.shape, dtype=torch.bool)
        for row, tokens in self.rows.items():
            mask[row, tokens] = True
        return logits.masked_fill_(mask, -math.inf)


class KeepsTheMask(BuildsAMask):
    def update_state(self, batch_update):
        super().update_state(batch_update)
        if batch_update is not None:
            self.mask = torch.zeros(16, VOCAB, dtype=torch.bool)
            for row, tokens in self.rows.items():
                self.mask[row, tokens] = True

    def apply(self, logits):
        return logits.masked_fill_(self.mask[: len(logits)], -math.inf)


class IndexesByAMask(KeepsTheMask):
    def apply(self, logits):
        mask = self.mask[: len(logits)]
        logits[mask] = logits[mask] - 100
        return logits


class FillsByAMask(KeepsTheMask):
    def apply(self, logits):
        logits[self.mask[: len(logits)]] = -100.0
        return logits


class LooksAtALogit(Bans):
    def ban(self, logits, row, token):
        if logits[row, token].item() > -100:
            super().ban(logits, row, token)


@pytest.mark.parametrize(
    ("processor", "figure"),
    [
        (BuildsAMask, "tensors made again, as they were: 1 ("),
        (IndexesByAMask, "waits for the device: 2 ("),
        (LooksAtALogit, " (item)"),
        (KeepsTheMask, None),
        (FillsByAMask, None),
        (Bans, None),
    ],
)
def test_waste_in_use_is_a_warning_with_figures(processor, figure):
    warnings = work_in_use(target_around(processor))
    assert [*warnings] == (["in-use-work"] if figure else [])
    assert not figure or figure in str(warnings["in-use-work"].figures[0])


class Table:
    def __init__(self, banned):
        self.banned = banned
        self.states = [*range(200)]


def table_params(vocab_size):
    tables = st.builds(Table, st.lists(st.integers(0, 7), min_size=1, max_size=2))
    return st.builds(SamplingParams, extra_args=st.fixed_dictionaries({"table": tables}))


class CopiesTheTable(Bans):
    def enter(self, params):
        return deepcopy(params.extra_args["table"]).banned if params.extra_args else None


class CopiesToWrite(Bans):
    def enter(self, params):
        if not params.extra_args:
            return None
        own = deepcopy(params.extra_args["table"])
        own.states.append(0)
        return own.banned


@pytest.mark.parametrize(("processor", "codes"), [(CopiesTheTable, ["copied"]), (CopiesToWrite, [])])
def test_a_copy_that_never_changes_is_waste(processor, codes):
    assert [*work_in_use(target_around(processor, table_params))] == codes


# --- other dtypes -----------------------------------------------------------------------------------------------------


class AddsFloat32(Bans):
    def ban(self, logits, row, token):
        at = (torch.tensor([row]), torch.tensor([token]))
        logits.index_put_(at, torch.tensor([-1.0]), accumulate=True)


class ReturnsFloat32(Bans):
    def apply(self, logits):
        return super().apply(logits).float() if self.rows else logits


@pytest.mark.law("D1")
@pytest.mark.parametrize(("processor", "warns"), [(AddsFloat32, True), (ReturnsFloat32, True), (Bans, False)])
def test_another_dtype_is_tried(processor, warns):
    warnings = other_dtypes(target_around(processor), "float32")
    assert ("dtype" in warnings) is warns
    assert not warns or "bfloat16" in [figure.what for figure in warnings["dtype"].figures]


# --- unusual logits ---------------------------------------------------------------------------------------------------


class BansInAFlatCopy(Bans):
    """`reshape` gives a view of logits that are contiguous, and a copy of others."""

    def ban(self, logits, row, token):
        logits.reshape(-1)[row * logits.shape[1] + token] = -math.inf


class BansInAFlatView(Bans):
    def ban(self, logits, row, token):
        logits.view(-1)[row * logits.shape[1] + token] = -math.inf


class BansOneFurther(Bans):
    def ban(self, logits, row, token):
        logits[row, token] = -math.inf
        start = logits.storage_offset() + row * logits.stride(0) + logits.shape[1]
        torch.as_strided(logits, (1,), (1,), start).fill_(0.5)


class AsksForTheHighest(Bans):
    def apply(self, logits):
        return logits if logits.max() == -math.inf else super().apply(logits)


@pytest.mark.parametrize(
    ("processor", "says"),
    [
        (Bans, None),
        (BansInAFlatView, None),
        (BansInAFlatCopy, "rows come back otherwise"),
        (BansOneFurther, "columns beyond the vocabulary are written to"),
        (AsksForTheHighest, "logits without rows make it raise RuntimeError"),
    ],
)
def test_unusual_logits_are_tried(processor, says):
    warnings = odd_logits(target_around(processor), "float32")
    assert ("odd-logits" in warnings) is (says is not None)
    assert says is None or warnings["odd-logits"].summary.startswith(says)
