"""Cells that have grown change the same logits as the same cells made at once."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from logitproof.impl import Staging
from logitproof.impl.accelerator_cells import AcceleratorCells
from logitproof.impl.host_cells import HostCells
from logitproof.impl.processors import FrequencyPenaltyLogitsProcessor
from logitproof.spec import BatchUpdate, EngineConfig, SamplingParams

WAYS = {
    "host": HostCells,
    "accelerator": lambda *cells: AcceleratorCells(*cells, Staging(torch.device("cpu"), False)),
}
STAGES = {
    "more": ([(0, 3), (2, 1)], [(1, 7)]),
    "the same with other values": ([(0, 3), (2, 1)], []),
    "a token without a column": ([(0, 3), (2, 1)], [(1, 8)]),
    "one without a column was there": ([(0, 3), (2, 9)], [(1, 0)]),
    "from none": ([], [(1, 7)]),
}


def subtract(xp, logits, amount):
    return logits - amount


def arrays(cells, amount):
    rows, token_ids = np.array(cells, dtype=np.int64).reshape(-1, 2).T
    return rows, token_ids, [np.full(len(cells), amount, dtype=np.float32)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stage", STAGES)
def test_grown_cells_are_cells(way, stage):
    before, more = STAGES[stage]
    logits = torch.arange(24.0).reshape(3, 8)
    grown = WAYS[way](*arrays(before, 1.0))
    grown.change(logits.clone(), subtract)
    grown.grow(*arrays([*before, *more], 2.0))
    expected = logits.clone()
    for row, token in (*before, *more):
        if token < 8:
            expected[row, token] -= 2.0
    for _ in range(2):  # again, with an index that is there already
        result = logits.clone()
        grown.change(result, subtract)
        assert torch.equal(result, expected)


def test_a_penalty_follows_the_dtype_of_the_logits():
    """A number is rounded to the dtype of the arithmetic, and not kept when that changes."""
    processor = FrequencyPenaltyLogitsProcessor(EngineConfig(), torch.device("cpu"), False)
    outputs = [1]
    added = [(0, SamplingParams(frequency_penalty=0.3), None, outputs)]
    processor.update_state(BatchUpdate(1, [], added, []))
    for dtype, penalty in [
        (torch.float32, np.float32(0.3)),
        (torch.float64, 0.3),
        (torch.float32, np.float32(0.3)),
    ]:
        result = processor.apply(torch.zeros(1, 4, dtype=dtype))
        assert result[0, 1].item() == -float(penalty)
