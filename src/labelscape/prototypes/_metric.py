"""How a prototype model measures: one record for all who ask.

==============  =================================  =========================  =========
kind            distance to prototype w            models                     squared
==============  =================================  =========================  =========
"euclidean"     ``|x - w|``                        Push and Grow and its kin  no
"euclidean"     ``|x - w|^2``                      GLVQ                       yes
"diagonal"      ``sum_j omega_j^2 (x_j - w_j)^2``  GRLVQ                      yes
"matrix"        ``|Omega (x - w)|^2``              GMLVQ, LiRaM LVQ           yes
"local"         ``|Psi_w (x - w)|^2``              LGMLVQ                     yes
"local"         ``|Psi_w Omega (x - w)|^2``        localized LiRaM LVQ        yes
"precomputed"   from given dissimilarities         Push and Grow              no
==============  =================================  =========================  =========
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from labelscape._core.checks import check_finite
from labelscape._core.errors import InputError
from labelscape._core.points.array_objects import joined_blocks
from labelscape._core.points.arrays import namespace_of
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks


@dataclass(frozen=True, eq=False)
class PrototypeMetric:
    """How a prototype model measures distances.

    A model makes it anew when asked (``model.metric_``), from what it has learned: it
    refers to the model's arrays and holds no data.
    """

    # "local" if prototypes have metrics of their own; "precomputed" if objects are
    # known by their dissimilarities, so that there are no features to weight.
    kind: Literal["euclidean", "diagonal", "matrix", "local", "precomputed"]
    # (l, N) The prototypes.
    prototypes: np.ndarray
    # Whether the distances that the model compares are squared ones.
    is_squared: bool
    # From objects (n, N) to these distances (n, l); see `distances`.
    compared: Callable[[np.ndarray], np.ndarray] = field(repr=False)
    # (M, N) The factor that all prototypes share: Omega, its diagonal, or None for the
    # identity.
    shared: np.ndarray | None = None
    # (g, R, M) Local matrices Psi, which act behind the shared factor.
    local: np.ndarray | None = None
    # (l,) Which of them is that of each prototype.
    local_of: np.ndarray | None = None
    # Whether objects may lack values.
    allow_nan: bool = False

    @property
    def has_common_space(self) -> bool:
        """Whether there is a space, that of `images`, in which all measure alike.

        Local matrices that act inside a shared space count as alike: they only bend
        the borders in it.
        """
        return self.local is None or self.shared is not None

    def factor(self, prototype: int) -> np.ndarray | None:
        """Return F with ``d = |F (x - w)|``: a matrix, its diagonal, None for I."""
        self._need_features()
        if self.local is None or self.local_of is None:
            return self.shared
        local: np.ndarray = self.local[self.local_of[prototype]]
        return local if self.shared is None else local @ self.shared

    @property
    def factors(self) -> list[Any]:
        """The factor of each prototype."""
        return [self.factor(prototype) for prototype in range(len(self.prototypes))]

    def images(self, X: Any) -> np.ndarray:
        """Return objects where the shared part of the metric is Euclidean, (n, M).

        Local matrices are left out: they act behind it.
        """
        self._need_features()
        X = np.asarray(X, dtype=np.float64)
        self._check_objects(X)
        if self.shared is None:
            return X
        with one_blas_thread():
            images: np.ndarray = (
                X * self.shared if self.shared.ndim == 1 else X @ self.shared.T
            )
        return images

    def distances(self, X: Any) -> np.ndarray:
        """Return the distances of objects to all prototypes, as the model compares.

        (n, l), in the precision of X; squared where `is_squared` says so.
        """
        X = np.asarray(X)
        if X.dtype not in (np.float32, np.float64):
            X = X.astype(np.float64)
        self._check_objects(X)
        return self.compared(X)

    def lengths(self, X: Any) -> np.ndarray:
        """Return the same as lengths, which are never squared."""
        D = self.distances(np.asarray(X, dtype=np.float64))
        return np.sqrt(D) if self.is_squared else D

    def by_blocks(self, X: Any, reduce: Callable[[Any], Any]) -> Any:
        """Return ``reduce`` of the distances of block after block of objects, joined.

        X may be sparse. All distances at once could take more memory than the data. An
        array of another library gives one that stays where it is.
        """
        width = X.shape[1] + 2 * len(self.prototypes)
        if namespace_of(X) is not None:

            def reduced(part: Any) -> Any:
                return reduce(self.compared(part))

            return joined_blocks(X, 8 * width, reduced)

        def block(rows: slice) -> Any:
            part = X[rows]
            part = part.toarray() if hasattr(part, "tocsr") else part
            return reduce(self.compared(part))

        blocks = row_blocks(X.shape[0], 8 * width, 2**21)
        return np.concatenate(map_blocks(block, blocks))

    def _check_objects(self, X: np.ndarray) -> None:
        """Raise unless X has the features that compiled loops take for granted."""
        n_features = self.prototypes.shape[1]
        if X.ndim != 2 or X.shape[1] != n_features:
            raise InputError(
                f"X must be a table with {n_features} features, got an array of shape "
                f"{X.shape}.",
                owner="PrototypeMetric",
                parameter="X",
            )
        check_finite(X, owner="PrototypeMetric", allow_nan=self.allow_nan)

    def _need_features(self) -> None:
        if self.kind == "precomputed":
            raise InputError("with metric='precomputed' prototypes have no features.")
