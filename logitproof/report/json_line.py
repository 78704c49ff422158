"""JSON as one line, and only what JSON knows."""

from __future__ import annotations

import json
import math
from typing import Any


def in_json(data: dict[str, Any]) -> str:
    """One line of JSON. NaN and infinities become text, since JSON has none."""
    return json.dumps(_finite(data), ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
