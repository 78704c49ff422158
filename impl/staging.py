"""Brings small host-made tensors to the device that holds the logits."""

from __future__ import annotations

import torch


class Staging:
    """Uploads host tensors to one device; a copy may still be under way when `upload` returns.

    There is deliberately no reusable buffer. An asynchronous copy reads its source later, so a buffer that the next
    step rewrites would hand this step the next one's values. Every upload therefore owns a fresh host tensor that
    nobody writes again, and torch's pinned-memory allocator keeps its block until the copy has finished.

    device: where the logits will be.
    is_pin_memory: whether the engine allows pinned host memory; used only where a CUDA device exists.
    """

    __slots__ = ("_device", "_pins")

    def __init__(self, device: torch.device, is_pin_memory: bool) -> None:
        self._device = torch.device(device)
        self._pins = is_pin_memory and self._device.type == "cuda" and torch.cuda.is_available()

    @property
    def is_on_host(self) -> bool:
        """Whether the device is the host's own memory, so that reading a value back costs nothing."""
        return self._device.type == "cpu"

    def upload(self, host: torch.Tensor) -> torch.Tensor:
        """The tensor on the device, same shape and dtype. The caller gives up `host` and never writes it again."""
        if self.is_on_host:
            return host
        if self._pins:
            return host.pin_memory().to(self._device, non_blocking=True)
        return host.to(self._device)
