"""Uploads keep values and never share a buffer between two of them."""

from __future__ import annotations

import torch

from logitproof.impl import Staging


def test_on_the_host_the_tensor_itself_is_used():
    host = torch.arange(3)
    assert Staging(torch.device("cpu"), is_pin_memory=True).upload(host) is host


def test_elsewhere_a_new_tensor_lies_on_the_device():
    staging = Staging(torch.device("meta"), is_pin_memory=True)
    host = torch.arange(3)
    first, second = staging.upload(host), staging.upload(host)
    assert not staging.is_on_host
    assert first.device.type == "meta"
    assert first is not second
    assert (first.shape, first.dtype) == (host.shape, host.dtype)
