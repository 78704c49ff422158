"""The list of request slots that survives from step to step, and the bookkeeping of one step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from logitproof.spec import BatchUpdate, Dialect

from .batch_update_builder import BatchUpdateBuilder
from .request import Request
from .step_checks import check_new, check_size, check_swaps, finished_slots


class PersistentBatch:
    """Requests by slot; the index is the logits row. Contiguous whenever `step` is not running.

    A step costs O(changed requests * log): holes are never written down, since the sorted finished slots say where
    they are, and the list of slots is edited in place from its tail.

    dialect: how `removed` is worded.
    max_num_reqs: slots there are; None for no limit.
    Source: contract section B.
    """

    def __init__(self, dialect: Dialect = Dialect.DOCUMENTED, max_num_reqs: int | None = None) -> None:
        if not isinstance(dialect, Dialect):
            raise ValueError(
                f"Expected a Dialect but got dialect={dialect!r} (type={type(dialect).__name__}); "
                f"use Dialect(name) with one of {[d.value for d in Dialect]}"
            )
        if max_num_reqs is not None and (type(max_num_reqs) is not int or max_num_reqs < 1):
            raise ValueError(
                f"Expected a positive integer or None but got max_num_reqs={max_num_reqs!r} "
                f"(type={type(max_num_reqs).__name__}); pass scheduler_config.max_num_seqs, or None for no limit"
            )
        self._slots: list[Request] = []
        self._slot_of: dict[str, int] = {}
        self._max_num_reqs = max_num_reqs
        self._builder = BatchUpdateBuilder(dialect)

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, request_id: object) -> bool:
        return request_id in self._slot_of

    @property
    def requests(self) -> Sequence[Request]:
        """The live list of requests by slot, not a copy: read it, do not keep it across steps, do not change it."""
        return self._slots

    def slot_of(self, request_id: str) -> int:
        """The slot that holds the request. Raises ValueError: the request is not in the batch."""
        slot = self._slot_of.get(request_id)
        if slot is None:
            raise ValueError(
                f"Expected the id of a request in the batch but got {request_id!r}: it has not been added yet, or has "
                f"left; `request_id in batch` tells"
            )
        return slot

    def step(
        self,
        *,
        finished: Iterable[str] = (),
        new: Iterable[Request] = (),
        swaps: Iterable[tuple[int, int]] = (),
    ) -> BatchUpdate | None:
        """Take out the finished requests, put in the new ones, condense, then swap; return what happened.

        Args:
            finished: ids of requests that leave. An id may come back in `new` in the same step.
            new: requests that enter, in order.
            swaps: pairs of slots, valid after condense, exchanged in order.

        Raises ValueError (and leaves the batch as it was): an unknown or repeated finished id, a new id that is live
        or repeated, more requests than slots, a swap of a slot with itself or outside the condensed batch.
        Source: contract B1 to B9.
        """
        arrivals, exchanges = tuple(new), tuple(swaps)
        slots, slot_of = self._slots, self._slot_of
        vacated = finished_slots(finished, slot_of)
        size = len(slots) - len(vacated) + len(arrivals)
        if arrivals:
            check_new(arrivals, slot_of, vacated)
            check_size(size, self._max_num_reqs)
        if exchanges:
            check_swaps(exchanges, size)

        for slot in vacated:
            del slot_of[slots[slot].request_id]
        self._builder.finish(vacated)
        if arrivals:
            self._fill(arrivals, vacated)
        if len(arrivals) < len(vacated):
            self._condense(vacated[len(arrivals) :], size)
        if exchanges:
            self._swap(exchanges)
        return self._builder.build(size)

    def _fill(self, arrivals: Sequence[Request], vacated: list[int]) -> None:
        """Put the arrivals into the vacated slots, lowest first, then past the end. Source: contract B1, B2."""
        slots, slot_of, add = self._slots, self._slot_of, self._builder.add
        targets = vacated
        if len(arrivals) > len(vacated):
            beyond = arrivals[len(vacated) :]
            targets = [*vacated, *range(len(slots), len(slots) + len(beyond))]
            slots.extend(beyond)
        for slot, request in zip(targets, arrivals, strict=False):
            slots[slot] = request
            slot_of[request.request_id] = slot
            add(slot, request)

    def _condense(self, holes: list[int], size: int) -> None:
        """Fill each hole below `size` from the tail and cut the tail off. `holes` ascends. Source: contract B4, B5."""
        source = len(self._slots) - 1
        highest_hole = len(holes) - 1
        for destination in holes:
            if destination >= size:
                break
            while source == holes[highest_hole]:
                source -= 1
                highest_hole -= 1
            request = self._slots[source]
            self._slots[destination] = request
            self._slot_of[request.request_id] = destination
            self._builder.move(source, destination)
            source -= 1
        del self._slots[size:]

    def _swap(self, exchanges: Sequence[tuple[int, int]]) -> None:
        slots, slot_of = self._slots, self._slot_of
        for left, right in exchanges:
            slots[left], slots[right] = slots[right], slots[left]
            slot_of[slots[left].request_id] = left
            slot_of[slots[right].request_id] = right
            self._builder.swap(left, right)
