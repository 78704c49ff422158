"""Every feature at the edges of what is allowed, by vLLM and by us: equal, or different for a stated reason."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from logitproof.impl import ENTRIES, Request
from logitproof.spec import BatchUpdate, EngineConfig

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "impl"))

from _sampler_cases import FEATURES, Case
from _sampler_vllm import Vllm
from extremes import HISTORIES, REQUESTS, VOCAB, params, rows

PROCESSORS = {entry.name: entry.processor for entry in ENTRIES}
OPERATION = {feature: name for name, features in reversed(FEATURES.items()) for feature in features}
"""The smallest operation that has a feature."""
FLOAT32 = torch.finfo(torch.float32)


def is_refused(fields):
    """vLLM knows no temperature above 2, and its engine refuses an id that the vocabulary does not have."""
    named = [
        *fields.get("stop_token_ids", ()),
        *fields.get("logit_bias", ()),
        *fields.get("allowed_token_ids", ()),
        *(token for word in fields.get("bad_words", ()) for token in word),
    ]
    return max(named, default=0) >= VOCAB or fields.get("temperature", 0) > 2


def is_a_zero(number):
    return 0 < number < FLOAT32.smallest_normal


def loses_every_token(fields, before, ours, theirs):
    return before.isfinite().any() and not theirs.isfinite().any() and torch.equal(ours, before)


def has_no_distribution(fields, before, ours, theirs):
    return not before.max().isfinite() and torch.equal(ours.nan_to_num(9.0), before.nan_to_num(9.0))


def keeps_fewer_of_the_tied(fields, before, ours, theirs):
    lost = (ours > -math.inf) & (theirs == -math.inf)
    return "top_p" in fields and (ours[lost] == ours[ours > -math.inf].min()).all()


def is_zero_in_float32(fields, before, ours, theirs):
    return any(is_a_zero(fields.get(name, 0)) for name in ("min_p", "temperature", "repetition_penalty"))


def is_too_large_for_float32(fields, before, ours, theirs):
    stopped = ours.abs() == FLOAT32.max
    asked = (*fields.get("logit_bias", {}).values(), fields.get("repetition_penalty", 0))
    return bool(stopped.any()) or max(map(abs, asked)) > FLOAT32.max


def is_shifted(fields, before, ours, theirs):
    return "temperature" in fields and ours.max() == 0 and not theirs.max().isfinite()


REASONS: dict[Callable[..., bool], str] = {
    loses_every_token: "a ban of every token that is left is not honoured (D8); vLLM samples from an empty row",
    has_no_distribution: "a row whose highest logit is infinite or NaN has no probabilities to cut by: it stays",
    keeps_fewer_of_the_tied: "of tokens tied at the edge of a nucleus all stay; in vLLM the sort decides",
    is_zero_in_float32: "vLLM keeps the number in float32, where it is 0: a filter is off, a division gives NaN",
    is_too_large_for_float32: "a finite logit stops at the largest finite one (D8); in vLLM it becomes inf or NaN",
    is_shifted: "a row that a division would overflow is shifted first (D8); in vLLM its best tokens become inf",
}


def both(name, fields, prompt, outputs):
    logits = rows(torch.float32)
    requests = [Request(str(row), params(fields), prompt, [*outputs]) for row in range(len(logits))]
    theirs = logits.clone()
    Vllm(Case(len(logits), VOCAB, "all", OPERATION[name]), requests).play(theirs)
    processor = PROCESSORS[name](EngineConfig(), torch.device("cpu"), False)
    added = [(row, r.params, r.prompt_token_ids, r.output_token_ids) for row, r in enumerate(requests)]
    processor.update_state(BatchUpdate(len(added), [], added, []))
    return zip(logits, processor.apply(logits.clone()), theirs, strict=True)


@pytest.mark.law("D1", "D8", "E1", "E3")
def test_equal_or_different_for_a_reason():
    used, equal = Counter(), Counter()
    for name, several in REQUESTS.items():
        for fields in several:
            if is_refused(fields):
                continue
            for prompt, outputs in HISTORIES[
                1:3
            ]:  # vLLM indexes with a placeholder, and has no prompt that is None
                for before, ours, theirs in both(name, fields, prompt or [0], outputs):
                    if torch.equal(ours.nan_to_num(9.0), theirs.nan_to_num(9.0)):
                        equal[name] += 1
                        continue
                    reason = next((why for why in REASONS if why(fields, before, ours, theirs)), None)
                    assert reason, f"{fields} {outputs}\nbefore {before}\nours {ours}\ntheirs {theirs}"
                    used[reason] += 1
    assert used.keys() == REASONS.keys(), "a reason that nothing needs hides the next difference"
    assert all(equal[name] > 30 for name in REQUESTS), equal
