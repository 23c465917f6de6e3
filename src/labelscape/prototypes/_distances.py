"""Distances to prototypes, and the class scores that follow from them."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Literal

import numpy as np

from labelscape._core.checks import check_finite, check_intact
from labelscape._core.errors import InputError
from labelscape._core.rows.any_rows import blockwise
from labelscape._core.rows.kinds import namespace_of
from labelscape._core.threads import one_blas_thread


def relative_lead(d):
    """Return ``(d_0 - d_1) / (d_0 + d_1)`` for distances d (n, 2); 0 if both are 0."""
    xp = namespace_of(d) or np
    total = xp.sum(d, axis=1)
    with np.errstate(invalid="ignore"):  # infinite for classes without prototypes
        lead = d[:, 0] - d[:, 1]
    lead = xp.where(xp.isinf(total), xp.sign(lead), lead)
    return lead / xp.where((total == 0.0) | xp.isinf(total), 1.0, total)


def prototype_classes(model):
    """Return the class index of each prototype of a fitted model, (l,)."""
    owner = np.searchsorted(model.classes_, model.prototype_labels_)
    is_intact = owner.shape == (len(model.prototypes_),)
    is_intact = is_intact and owner.max(initial=0) < len(model.classes_)
    check_intact(is_intact, "classes_, prototypes_ and prototype_labels_")
    return owner


def class_scores(d):
    """Return the decision function with one column per class, from class distances."""
    if d.shape[1] > 2:
        return -d
    lead = relative_lead(d) / 2.0
    return (namespace_of(d) or np).stack([-lead, lead], axis=1)


def nearest_of_all(D):
    """Return the nearest prototype of each sample, from distances D (n, l)."""
    return (namespace_of(D) or np).argmin(D, axis=1)


def least_of_classes(D, owner, n_classes):
    """Return the minimum (n, C) of D (n, l) in each class; ``owner`` (l,) is sorted."""
    if len(owner) == n_classes and (np.diff(owner) == 1).all():  # one per class
        return D
    xp = namespace_of(D) or np
    first = np.searchsorted(owner, np.arange(n_classes + 1)).tolist()
    columns = [
        reduce(xp.minimum, [D[:, p] for p in range(start, stop)])
        if stop > start
        else xp.full_like(D[:, 0], xp.inf)
        for start, stop in itertools.pairwise(first)
    ]
    return xp.stack(columns, axis=1)


Kind = Literal["euclidean", "diagonal", "matrix", "local", "precomputed"]


@dataclass(frozen=True, eq=False)
class PrototypeMetric:
    """The distance that a prototype model uses.

    =============  =================================  ========================  =======
    kind           distance to prototype w            models                    squared
    =============  =================================  ========================  =======
    "euclidean"    ``|x - w|``                        Push and Grow, similar    no
    "euclidean"    ``|x - w|^2``                      GLVQ                      yes
    "diagonal"     ``sum_j omega_j^2 (x_j - w_j)^2``  GRLVQ                     yes
    "matrix"       ``|Omega (x - w)|^2``              GMLVQ, LiRaM LVQ          yes
    "local"        ``|Psi_w (x - w)|^2``              LGMLVQ                    yes
    "local"        ``|Psi_w Omega (x - w)|^2``        localized LiRaM LVQ       yes
    "precomputed"  from given dissimilarities         Push and Grow             no
    =============  =================================  ========================  =======

    ``model.metric_`` returns this metric. It contains fitted arrays, but no data.
    """

    # "local" if each prototype has its own metric; "precomputed" if samples are given
    # by dissimilarities, so that there are no features.
    kind: Kind
    prototypes: np.ndarray  # (l, N) the prototypes
    is_squared: bool  # whether the model compares squared distances
    # Function from samples (n, N) to these distances (n, l); see `distances`.
    compared: Callable[[np.ndarray], np.ndarray] = field(repr=False)
    # (M, N) Factor that all prototypes share: Omega, its diagonal, or None (identity).
    shared: np.ndarray | None = None
    # (g, R, M) Local matrices Psi, applied after the shared factor.
    local: np.ndarray | None = None
    local_of: np.ndarray | None = None  # (l,) index of each prototype's local matrix
    allow_nan: bool = False  # whether samples may have missing values

    @property
    def has_common_space(self) -> bool:
        """Whether all prototypes use the same distance, as `images` requires."""
        # Local matrices after a shared matrix only bend the borders in its space.
        return self.local is None or self.shared is not None

    def factor(self, prototype: int) -> np.ndarray | None:
        """Return F with ``d = |F (x - w)|``: a matrix, its diagonal, or None for I."""
        self._need_features()
        if self.local is None or self.local_of is None:
            return self.shared
        local: np.ndarray = self.local[self.local_of[prototype]]
        return local if self.shared is None else local @ self.shared

    @property
    def factors(self) -> list[Any]:
        """The matrix F of each prototype, as `factor` returns it."""
        return [self.factor(prototype) for prototype in range(len(self.prototypes))]

    def images(self, X: Any) -> np.ndarray:
        """Return samples in the space of the shared factor (n, M)."""
        self._need_features()
        X = np.asarray(X, dtype=np.float64)
        self._check_samples(X)
        if self.shared is None:
            return X
        with one_blas_thread():
            images: np.ndarray = (
                X * self.shared if self.shared.ndim == 1 else X @ self.shared.T
            )
        return images

    def distances(self, X: Any) -> np.ndarray:
        """Return the distances (n, l) to all prototypes, squared if `is_squared`."""
        X = np.asarray(X)
        if X.dtype not in (np.float32, np.float64):
            X = X.astype(np.float64)
        self._check_samples(X)
        return self.compared(X)

    def lengths(self, X: Any) -> np.ndarray:
        """Return the distances (n, l) to all prototypes, never squared."""
        D = self.distances(np.asarray(X, dtype=np.float64))
        return np.sqrt(D) if self.is_squared else D

    def by_blocks(self, X: Any, reduce: Callable[[Any], Any]) -> Any:
        """Apply ``reduce`` to distances in blocks of samples, to limit the memory."""
        width = X.shape[1] + 2 * len(self.prototypes)
        return blockwise(X, 8 * width, lambda part: reduce(self.compared(part)))

    def _check_samples(self, X: np.ndarray) -> None:
        """Raise an error unless X has the right shape, which kernels do not check."""
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
            raise InputError("with metric='precomputed', prototypes have no features.")
