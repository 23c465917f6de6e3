"""Values that an argument should not be given, and odd ones that are fine.

Each is a name and a function that makes the value, from a right one where it needs one.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from labelscape._core.params import Rule

Value = tuple[str, Callable[[], Any]]


class Mute:
    """An object that can do nothing."""

    def __init__(self, *_: Any, **__: Any) -> None: ...

    def __repr__(self) -> str:
        return "<an object>"


def mute(*_: Any, **__: Any) -> None:
    """Take anything, return nothing."""


PLAIN: dict[str, Any] = {
    "None": None,
    "True": True,
    "0": 0,
    "-1": -1,
    "1": 1,
    "2.5": 2.5,
    "nan": np.nan,
    "inf": np.inf,
    "-inf": -np.inf,
    "1e300": 1e300,
    "1e-300": 1e-300,
    "10^9": 10**9,
    "10^30": 10**30,
    "complex": 1 + 2j,
    "text": "text",
    "no text": "",
    "text with a NUL": "a\0b",
    "bytes": b"bytes",
    "[]": [],
    "{}": {},
    "a dict": {"a": 1},
    "a set": {1, 2},
    "a list of texts": ["a", "b"],
    "an object": Mute(),
    "a class": Mute,
    "a function": mute,
    "a scalar array": np.array(3.0),
    "an array": np.array([1.0, np.nan]),
    "a cube": np.zeros((2, 2, 2)),
    "range": range(3),
    "NaT": np.datetime64("NaT", "s"),
}


def plain_values() -> list[Value]:
    """Return values that have nothing to do with the right one."""
    return [(name, lambda value=value: value) for name, value in PLAIN.items()]


def damaged(value: Any) -> list[Value]:
    """Return what may have happened to a right array, list, dict or bytes."""
    if isinstance(value, np.ndarray) and value.ndim:
        return [*_arrays(value), *(_numbers(value) if value.dtype.kind in "fi" else [])]
    if isinstance(value, dict) and value:
        first, *_ = value
        inner = damaged(value[first])
        return [(f"{n} in a dict", lambda m=m: {**value, first: m()}) for n, m in inner]
    if isinstance(value, list | tuple | bytes) and len(value):
        return [
            ("shorter", lambda: value[:-1]),
            ("longer", lambda: value + value[-1:]),
            ("twice", lambda: value + value),
            ("with None", lambda: [*value[:-1], None]),
            ("with an object", lambda: [*value[:-1], Mute()]),
        ]
    return []


def _arrays(A: np.ndarray) -> list[Value]:
    return [
        ("one row less", lambda: A[:-1]),
        ("one row more", lambda: np.concatenate([A, A[-1:]])),
        ("one row", lambda: A[:1]),
        ("two rows", lambda: A[:2]),
        ("no rows", lambda: A[:0]),
        ("flat", lambda: A.ravel()),
        ("one dimension more", lambda: A[..., None]),
        ("one dimension less", lambda: A[0]),
        ("all equal", lambda: np.full_like(A, A.flat[0])),
        ("texts", lambda: A.astype(str)),
        ("objects", lambda: A.astype(object)),
        ("a text inside", lambda: _with(A.astype(object), "text")),
        ("None inside", lambda: _with(A.astype(object), None)),
        ("an object inside", lambda: _with(A.astype(object), Mute())),
        ("a list inside", lambda: _with(A.astype(object), [1, 2])),
        ("a list", lambda: A.tolist()),
        ("ragged", lambda: [*A.tolist(), [1.0]] if A.ndim == 1 else _ragged(A)),
        ("complex", lambda: A.astype(complex)),
        ("bool", lambda: A.astype(bool)),
        ("whole numbers", lambda: A.astype(np.int64)),
        ("moments", lambda: A.astype("datetime64[s]")),
        ("a frame", lambda: pd.DataFrame(A) if A.ndim == 2 else pd.Series(A.ravel())),
        (
            "a frame with NA",
            lambda: pd.DataFrame(A.reshape(len(A), -1), dtype="Float64").mask(
                lambda f: f == f.iloc[0, 0]
            ),
        ),
        ("sparse", lambda: sp.csr_array(A.reshape(len(A), -1).astype(float))),
        ("masked", lambda: np.ma.masked_array(A, A.flat[0] == A)),
        ("a matrix of records", lambda: np.zeros(len(A), dtype=[("a", float)])),
        ("read only", lambda: _read_only(A)),
        ("every second", lambda: np.repeat(A, 2, axis=0)[::2]),
        ("column by column", lambda: np.asfortranarray(A)),
        ("in the other order of bytes", lambda: A.astype(A.dtype.newbyteorder(">"))),
    ]


def _numbers(A: np.ndarray) -> list[Value]:
    A = A.astype(float)
    return [
        ("NaN inside", lambda: _with(A, np.nan)),
        ("infinity inside", lambda: _with(A, np.inf)),
        ("1e200 inside", lambda: _with(A, 1e200)),
        ("1e-200 times", lambda: A * 1e-200),
        ("1e12 added", lambda: A + 1e12),
        ("negative", lambda: -np.abs(A) - 1.0),
        ("only NaN", lambda: np.full_like(A, np.nan)),
        ("singles", lambda: A.astype(np.float32)),
        ("halves", lambda: A.astype(np.float16)),
        ("one column", lambda: A[:, :1] if A.ndim > 1 else A),
        ("no columns", lambda: A[:, :0] if A.ndim > 1 else A[:0]),
        ("one column more", lambda: np.repeat(A, 2, axis=-1)),
    ]


def _with(A: np.ndarray, value: Any) -> np.ndarray:
    B = A.copy()
    B[(len(B) // 2,) + (0,) * (B.ndim - 1)] = value
    return B


def _ragged(A: np.ndarray) -> list[Any]:
    rows = A.tolist()
    rows[1] = rows[1][:-1]
    return rows


def _read_only(A: np.ndarray) -> np.ndarray:
    B = A.copy()
    B.flags.writeable = False
    return B


# From rules: values that keep them, and that only just do.

TRIED = [0, 1, 2, 3, 5, 0.1, 0.5, 0.9, 1.0, 2.0, None, True, False]
EXTREME = [10**9, 2**31, 2**62, 1e-300, 1e-155, 1e-12, 1e12, 1e155, 1e300, 1000]


def kept(rule: Rule) -> list[Value]:
    """Return usual values that keep a rule."""
    choices = [choice for part in rule.alternatives for choice in part.choices]
    return [
        (repr(value), lambda value=value: value)
        for value in [*choices, *TRIED]
        if rule.holds(value)
    ]


def just_kept(rule: Rule) -> list[Value]:
    """Return extreme values that keep a rule."""
    return [
        (repr(value), lambda value=value: value)
        for value in EXTREME
        if rule.holds(value)
    ]
