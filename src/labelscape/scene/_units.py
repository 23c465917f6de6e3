"""The way back from what a model sees to what a person reads."""

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OneToOneFeatureMixin
from sklearn.preprocessing import StandardScaler

from labelscape._core.arguments import matrix_argument
from labelscape._core.errors import InputError
from labelscape._core.features import named_as

# Tables as numbers: what was given as X, in a form that a scene can hold.

Matrix = NDArray[Any]

# A sparse matrix with more values than this, zeros included, is not made dense.
MOST_DENSE = 50_000_000


def numbers(X: Any) -> Matrix | None:
    """Return a table as floats (n, d), or None if a column holds something else."""
    if hasattr(X, "tocsr"):
        return _dense(X)
    try:
        array = np.asarray(X)
    except ValueError:  # rows of several lengths
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
    """Return the name of the first column that is no number, for a message."""
    columns = getattr(X, "columns", None)
    for j in range(np.shape(X)[1]):
        column = X[columns[j]] if columns is not None else np.asarray(X)[:, j]
        if numbers(np.asarray(column)[:, None]) is None:
            return repr(str(columns[j])) if columns is not None else str(j)
    return "0"


def _dense(X: Any) -> Matrix:
    n, d = X.shape
    if n * d > MOST_DENSE:
        raise InputError(
            f"the sparse X has shape {(n, d)}, {8e-9 * n * d:.1f} GB when "
            "made dense. Keep fewer features, for example with TruncatedSVD.",
            owner="build_scene",
        )
    dense: Matrix = X.toarray()
    return dense.astype(np.float64, copy=False)


def can_be_undone(step: Any) -> bool:
    """Return whether a step changes each feature by itself, and back: a scaler does."""
    return isinstance(step, OneToOneFeatureMixin) and hasattr(step, "inverse_transform")


# What a length among the features that a model sees is measured in.
Unit = Literal["data", "standard_deviation", "model"]


@dataclass(frozen=True, eq=False)
class Scale:
    """What a model sees of each feature: ``shown = slope * seen + offset``.

    Whoever scaled the data knows it, and tells it to `build_scene`.

    Attributes
    ----------
    slopes, offsets : ndarray of shape (n_features,)
        Of each feature.
    unit : {"data", "standard_deviation", "model"}
        What that makes of the features: in their own units, in standard deviations, or
        neither.

    Examples
    --------
    >>> import numpy as np
    >>> scale = Scale(np.array([2.0]), np.array([10.0]), "standard_deviation")
    >>> scale.shown(np.array([[1.5]])).tolist(), scale.seen(np.array([[13.0]])).tolist()
    ([[13.0]], [[1.5]])
    """

    slopes: NDArray[np.float64]
    offsets: NDArray[np.float64]
    unit: Unit

    def shown(self, X: Matrix) -> Matrix:
        """Return objects that the model sees in the units of the data."""
        return self._rows("Scale.shown", X) * self.slopes + self.offsets

    def seen(self, X: Matrix) -> Matrix:
        """Return objects in the units of the data as the model sees them."""
        return (self._rows("Scale.seen", X) - self.offsets) / self.slopes

    def _rows(self, owner: str, X: Any) -> Matrix:
        # What is missing in the data stays missing.
        d = len(self.slopes)
        return matrix_argument(owner, "X", X, n_columns=d, finite=False)


@dataclass(frozen=True, eq=False)
class Units:
    """Scalers between the data as they are shown and as the model sees them."""

    # Fitted steps, each of which can be undone, in the order of the pipeline.
    scalers: tuple[Any, ...] = ()
    # Whether the shown data are X as it was given.
    from_start: bool = True
    # What they do, if given; otherwise it is detected.
    scale: Scale | None = None

    @property
    def unit(self) -> Unit:
        """What a length among the features that the model sees is measured in."""
        if self.scale is not None:
            return self.scale.unit
        if not self.scalers:
            return "data"
        only, *others = self.scalers
        is_standard = isinstance(only, StandardScaler) and only.with_std
        return "standard_deviation" if is_standard and not others else "model"

    def shown(self, X: Any) -> NDArray[np.float64]:
        """Return objects that the model sees in the units of the data."""
        values = np.array(X, dtype=np.float64)
        if self.scale is not None:
            return self.scale.shown(values)
        for scaler in reversed(self.scalers):
            values = np.asarray(scaler.inverse_transform(values), dtype=np.float64)
        return values

    def seen(self, X: Matrix) -> Matrix:
        """Return objects in the units of the data as the model sees them."""
        if self.scale is not None:
            return self.scale.seen(np.asarray(X, dtype=np.float64))
        for scaler in self.scalers:
            X = np.asarray(scaler.transform(named_as(scaler, X)))
        return X

    def slopes(self, n_features: int) -> NDArray[np.float64] | None:
        """Return by how much a shown feature grows with the one that the model sees.

        None if that is not the same everywhere.
        """
        if self.scale is not None:
            return self.scale.slopes
        if not self.scalers:
            return np.ones(n_features)
        steps = np.repeat(np.linspace(-1.0, 1.0, 5)[:, None], n_features, axis=1)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # a curved scale may end on the way
            gains = np.diff(self.shown(steps), axis=0) / 0.5
        if not np.allclose(gains, gains[0], rtol=1e-6, atol=0.0):
            return None
        slopes: NDArray[np.float64] = gains.mean(axis=0)
        return slopes
