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
        return attributes(value, (one.name for one in fields(value)))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return attributes(value, value._fields)
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    # JSON cannot represent infinity.
    return None if isinstance(value, float) and not math.isfinite(value) else value


def attributes(record: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return some attributes of a record as plain values."""
    known = {name: getattr(record, name) for name in names}
    return {
        name: _named(value) if name in LABELS else plain(value)
        for name, value in known.items()
    }


def _named(labels: Any) -> Any:
    """Return labels as text; the keys of counts are labels."""
    if isinstance(labels, Mapping):
        return plain(labels)
    if isinstance(labels, list | tuple | np.ndarray):
        return [str(label) for label in labels]
    return str(labels)
