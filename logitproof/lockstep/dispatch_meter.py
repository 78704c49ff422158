"""What a step costs in torch operations: tensors made again though nothing changed, waits, single-element writes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

SYNCS = {
    "item",
    "is_nonzero",
    "_local_scalar_dense",
    "nonzero",
    "masked_select",
    "equal",
    "_unique2",
    "unique_dim",
}
"""Operations whose result the host waits for; the first two are what inference mode shows of the third."""
INDEXED = {"index", "index_put", "index_put_", "_index_put_impl_"}
"""They wait too where an index is a boolean mask."""
SHAPES_ONLY = {f"{filled}_like" for filled in ("zeros", "ones", "full", "empty", "rand")} | {
    f"new_{filled}" for filled in ("zeros", "ones", "full", "empty")
}
"""What they return depends on the form of their argument, not on what it holds."""


class DispatchMeter(TorchDispatchMode):
    """Follows what is computed from the logits, and what is made without them. wide: elements that are worth a word."""

    def __init__(self, logits: torch.Tensor, wide: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.waits: Counter[str] = Counter()
        self.element_writes = 0
        self._wide = wide
        self._from_logits = {_memory(logits)}
        # Held until the end, so that no memory is used twice and means two things.
        self._made: dict[int, torch.Tensor] = {}
        self._kept: list[torch.Tensor] = []

    def follow(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        tensors = list(_tensors((args, kwargs or {})))
        from_logits = name not in SHAPES_ONLY and any(_memory(each) in self._from_logits for each in tensors)
        if from_logits and (name in SYNCS or (name in INDEXED and _waits_for_a_mask(args))):
            self.waits[name] += 1
        known = {_memory(each) for each in tensors}
        for made in _tensors(result):
            memory = _memory(made)
            if memory not in known:
                self._made[memory] = made
                self._kept.append(made)
            if from_logits:
                self._from_logits.add(memory)
            elif (
                made.numel() == 1
                and memory in known
                and name.endswith("_")
                and made.untyped_storage().nbytes() >= self._wide * made.element_size()
            ):
                self.element_writes += 1
        return result

    def remade(self) -> Counter[tuple[tuple[int, ...], bytes]]:
        """Wide tensors that were made and have nothing of the logits, by shape and content. Not under the mode."""
        return Counter(
            (tuple(made.shape), made.contiguous().view(torch.uint8).numpy().tobytes())
            for memory, made in self._made.items()
            if memory not in self._from_logits and made.numel() >= self._wide
        )


# Not in the class body: what stands there is wrapped, and the wrapper imports torch's compiler, two seconds of work.
DispatchMeter.__torch_dispatch__ = DispatchMeter.follow  # type: ignore[assignment,method-assign]


def _tensors(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _tensors(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _tensors(each)


def _memory(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def _waits_for_a_mask(args: Any) -> bool:
    """A boolean index makes the shape depend on data; one number written through one mask is a masked fill."""
    masks = [each for each in args[1] if isinstance(each, torch.Tensor) and each.dtype is torch.bool]
    if not masks:
        return False
    value = args[2] if len(args) > 2 else None
    return not (isinstance(value, torch.Tensor) and value.numel() == 1)
