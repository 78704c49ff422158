"""Logging, platform and tensor functions under vLLM's names, for a machine without an accelerator."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

VERSION = "0.32.0+logitproof.standin"
"""The release whose behaviour the stand-in follows: files compare versions."""


class Logger(logging.LoggerAdapter[logging.Logger]):
    """A logger with the methods that vLLM adds."""

    def __init__(self, logger: logging.Logger) -> None:
        super().__init__(logger, {})
        self._said: set[tuple[int, str]] = set()

    def _once(self, level: int, message: str, *args: Any) -> None:
        if (level, message) not in self._said:
            self._said.add((level, message))
            self.log(level, message, *args)

    def debug_once(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Only the first time."""
        self._once(logging.DEBUG, msg, *args)

    def info_once(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Only the first time."""
        self._once(logging.INFO, msg, *args)

    def warning_once(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Only the first time."""
        self._once(logging.WARNING, msg, *args)


def init_logger(name: str) -> Logger:
    """A logger of that name."""
    return Logger(logging.getLogger(name))


vllm_logger = init_logger("vllm")


class CpuPlatform:
    """`current_platform`: a CPU; every other question of the form `is_...()` is answered no."""

    device_type = "cpu"
    device_name = "cpu"
    dispatch_key = "CPU"

    def is_cpu(self) -> bool:
        """Yes."""
        return True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("is_"):
            return lambda *args, **kwargs: False
        raise AttributeError(f"logitproof's stand-in for vLLM has no current_platform.{name}")


current_platform = CpuPlatform()


def is_pin_memory_available() -> bool:
    """No: there is no device to copy to."""
    return False


def async_tensor_h2d(
    data: Sequence[Any] | Any, dtype: torch.dtype | None = None, device: Any = "cpu", **kwargs: Any
) -> torch.Tensor:
    """A tensor of the data on the device."""
    import torch

    return torch.as_tensor(data, dtype=dtype, device=device)


def make_tensor_with_pad(
    x: Sequence[Sequence[Any]],
    pad: Any,
    dtype: torch.dtype,
    *,
    max_len: int | None = None,
    device: Any = None,
    pin_memory: bool = False,
) -> torch.Tensor:
    """Rows of different lengths as one tensor (rows, longest or max_len), filled up with `pad`."""
    import torch

    width = max(map(len, x), default=0) if max_len is None else max_len
    return torch.tensor([[*row, *[pad] * (width - len(row))] for row in x], dtype=dtype, device=device)


def environment_variable(name: str) -> str | None:
    """`vllm.envs.NAME`: what the environment says."""
    return os.environ.get(name)
