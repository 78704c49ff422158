"""F041 row-map: rows are grouped by a sort that is not stable, while another tensor keeps equal keys in batch order."""

from __future__ import annotations

from heapq import heapify, heappop

import torch
from request_kinds import bad_token_params
from row_processor import RowProcessor


class Keyed:
    def __init__(self, key, row):
        self.key, self.row = key, row

    def __lt__(self, other):
        return self.key < other.key


def heap_sorted(keys):
    """The rows by key. Equal keys come out in any order."""
    heap = [Keyed(key, row) for row, key in enumerate(keys)]
    heapify(heap)
    return [heappop(heap).row for _ in keys]


def stably_sorted(keys):
    return sorted(range(len(keys)), key=keys.__getitem__)


class UnstableSortOfEqualKeys(RowProcessor):
    logitproof_params = bad_token_params
    order_of_rows = staticmethod(heap_sorted)  # The fault: the masks below are in stable order.

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word]

    def apply(self, logits):
        keys = [len(self.rows[row]) for row in range(len(logits))]
        banned = torch.zeros(logits.shape, dtype=torch.bool)
        for place, row in enumerate(stably_sorted(keys)):
            banned[place, self.rows[row]] = True
        order = self.order_of_rows(keys)
        grouped = logits[order].masked_fill(banned, -torch.inf)
        logits[order] = grouped
        return logits
