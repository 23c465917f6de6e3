"""Constant features by their names, which a fit to a matrix does not know."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from numpy.typing import NDArray

from labelscape._core.constant import ConstantFeatures, constant_words


@contextmanager
def constant_features_named(X: NDArray[Any], names: Sequence[str]) -> Iterator[None]:
    """Say which columns of X are constant, in place of what is fitted to them."""
    constant = X.min(axis=0) == X.max(axis=0)
    if constant.all():
        raise ValueError(
            "Every feature is constant, so that no two rows differ and there is "
            "nothing to draw. Check that the right columns were given."
        )
    if constant.any():
        words = constant_words(constant, names)
        warnings.warn(f"{words}, and no use here.", ConstantFeatures, stacklevel=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantFeatures)
        yield
