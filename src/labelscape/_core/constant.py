"""Features that have one value only: nothing can be told by them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_NAMED = 5


class ConstantFeatures(UserWarning):
    """Some features have the same value for all objects."""


def constant_words(constant: NDArray[np.bool_], names: Sequence[Any] | None) -> str:
    """Return how many features are constant, and which.

    Examples
    --------
    >>> constant_words(np.array([True, False, True]), ["age", "size", "mass"])
    '2 features are constant (age, mass)'
    """
    which = np.flatnonzero(constant).tolist()
    shown = [str(j if names is None else names[j]) for j in which[:MOST_NAMED]]
    if len(which) > MOST_NAMED:
        shown.append("...")
    verb = "features are" if len(which) > 1 else "feature is"
    return f"{len(which)} {verb} constant ({', '.join(shown)})"
