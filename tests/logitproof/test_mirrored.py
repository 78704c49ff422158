"""The second instance is told about copies that say the same, for as long as anybody may read them."""

from __future__ import annotations

from logitproof.impl.request import Request
from logitproof.lockstep.mirrored import Mirror
from logitproof.lockstep.token_lists import TokenList
from logitproof.spec import BatchUpdate, SamplingParams


def test_the_list_of_a_request_that_leaves_is_as_long_as_its_original():
    mirror, outputs = Mirror(), TokenList([1])
    request = Request("A", SamplingParams(), TokenList([7]), outputs)
    told = mirror.told(
        BatchUpdate(1, [], [(0, request.params, request.prompt_token_ids, outputs)], []), [request]
    )
    copied = told.added[0][3]
    assert copied == outputs
    assert copied is not outputs
    outputs.append(2)
    mirror.told(BatchUpdate(0, [0], [], []), [])
    assert copied == [1, 2]


def test_lists_follow_their_originals_in_steps_without_an_update():
    mirror, outputs = Mirror(), TokenList()
    request = Request("A", SamplingParams(), None, outputs)
    told = mirror.told(BatchUpdate(1, [], [(0, request.params, None, outputs)], []), [request])
    outputs += [3, 4]
    mirror.told(None, [request])
    assert told.added[0][3] == [3, 4]
