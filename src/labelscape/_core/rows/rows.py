"""Labeled samples of all types of X, with the operations that a fit needs.

==============  ==============================================================
`Rows`          arrays of NumPy, or a sparse matrix: a block at a time becomes dense
`DeviceRows`    an array of PyTorch or a similar library, on its device
`DaskRows`      arrays and data frames of Dask, in chunks on workers
==============  ==============================================================

`any_rows.rows_of` checks X, y and weights and returns the rows, so that one fit works
for all three types.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.labels import no_weight
from labelscape._core.threads import (
    ignored,
    map_blocks,
    one_blas_thread,
    one_openmp_thread,
    row_blocks,
)
from labelscape._core.types import AnyCall, Array, Bools, Floats, Ints

# K-means uses at most this many samples, because it copies its input.
KMEANS_SAMPLES = 5000
PART_BYTES = 2**20  # samples are added in blocks of this size

# A function from classes and their sizes to factors of the sample weights.
ClassFactors = Callable[[Array, Array], Floats]


def check_classes_left(labels: Array, sizes: Array, owner: str) -> None:
    """Raise an error if a class has no sample with a weight above 0."""
    if not sizes.any():
        raise no_weight(owner=owner)
    if not sizes.all():
        raise InputError(
            f"all samples of class {labels[sizes == 0].tolist()[0]!r} have weight 0. "
            "Leave out these samples, or set weights above 0.",
            owner=owner,
        )


@dataclass
class Rows:
    """Samples X (n, N) with class indices and weights, as NumPy arrays."""

    X: Any  # or a sparse matrix of rows (CSR)
    labels: Array  # the sorted classes
    codes: Any
    weights: Any
    shares: Any = None  # weights that add up to 1
    center: Any = None  # the origin of sums, if set
    owner: str = ""
    allow_nan: bool = False
    is_part: bool = False  # there are more samples than these, as in a stream

    on_device: ClassVar[bool] = False
    is_chunked: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.codes = self.codes.astype(np.intp, copy=False)
        if self.shares is None:
            self.shares = self.weights / self.weights.sum()

    def __len__(self) -> int:
        return int(self.shape[0])

    @property
    def shape(self) -> Any:
        """Numbers of samples and features."""
        return self.X.shape

    @property
    def dtype(self) -> Any:
        """NumPy data type of the numbers."""
        return self.X.dtype

    @property
    def is_sparse(self) -> bool:
        """Whether X is sparse."""
        return hasattr(self.X, "tocsr")

    @cached_property
    def patterns(self) -> list[tuple[Any, Any]] | None:
        """Groups of samples with the same missing features; None if X is complete."""
        return missing_patterns(self.X) if self.allow_nan else None

    @cached_property
    def ranges(self) -> tuple[Array, Array]:
        """The lowest and the highest value of each feature."""
        if self.is_sparse:
            ends = self.X.min(axis=0), self.X.max(axis=0)
            return _vector(ends[0].todense()), _vector(ends[1].todense())

        def ends_of(rows: slice) -> tuple[Array, Array]:
            return np.fmin.reduce(self.X[rows]), np.fmax.reduce(self.X[rows])

        blocks = row_blocks(len(self), self.X.itemsize * self.shape[1], PART_BYTES)
        lows, highs = zip(*map_blocks(ends_of, blocks), strict=True)
        return np.fmin.reduce(lows), np.fmax.reduce(highs)

    @property
    def largest(self) -> Any:
        """The largest absolute value of each feature."""
        low, high = self.ranges
        return np.maximum(np.abs(low), np.abs(high))

    @property
    def given_weights(self) -> Any:
        """Sample weights before they were divided by their sum."""
        return self.weights

    @property
    def class_sizes(self) -> Ints:
        """Number of samples in each class."""
        return np.bincount(self.codes, minlength=len(self.labels))

    # Selections of samples.

    def about(self, center: Array) -> Self:
        """Return the same rows, whose sums are computed relative to a center."""
        return replace(self, center=center.astype(self.dtype))

    def chosen(self, which: Any) -> Self:
        """Return the rows of a slice, a mask or an index array."""
        return replace(
            self,
            X=self.X[which] if self.is_sparse else np.ascontiguousarray(self.X[which]),
            codes=self.codes[which],
            weights=self.weights[which],
            shares=self.shares[which],
        )

    def gathered(self) -> "Rows":
        """Return the same samples as NumPy arrays or sparse matrices."""
        return self

    def thinned(self, most: int) -> "Rows":
        """Return at most ``most`` samples, evenly spaced."""
        return self.chosen(slice(None, None, -(-len(self) // most)))

    def every(self, most: int) -> "Rows":
        """Return at most ``most`` samples, with shares that add up to 1."""
        some = self.thinned(most)
        return replace(some, shares=some.shares / some.shares.sum())

    def sampled(self, most: int) -> "Rows":
        """Return dense samples of all classes, at most ``most`` if X is sparse."""
        if not self.is_sparse:
            return self
        by_class = np.argsort(self.codes, kind="stable")
        which = by_class[equal_steps(len(self), most)]
        return Rows(
            self.block(which), self.labels, self.codes[which], self.weights[which]
        )

    def of_class(self, c: int, ranks: Any) -> "Rows":
        """Return samples of class c by rank; the first of the class has rank 0."""
        return self.chosen(np.flatnonzero(self.codes == c)[ranks])

    def subset(self, mask: Bools) -> tuple[Any, Any]:
        """Return X and class indices of some samples, as arguments of a fit."""
        return self.X[mask], self.codes[mask]

    def block(self, which: Any) -> Any:
        """Return some samples as a dense array."""
        return self.X[which].toarray() if self.is_sparse else self.X[which]

    def part(self, which: Any) -> Any:
        """Return some samples for matrix products; sparse if X is sparse."""
        return self.X[which]

    def centered(self, which: Any = slice(None)) -> Any:
        """Return some samples minus the center, with 0 for missing values."""
        return np.nan_to_num(self.block(which).astype(np.float64) - self.center, nan=0)

    def projected(self, basis: Floats) -> Any:
        """Return all samples minus the center, projected on a basis (N, m)."""
        if self.is_sparse:
            return self.X @ basis - self.center @ basis
        return self.centered() @ basis

    # Sums over all samples.

    def added(self, function: AnyCall, *model: Any) -> Any:
        """Return the sum of ``function(rows, *model)`` over parts of the rows."""
        return function(self, *model)

    def each(
        self, function: AnyCall, *model: Any, along: tuple[Any, ...] = ()
    ) -> list[Any]:
        """Return ``function(rows, *along, *model)`` for parts of the rows, in order."""
        return [function(self, *along, *model)]

    def once_each(self, step: AnyCall, variables: Any, rng: Any, *model: Any) -> Any:
        """Return a model's variables after one step per sample, in random order."""
        return step(self, variables, rng.permutation(len(self)), *model)

    def moments(self) -> tuple[Floats, Floats]:
        """Return mean and variance of each feature, without missing values."""
        if self.patterns is not None:
            return self._moments_of_incomplete()
        mean: Floats = self.shares @ self.X

        def squares(rows: slice) -> Floats:
            return np.asarray(self.shares[rows] @ (self.block(rows) - mean) ** 2)

        return mean, self._summed(squares)

    def _summed(self, function: AnyCall, width: int = 0) -> Any:
        """Return the sum of ``function(rows)`` (width, N) over blocks, in order."""
        # All sums together use at most a quarter of the samples' memory.
        budget = max(PART_BYTES, 32 * width * self.shape[1])
        return sum(
            map_blocks(function, row_blocks(len(self), 8 * self.shape[1], budget))
        )

    def _moments_of_incomplete(self) -> tuple[Floats, Floats]:
        X, weights, observed = self.X, self.weights, ~np.isnan(self.X)
        known = weights @ observed
        if not self.is_part:
            check_known(known, self.owner)
        known[known == 0.0] = 1.0
        center = weights @ np.where(observed, X, 0.0) / known
        return center, weights @ np.where(observed, X - center, 0.0) ** 2 / known

    def class_mean(self, c: int, ranks: Any = slice(None)) -> Any:
        """Return the weighted mean of samples of a class, relative to the center."""
        members = np.flatnonzero(self.codes == c)[ranks]
        blocks = row_blocks(len(members), 8 * self.shape[1], PART_BYTES)

        def summed(rows: slice) -> Floats:
            some = members[rows]
            return np.asarray(self.shares[some] @ self.centered(some))

        return sum(map_blocks(summed, blocks)) / self.shares[members].sum()

    def scatters(self) -> tuple[Floats, Floats, Floats]:
        """Return class means, class shares and the within-class covariance."""
        n_classes = len(self.labels)
        shares: Floats = np.bincount(self.codes, self.shares, n_classes).astype(float)

        def sums(rows: slice) -> Floats:
            X, weights = self.centered(rows), self.shares[rows]
            own = np.zeros((len(X), n_classes))
            own[np.arange(len(X)), self.codes[rows]] = weights
            return np.vstack([own.T @ X, (X.T * weights) @ X])

        both = self._summed(sums, self.shape[1])
        # A class without a sample in this part has no sum.
        means = both[:n_classes] / np.where(shares > 0.0, shares, 1.0)[:, None]
        return means, shares, both[n_classes:] - (means.T * shares) @ means

    def scatter(self) -> Floats:
        """Return the sum of ``(x - center) (x - center)^T``."""

        def product(rows: slice) -> Floats:
            centered = self.centered(rows)
            return np.asarray(centered.T @ centered)

        return np.asarray(self._summed(product, self.shape[1]))

    def among(self, points: Array, largest: Any = None) -> Bools:
        """Return which points (k, N) equal a sample, up to rounding."""
        largest = self.largest if largest is None else largest
        return equal_to_samples(points, self._near(points), largest)

    def _near(self, points: Array) -> Any:
        """Return the samples that may equal a point: all, or a few if X is sparse."""
        if not self.is_sparse:
            return self.X
        W = points.astype(np.float64)
        squares = _vector(self.X.multiply(self.X).sum(axis=1))
        sizes = squares[:, None] + np.einsum("ij,ij->i", W, W)
        gaps = sizes - 2.0 * (self.X @ W.T)
        return self.block(np.flatnonzero((gaps <= 1e-4 * sizes).any(axis=1)))

    def kmeans(self, count: int, rng: Any) -> Any:
        """Return the centers of k-means, relative to ``center``."""
        from sklearn import config_context
        from sklearn.cluster import KMeans
        from sklearn.exceptions import ConvergenceWarning

        # Centering would make sparse samples dense.
        X = self.X.astype(np.float64) if self.is_sparse else self.centered()
        # With too few distinct samples, some centers coincide, which later steps allow.
        with ignored(ConvergenceWarning):
            checked = {"assume_finite": True, "skip_parameter_validation": True}
            # The sums of k-means would depend on the number of threads.
            with one_blas_thread(), one_openmp_thread(), config_context(**checked):
                search = KMeans(count, n_init=1, random_state=rng)
                centers = search.fit(X, sample_weight=self.shares).cluster_centers_
        return centers - self.center if self.is_sparse else centers


def _vector(column: Any) -> Array:
    return np.asarray(column).ravel()


def equal_steps(n: int, most: int) -> Ints:
    """Return at most ``most`` evenly spaced integers below n."""
    return np.linspace(0, n - 1, min(n, most)).round().astype(np.intp)


def equal_to_samples(points: Array, X: Array, largest: Array | None = None) -> Bools:
    """Return which points (k,) equal a sample, and would disclose it in a file."""
    if largest is None:
        largest = np.fmax.reduce(np.abs(X), axis=0, initial=0.0)
    close = closeness(X.dtype, largest)
    return np.array(map_blocks(lambda w: _is_among(w, X, close), points), dtype=bool)


def closeness(dtype: Any, largest: Array) -> Array:
    """Return for each feature the largest difference that rounding may cause."""
    return np.asarray(16 * np.finfo(dtype).eps * largest)


def _is_among(w: Array, X: Array, close: Array) -> bool:
    rows = np.arange(len(X))
    for j, limit in enumerate(close):
        rows = rows[~(np.abs(X[rows, j] - w[j]) > limit)]
        if not len(rows):
            return False
    return True


def missing_patterns(X: Array) -> list[tuple[Any, Any]] | None:
    """Return (rows, observed columns) for each pattern of missing values, or None."""
    observed = ~np.isnan(X)
    if observed.all():
        return None
    masks, pattern = np.unique(observed, axis=0, return_inverse=True)
    if not masks.any(axis=1).all():
        raise no_value(int(np.flatnonzero(~observed.any(axis=1))[0]))
    return [
        (np.flatnonzero(pattern == index), np.flatnonzero(mask))
        for index, mask in enumerate(masks)
    ]


def no_value(row: int) -> InputError:
    """Return the error for a sample whose values are all missing."""
    return InputError(
        f"Sample {row} has no value at all: every feature is missing. Leave the sample "
        "out."
    )


def check_known(known: Floats, owner: str) -> None:
    """Raise an error if all values of a feature are missing."""
    if not known.all():
        raise InputError(
            f"column {int(known.argmin())} has no value at all: every sample lacks it. "
            "Leave the column out.",
            owner=owner,
        )
