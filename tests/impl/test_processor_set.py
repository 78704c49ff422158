"""The partition is asked for once, and reaches every instance."""

from __future__ import annotations

import pytest

from logitproof.impl.processor_set import ProcessorSet, partition
from logitproof.impl.processors import MinPLogitsProcessor
from logitproof.spec import SamplingParams


class Recorder(MinPLogitsProcessor):
    """Answers its invariance as told and counts the questions."""

    def __init__(self, answer):
        self.answer, self.questions, self.updates = answer, 0, []

    def is_argmax_invariant(self):
        self.questions += 1
        return self.answer

    def update_state(self, batch_update):
        self.updates.append(batch_update)


@pytest.mark.law("D5", "C4")
def test_instances_are_parted_by_their_own_answer_read_once():
    yes, no = Recorder(True), Recorder(False)
    parts = partition([yes, no])
    parts.update_state(None)
    assert (parts.argmax_invariant, parts.non_argmax_invariant, parts.all) == ((yes,), (no,), (no, yes))
    assert yes.updates == no.updates == [None]
    assert yes.questions == no.questions == 1


@pytest.mark.law("D5")
def test_an_answer_that_is_no_bool_is_refused():
    with pytest.raises(TypeError, match=r"Recorder.*None.*forgotten return"):
        partition([Recorder(None)])


def test_an_empty_set_accepts_everything():
    ProcessorSet().validate_params(SamplingParams())
    ProcessorSet().update_state(None)
