"""Results as plain values, as JSON has them."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

# Fields of records that contain labels. Labels may be numbers; JSON contains text.
LABELS = {"a", "b", "classes", "given", "label", "left_out", "likely"}


def plain(value: Any) -> Any:
    """Return a record, an array or a list as values that JSON can represent."""
    if hasattr(value, "record"):
        return value.record()
    if is_dataclass(value):
        return plain({one.name: getattr(value, one.name) for one in fields(value)})
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {
            str(name): _named(one) if name in LABELS else plain(one)
            for name, one in value.items()
        }
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    # JSON cannot represent infinity.
    return None if isinstance(value, float) and not math.isfinite(value) else value


def attributes(value: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return some attributes of an object as plain values."""
    known: dict[str, Any] = plain({name: getattr(value, name) for name in names})
    return known


def _named(value: Any) -> Any:
    """Return labels as text; the keys of counts are labels."""
    if isinstance(value, Mapping):
        return plain(value)
    if isinstance(value, list | tuple | np.ndarray):
        return [str(label) for label in value]
    return str(value)
