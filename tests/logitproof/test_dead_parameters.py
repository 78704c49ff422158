"""A parameter without effect is named; one that has an effect in any drawn request is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st

from logitproof.lockstep import Budget, Severity, Verdict, fuzz
from logitproof.lockstep.again import run_again
from logitproof.lockstep.alone import drawn_params
from logitproof.lockstep.dead_parameters import dead_parameters
from logitproof.lockstep.unread_params import unread_params
from logitproof.spec import LogitsProcessor, SamplingParams
from logitproof.targets import load_target


def params(vocab_size):
    arguments = {"bias": st.sampled_from((0.5, 1.5)), "after": st.integers(0, 4), "token": st.integers(0, 7)}
    unread = st.sampled_from((0.5, 1.0))
    return st.builds(SamplingParams, frequency_penalty=unread, extra_args=st.fixed_dictionaries(arguments))


class Biases(LogitsProcessor):
    """Adds `bias` to `token` once a request has `after` outputs; the frequency penalty that is drawn it never reads."""

    def __init__(self, config, device, is_pin_memory):
        self.rows = {}

    def is_argmax_invariant(self):
        return False

    def arguments(self, params):
        return dict(params.extra_args) if params.extra_args else None

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.rows.pop(row, None)
        for row, params, _prompt, outputs in batch_update.added:
            self.rows[row] = (self.arguments(params), outputs)
        for source, destination, how in batch_update.moved:
            left, right = self.rows.pop(source, None), self.rows.pop(destination, None)
            if left is not None:
                self.rows[destination] = left
            if right is not None and how.name == "SWAP":
                self.rows[source] = right

    def apply(self, logits):
        for row, (arguments, outputs) in self.rows.items():
            if arguments and len(outputs) >= arguments["after"]:
                logits[row, arguments["token"]] += arguments["bias"]
        return logits


class IgnoresTheBias(Biases):
    def arguments(self, params):
        return super().arguments(params) and {**params.extra_args, "bias": 1.0}


class ReadsBiasAndAfterCrosswise(Biases):
    """Each has an effect, so only a reference can tell."""

    def arguments(self, params):
        mine = super().arguments(params)
        return mine and {**mine, "bias": float(mine["after"]), "after": mine["bias"]}


class DoesNothing(Biases):
    def arguments(self, params):
        return None


class Crashes(Biases):
    def apply(self, logits):
        raise RuntimeError


@pytest.mark.law("D6")
def test_a_parameter_that_is_replaced_by_a_constant_is_named(target_of):
    (finding,) = dead_parameters(replace(target_of(IgnoresTheBias), params_for=params)).values()
    assert finding.severity is Severity.WARNING
    assert [figure.what for figure in finding.figures] == ["extra_args['bias']"]
    assert "--params" in finding.summary


@pytest.mark.law("D6")
@pytest.mark.parametrize("processor", [Biases, ReadsBiasAndAfterCrosswise, DoesNothing, Crashes])
def test_what_has_an_effect_or_is_not_read_or_was_not_exercised_is_not_named(target_of, processor):
    assert not dead_parameters(replace(target_of(processor), params_for=params))


@pytest.mark.law("D6")
def test_a_clean_campaign_ends_with_the_warning(target_of):
    report = fuzz(replace(target_of(IgnoresTheBias), params_for=params), 0, budget=Budget(max_examples=20))
    assert report.verdict is Verdict.CLEAN
    assert "dead-parameter" in report.warnings


class DropsEveryAdd(Biases):
    """Every row gets a bias, and nobody's own one is looked up."""

    def update_state(self, batch_update):
        pass

    def apply(self, logits):
        logits[:, 3] += 1.0
        return logits


class LooksAndForgets(DropsEveryAdd):
    def update_state(self, batch_update):
        for _row, params, _prompt, _outputs in batch_update.added if batch_update else ():
            self.find(params.extra_args or {})

    def find(self, extra_args):
        return extra_args.get("bias")


class SearchesAndForgets(LooksAndForgets):
    def find(self, extra_args):
        try:
            return [value for name, value in extra_args.items() if name == "bias"]
        except Exception:
            return None


class KnowsPlainOnesApart(DropsEveryAdd):
    """An argument's name makes no difference, but having one does."""

    def __init__(self, config, device, is_pin_memory):
        self.counts = []

    def update_state(self, batch_update):
        for _row, params, _prompt, _outputs in batch_update.added if batch_update else ():
            self.counts.append(len(params.extra_args or ()))

    def apply(self, logits):
        logits[:, 3] += self.counts[-1]
        return logits


class NamesNone(LogitsProcessor):
    """It never said that it would read any."""

    def __init__(self, config, device, is_pin_memory):
        pass

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        pass

    def apply(self, logits):
        logits[:, 3] += 1.0
        return logits


@pytest.mark.law("D6")
def test_arguments_that_nobody_looks_up_fail_the_run_and_its_replay(target_of):
    target = replace(target_of(DropsEveryAdd), params_for=params)
    report = fuzz(target, 0, budget=Budget(max_examples=20))
    assert report.verdict is Verdict.FAILED
    (caught,) = report.caught
    (finding,) = caught.findings
    assert (finding.oracle, finding.severity) == ("dead-parameter", Severity.FAULT)
    assert all(name in finding.summary for name in ("bias", "after", "token"))
    assert run_again(caught.history, target, finding.oracle).faults == (finding,)
    assert run_again(caught.history, target_of(LooksAndForgets), finding.oracle).faults == ()


@pytest.mark.law("D6")
@pytest.mark.parametrize("processor", [LooksAndForgets, SearchesAndForgets, KnowsPlainOnesApart, NamesNone])
def test_one_look_or_one_other_row_is_enough_to_say_nothing(target_of, processor):
    target = target_of(processor)
    assert unread_params(target, drawn_params(replace(target, params_for=params), 32, 4), "float32") is None


@pytest.mark.parametrize("name", ["min_p:MinP", "logit_bias:LogitBias", "min_tokens:MinTokens"])
def test_our_own_processors_have_none(name):
    assert not dead_parameters(load_target(f"logitproof.impl.processors.{name}LogitsProcessor"))
