"""Advice that is worded for the command line, worded for whoever reads it: as arguments of a call, or as settings."""

from __future__ import annotations

import re

_ARG = re.compile(r"--arg (\S+?)(?=[,;\s]|$)")
_OPTION = re.compile(r"--([a-z][a-z-]*)( module:strategy| all)?")


def as_arguments(text: str) -> str:
    """`--max-time` becomes `max_time=`."""
    values = {" module:strategy": "a strategy", " all": "'all'", None: ""}
    text = _ARG.sub(r'args=["\1"]', text).replace("--params (params=)", "params=")
    return _OPTION.sub(lambda found: f"{_key(found[1])}={values[found[2]]}", text)


def as_settings(text: str) -> str:
    """`--max-time` becomes `max_time`, as it stands in [tool.logitproof]."""
    text = _ARG.sub(r'args = ["\1"]', text)
    return _OPTION.sub(lambda found: _key(found[1]) + (f' = "{found[2].strip()}"' if found[2] else ""), text)


def _key(option: str) -> str:
    return option.replace("-", "_")
