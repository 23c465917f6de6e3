"""Units of the data and of a model: numeric tables and scalers."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.base import OneToOneFeatureMixin
from sklearn.preprocessing import StandardScaler

from labelscape._core.checks import check_sparse, named_as
from labelscape._core.threads import ignored
from labelscape._core.types import Array, Floats
from labelscape.scene.scene import scene_error

# X as numbers, in a form that a scene can contain.


# Maximum number of values of a sparse matrix, zeros included, to convert it.
MOST_DENSE = 50_000_000


def numbers(X: Any) -> Array | None:
    """Return a table as floats (n, d), or None if a column is not numeric."""
    if hasattr(X, "tocsr"):
        check_sparse(X)
        n, d = X.shape
        if n * d > MOST_DENSE:
            raise scene_error(
                f"the sparse X has shape {(n, d)} and needs {8e-9 * n * d:.1f} GB as a "
                "dense array. Use fewer features, for example with TruncatedSVD."
            )
        return np.asarray(X.toarray(), dtype=np.float64)
    try:
        array = np.asarray(X)
    except ValueError:  # rows of different lengths
        return None
    if array.ndim != 2 or array.dtype.kind in "USmMcV":
        return None
    if array.dtype.kind == "f" and array.dtype.itemsize >= 4:
        return array
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        return None


def first_text(X: Any) -> str:
    """Return the name of the first column that is not numeric, for a message."""
    columns = getattr(X, "columns", None)
    for j in range(np.shape(X)[1]):
        column = X[columns[j]] if columns is not None else np.asarray(X)[:, j]
        if numbers(np.asarray(column)[:, None]) is None:
            return repr(str(columns[j])) if columns is not None else str(j)
    return "0"


def can_be_undone(step: Any) -> bool:
    """Return whether a step changes each feature separately and has an inverse."""
    return isinstance(step, OneToOneFeatureMixin) and hasattr(step, "inverse_transform")


# The unit of lengths in the features of a model.
Unit = Literal["data", "standard_deviation", "model"]


@dataclass(frozen=True, eq=False)
class Units:
    """Scalers between the data in the user's units and the input of a model."""

    # Fitted steps with an inverse, in the order of the pipeline.
    scalers: tuple[Any, ...] = ()
    from_start: bool = True  # whether the user's units are the units of X

    @property
    def unit(self) -> Unit:
        """The unit of lengths in the features of the model."""
        if not self.scalers:
            return "data"
        only, *others = self.scalers
        is_standard = isinstance(only, StandardScaler) and only.with_std
        return "standard_deviation" if is_standard and not others else "model"

    def to_data(self, X: Any) -> Floats:
        """Return inputs of the model in the units of the data."""
        values = np.array(X, dtype=np.float64)
        for scaler in reversed(self.scalers):
            values = np.asarray(scaler.inverse_transform(values), dtype=np.float64)
        return values

    def to_model(self, X: Array) -> Array:
        """Return samples in the units of the data as inputs of the model."""
        for scaler in self.scalers:
            X = np.asarray(scaler.transform(named_as(scaler, X)))
        return X

    def slopes(self, n_features: int) -> Floats | None:
        """Return the change of data per change of input; None if it is not constant."""
        if all(isinstance(one, StandardScaler) for one in self.scalers):
            known = [one.scale_ for one in self.scalers if one.scale_ is not None]
            return np.asarray(np.prod([np.ones(n_features), *known], axis=0))
        steps = np.repeat(np.linspace(-1.0, 1.0, 5)[:, None], n_features, axis=1)
        # A nonlinear scale may have limits.
        with ignored(Warning), np.errstate(all="ignore"):
            gains = np.diff(self.to_data(steps), axis=0) / 0.5
        if not np.allclose(gains, gains[0], rtol=1e-6, atol=0.0):
            return None
        return np.asarray(gains.mean(axis=0))
