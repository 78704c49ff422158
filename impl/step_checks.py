"""What a step may ask of a persistent batch, checked before anything is changed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

from .request import Request


def finished_slots(finished: Iterable[str], slot_of: Mapping[str, int]) -> list[int]:
    """The slots of the finished requests, ascending.

    Raises ValueError: an id that is not in the batch, or one that is listed twice.
    """
    if isinstance(finished, str):
        raise ValueError(
            f"Expected a collection of request ids but got finished={finished!r} (type=str), whose characters would "
            f"be taken for ids; write finished=[{finished!r}]"
        )
    slots = []
    try:
        for request_id in finished:
            slots.append(slot_of[request_id])
    except KeyError as error:
        raise ValueError(
            f"Expected finished ids of requests in the batch but got {error.args[0]!r}: it was never added, or has "
            f"already been reported as finished; live ids are in PersistentBatch.requests"
        ) from None
    slots.sort()
    previous = -1
    for slot in slots:
        if slot == previous:
            raise ValueError(
                f"Expected each finished id once but the request in slot {slot} is listed twice; pass a set of ids"
            )
        previous = slot
    return slots


def check_new(new: Sequence[Request], slot_of: Mapping[str, int], finished: Sequence[int]) -> None:
    """Raise ValueError if two live requests would share an id, TypeError if something is not a `Request`.

    An id whose request finishes in this very step is free again: the old request leaves before the new one enters.
    """
    ids: set[str] = set()
    for request in new:
        if not isinstance(request, Request):
            raise TypeError(
                f"Expected new to hold Request objects but got {request!r} (type={type(request).__name__}); "
                f"build it with Request(request_id, params, prompt_token_ids)"
            )
        request_id = request.request_id
        if request_id in ids:
            raise ValueError(
                f"Expected each new request id once but {request_id!r} is listed twice; give each request its own"
            )
        ids.add(request_id)
        slot = slot_of.get(request_id)
        if slot is not None and not _holds(finished, slot):
            raise ValueError(
                f"Expected a new request id but {request_id!r} is live in slot {slot}; report it as finished "
                f"first, or give the newcomer another id"
            )


def check_size(size: int, max_num_reqs: int | None) -> None:
    """Raise ValueError if the batch would outgrow its slots. Sizes in requests."""
    if max_num_reqs is not None and size > max_num_reqs:
        raise ValueError(
            f"Expected at most max_num_reqs={max_num_reqs} requests but the step would leave {size} in the batch; "
            f"schedule fewer new requests, or raise scheduler_config.max_num_seqs"
        )


def check_swaps(swaps: Sequence[tuple[int, int]], size: int) -> None:
    """Raise ValueError for a swap that does not name two different slots of the condensed batch of `size` slots."""
    for swap in swaps:
        try:
            left, right = swap
        except (TypeError, ValueError):
            raise ValueError(
                f"Expected swaps to hold pairs of slots but got {swap!r}; write (slot, slot)"
            ) from None
        if type(left) is not int or type(right) is not int:
            raise ValueError(
                f"Expected integer slots but got swap {swap!r}; convert array scalars with int()"
            )
        if left == right:
            raise ValueError(
                f"Expected a swap of two different slots but got {swap!r}; leave it out, since it changes nothing"
            )
        if not (0 <= left < size and 0 <= right < size):
            raise ValueError(
                f"Expected swap slots in [0, {size}) but got {swap!r}: swaps come after condense (contract B6), when "
                f"{size} request(s) are left; use the indices valid then"
            )


def _holds(ascending: Sequence[int], slot: int) -> bool:
    position = bisect_left(ascending, slot)
    return position < len(ascending) and ascending[position] == slot
