"""Every processor, and all of them together, at the edges of what is allowed: the reference's tokens and logits."""

from __future__ import annotations

import math
import sys
from functools import partial
from itertools import product
from pathlib import Path

import pytest
import torch

from logitproof.impl import ENTRIES
from logitproof.impl.pipeline import PipelineLogitsProcessor
from logitproof.lockstep.tolerance import REFERENCE, excused
from logitproof.spec import BatchUpdate
from logitproof.targets.known import from_entry, known

sys.path.append(str(Path(__file__).parent))

from extremes import HISTORIES, REQUESTS, TOGETHER, params, rows

PROCESSORS = {entry.name: (entry.processor, from_entry(entry).reference) for entry in ENTRIES}
PROCESSORS["pipeline"] = (PipelineLogitsProcessor, known(PipelineLogitsProcessor).reference)
EVERYTHING = (*(fields for several in REQUESTS.values() for fields in several), *TOGETHER)


def test_every_feature_has_extremes():
    assert set(REQUESTS) == {entry.name for entry in ENTRIES if entry.reference is None}


@pytest.mark.law("D1", "D4", "D8", "E3")
@pytest.mark.parametrize("name", PROCESSORS)
def test_the_reference_agrees(name, make_processor, dtype):
    cls, reference = PROCESSORS[name]
    logits = rows(dtype)
    cases = list(
        product(REQUESTS.get(name, ()) if name in REQUESTS else EVERYTHING, HISTORIES, range(len(logits)))
    )
    added = [
        (row, params(fields), prompt, [*outputs]) for row, (fields, (prompt, outputs), _) in enumerate(cases)
    ]
    processor = make_processor(cls)
    processor.update_state(BatchUpdate(len(added), [], added, []))
    given = logits[[kind for _, _, kind in cases]]
    returned = processor.apply(given.clone())
    changed = 0
    for (_, request, prompt, outputs), before, after in zip(added, given, returned, strict=True):
        assert_row(partial(reference, request, prompt, outputs), before, after, (request, prompt, outputs))
        changed += not torch.equal(before, after)
    assert changed > len(added) // 20


def assert_row(exact, before, after, about):
    """Within the dtype's tolerance; or the same distribution, where the exact row does not fit the dtype."""
    largest = torch.finfo(before.dtype).max
    wanted = exact(before.tolist())
    finite = [logit for logit in wanted if math.isfinite(logit)]
    if finite and max(map(abs, finite)) > largest:
        assert after.isfinite().any() or not before.isfinite().any(), about
        assert after.isnan().sum() == sum(map(math.isnan, wanted)), about
        if not any(map(math.isnan, wanted)):
            best = {token for token, logit in enumerate(wanted) if logit == max(wanted)}
            assert best <= set((after == after.max()).nonzero().flatten().tolist()), about
        return
    if not excused(exact, before.tolist(), after.tolist(), REFERENCE[before.dtype]):
        raise AssertionError(f"{about}\nbefore {before.tolist()}\nafter  {after.tolist()}\nwanted {wanted}")
