"""What a ColumnTransformer must be that a model file may hold."""

from collections import UserList
from typing import Any

import numpy as np

from labelscape._core.fits.learned import Declared
from labelscape._core.rules import Rule, finite, flag, jobs, one_of

_MOST = 10_000_000


def _is_columns(found: Any) -> bool:
    """Whether a value says which columns: names or numbers, or a mask."""
    if isinstance(found, np.ndarray):
        return found.ndim == 1 and found.dtype.kind in "biuUO"
    if isinstance(found, str | int):
        return True
    if isinstance(found, slice):
        return _is_range(found)
    if isinstance(found, UserList):  # as older versions of scikit-learn have them
        found = found.data
    return type(found) is list and all(isinstance(one, str | int) for one in found)


def _is_step(found: Any) -> bool:
    if isinstance(found, str):
        return found in ("drop", "passthrough")
    return not isinstance(found, type) and hasattr(found, "transform")


def _is_triple(found: Any) -> bool:
    return (
        type(found) is tuple
        and len(found) == 3
        and isinstance(found[0], str)
        and _is_step(found[1])
        and _is_columns(found[2])
    )


def _are_triples(found: Any) -> bool:
    return type(found) is list and len(found) > 0 and all(map(_is_triple, found))


def _is_range(found: Any) -> bool:
    return (
        isinstance(found, slice)
        and type(found.start) is int
        and type(found.stop) is int
        and 0 <= found.start <= found.stop <= _MOST
    )


def _are_ranges(found: Any) -> bool:
    return type(found) is dict and all(
        isinstance(name, str) and _is_range(one) for name, one in found.items()
    )


def _are_indices(found: Any) -> bool:
    return type(found) is dict and all(
        isinstance(name, str)
        and type(one) is list
        and all(isinstance(j, int | np.integer) and 0 <= j <= _MOST for j in one)
        for name, one in found.items()
    )


_TRIPLES = Rule("a list of (name, transformer, columns)", _are_triples)

LEARNED: dict[str, Declared] = {
    "transformers_": _TRIPLES,
    "_columns": Rule(
        "a list of columns",
        lambda found: type(found) is list and all(map(_is_columns, found)),
    ),
    "_transformer_to_input_indices": Rule("numbers of columns by name", _are_indices),
    "_remainder": Rule("a (name, transformer, columns)", _is_triple),
    "sparse_output_": flag(),
    "output_indices_": Rule("ranges of features by name", _are_ranges),
}
RULES: dict[str, Rule] = {
    "transformers": _TRIPLES,
    "remainder": Rule("'drop', 'passthrough' or a transformer", _is_step),
    "sparse_threshold": finite(0.0, 1.0),
    "transformer_weights": one_of(None),
    "n_jobs": jobs(),
    "verbose": flag(),
    "verbose_feature_names_out": flag(),
}
