"""Counts follow the live list through growth, placeholders, patches and tokens taken back."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from logitproof.impl.token_counts import TokenCounts


def as_dict(counts):
    pairs = zip(counts.token_ids.tolist(), counts.counts.tolist(), strict=True)
    return {token: count for token, count in pairs if count}


def expected(prompt, outputs):
    wanted = Counter(token for token in outputs if token >= 0)
    wanted.update({token for token in prompt or () if token >= 0})
    return dict(wanted)


@pytest.mark.law("C5", "C4")
@pytest.mark.parametrize("seed", range(20))
def test_counts_equal_a_recount_after_any_change_an_engine_makes(seed):
    rng = random.Random(seed)
    prompt = rng.choice([None, [], [1, 1, 2, -1]])
    outputs = [rng.randrange(5) for _ in range(rng.choice([0, 3]))]
    counts = TokenCounts(prompt, outputs)
    for _ in range(60):
        what = rng.random()
        if what < 0.5:
            outputs.append(rng.choice([-1, rng.randrange(40)]))
        elif what < 0.65:
            outputs += [-1, -1]
        elif what < 0.8:
            outputs[:] = [rng.randrange(5) if token < 0 else token for token in outputs]
        elif outputs:
            del outputs[-rng.randrange(1, len(outputs) + 1) :]
        changed = expected(prompt, outputs) != as_dict(counts)
        assert bool(counts.follow()) >= changed
        assert as_dict(counts) == expected(prompt, outputs)

        assert not counts.follow()


def test_a_long_list_is_read_once_only():
    class Watched(list):
        reads = 0

        def __getitem__(self, index):
            Watched.reads += 1
            return super().__getitem__(index)

    outputs = Watched(range(1000))
    counts = TokenCounts(None, outputs)
    Watched.reads = 0
    for _ in range(10):
        outputs.append(7)
        counts.follow()
    assert Watched.reads <= 30
