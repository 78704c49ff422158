"""The invariants of a batch: written once over an `Algebra`, proved by `logitproof.proofs`, evaluated while fuzzing.

A batch is anything with `slots` (slot -> request or EMPTY), `where` (the ghost map request -> slot or NOWHERE) and
`size` (slots in use; every slot from `size` on is empty).
"""

from __future__ import annotations

from typing import Any

from .algebra import EMPTY, NOWHERE, Algebra, Bool


def requests_lie_in_range(L: Algebra, batch: Any) -> Bool:
    """A slot that holds a request has an index in [0, size), and requests are numbered from 0."""
    return L.all_of(
        batch.size >= 0,
        L.every_slot(
            lambda i: L.any_of(
                L.at(batch.slots, i) == EMPTY,
                L.all_of(i >= 0, i < batch.size, L.at(batch.slots, i) >= 0),
            )
        ),
    )


def ghost_map_agrees(L: Algebra, batch: Any) -> Bool:
    """`where` and `slots` are inverse to each other: a request is where its slot says, and nowhere else."""
    return L.all_of(
        L.every_slot(
            lambda i: L.implies(L.at(batch.slots, i) != EMPTY, L.at(batch.where, L.at(batch.slots, i)) == i)
        ),
        L.every_request(
            lambda r: L.any_of(
                L.at(batch.where, r) == NOWHERE,
                L.all_of(
                    L.at(batch.where, r) >= 0,
                    L.at(batch.where, r) < batch.size,
                    L.at(batch.slots, L.at(batch.where, r)) == r,
                ),
            )
        ),
    )


def no_request_twice(L: Algebra, batch: Any) -> Bool:
    """Two slots never hold the same request."""
    return L.every_slot(
        lambda i, j: L.implies(
            L.all_of(L.at(batch.slots, i) != EMPTY, i != j), L.at(batch.slots, i) != L.at(batch.slots, j)
        )
    )


def contiguous(L: Algebra, batch: Any) -> Bool:
    """A slot is live if and only if its index is below `size`: no hole, and `size` counts the live requests."""
    return L.every_slot(lambda i: L.same(L.at(batch.slots, i) != EMPTY, L.all_of(i >= 0, i < batch.size)))


def well_formed(L: Algebra, batch: Any) -> Bool:
    """The batch invariant that every rule preserves; holes are allowed."""
    return L.all_of(requests_lie_in_range(L, batch), ghost_map_agrees(L, batch), no_request_twice(L, batch))
