"""What the adds and removes establish, and no later rule disturbs."""

from __future__ import annotations

from logitproof.model.step_state import Plan, StepState
from logitproof.spec.algebra import EMPTY, NOWHERE, Algebra, Bool, Int
from logitproof.spec.invariants import contiguous, well_formed

from ..obligation import Invariant


def plan_is_possible(L: Algebra, p: Plan) -> Bool:
    """The batch is contiguous and consistent, the finished are in it, the arrivals are distinct and not in it."""
    return L.all_of(
        well_formed(L, p.old),
        contiguous(L, p.old),
        p.arrival_count >= 0,
        p.swap_count >= 0,
        L.every_slot(lambda i: L.implies(L.at(p.finished, i), L.all_of(i >= 0, i < p.old.size))),
        L.every_ordinal(
            lambda t: L.implies(
                t < p.arrival_count,
                L.all_of(
                    L.at(p.arrivals, t) >= 0,
                    L.at(p.arrival_of, L.at(p.arrivals, t)) == t,
                    L.at(p.old.where, L.at(p.arrivals, t)) == NOWHERE,
                ),
            )
        ),
        L.every_request(
            lambda r: L.implies(
                L.at(p.arrival_of, r) != NOWHERE,
                L.all_of(
                    L.at(p.arrival_of, r) >= 0,
                    L.at(p.arrival_of, r) < p.arrival_count,
                    L.at(p.arrivals, L.at(p.arrival_of, r)) == r,
                ),
            )
        ),
    )


def plan_stays_possible(L: Algebra, s: StepState) -> Bool:
    """No rule touches the plan."""
    return plan_is_possible(L, s.plan)


def batch_is_well_formed(L: Algebra, s: StepState) -> Bool:
    """Requests in range, nobody twice, ghost map right."""
    return well_formed(L, s.batch)


def conserved(L: Algebra, s: StepState) -> Bool:
    """In the batch are exactly: the old ones, less the finished that the cursor has passed, plus the arrivals taken."""
    p = s.plan

    def belongs(r: Int) -> Bool:
        slot = L.at(p.old.where, r)
        left = L.all_of(L.at(p.finished, slot), slot < s.cursor)
        arrived = L.all_of(L.at(p.arrival_of, r) >= 0, L.at(p.arrival_of, r) < s.taken)
        return L.any_of(L.all_of(slot != NOWHERE, L.negate(left)), arrived)

    return L.every_request(lambda r: L.same(L.at(s.batch.where, r) != NOWHERE, belongs(r)))


def record_is_exact(L: Algebra, s: StepState) -> Bool:
    """Every finished slot that the cursor has passed was refilled or removed, never both, and no other old slot was."""

    def exact(i: Int) -> Bool:
        added, removed = L.at(s.record.added, i) != EMPTY, L.at(s.record.removed, i)
        passed = L.all_of(i >= 0, i < s.cursor, L.at(s.plan.finished, i))
        return L.all_of(
            L.negate(L.all_of(added, removed)),
            L.implies(removed, passed),
            L.implies(L.all_of(added, i < s.plan.old.size), passed),
            L.implies(passed, L.any_of(added, removed)),
        )

    return L.every_slot(exact)


def added_are_the_taken_arrivals(L: Algebra, s: StepState) -> Bool:
    """What was added are arrivals, each one taken."""
    p = s.plan
    return L.every_slot(
        lambda i: L.implies(
            L.at(s.record.added, i) != EMPTY,
            L.all_of(
                L.at(s.record.added, i) >= 0,
                L.at(p.arrival_of, L.at(s.record.added, i)) >= 0,
                L.at(p.arrival_of, L.at(s.record.added, i)) < s.taken,
            ),
        )
    )


def every_taken_arrival_was_added_once(L: Algebra, s: StepState) -> Bool:
    """Arrivals taken and slots with an Add correspond one to one."""
    p = s.plan
    return L.all_of(
        L.every_ordinal(
            lambda t: L.implies(
                t < s.taken, L.at(s.record.added, L.at(s.record.placed, t)) == L.at(p.arrivals, t)
            )
        ),
        L.every_slot(
            lambda i: L.implies(
                L.at(s.record.added, i) != EMPTY,
                L.at(s.record.placed, L.at(p.arrival_of, L.at(s.record.added, i))) == i,
            )
        ),
    )


def membership_is_settled(L: Algebra, s: StepState) -> Bool:
    """Every old slot has been passed and every arrival taken."""
    return L.all_of(s.cursor == s.plan.old.size, s.taken == s.plan.arrival_count)


SETTLED: Invariant = (
    plan_stays_possible,
    batch_is_well_formed,
    conserved,
    membership_is_settled,
    record_is_exact,
    added_are_the_taken_arrivals,
    every_taken_arrival_was_added_once,
)
"""What the adds and removes have established, and no later rule disturbs."""
