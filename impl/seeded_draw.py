"""The random number behind one sampled token of a seeded request."""

from __future__ import annotations

from hashlib import blake2b


def seeded_uniform(seed: int, position: int) -> float:
    """A number in [0, 1) with 53 random bits that depends on nothing but its arguments.

    seed: `SamplingParams.seed`, any integer. position: index of the output token to be sampled.

    A generator that is advanced token by token would have to follow its request through moves, pre-emption and
    discarded samples, and could be advanced once too often in any of them. A function of the position cannot, and it
    gives the same tokens on every device. Two requests with the same seed draw the same numbers. Source: contract D4.
    """
    digest = blake2b(f"{seed}:{position}".encode(), digest_size=8).digest()
    return (int.from_bytes(digest, "little") >> 11) * 2.0**-53
