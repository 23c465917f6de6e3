"""Labeled samples in chunks of Dask: their summaries, and sums over all of them.

Workers prepare the samples. The client receives sizes, ranges and classes, but never
all samples. Steps that need samples receive a subset of limited size.
"""

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, Self

import numpy as np

from labelscape._core.labels import check_labels, exact_labels
from labelscape._core.rows.chunks import (
    Parts,
    added_up,
    array_of,
    bare,
    check_columns,
    column_of,
    computed,
    dtype_of,
    parts_of,
    persisted,
    shipped,
    task,
    tree,
)
from labelscape._core.rows.rows import (
    ClassFactors,
    Rows,
    check_classes_left,
    check_known,
    equal_steps,
)
from labelscape._core.rows.summaries import (
    Wanted,
    as_floats,
    by_class,
    check_summaries,
    classes_of,
    ranges_of,
    summarized,
    weights_of,
)
from labelscape._core.types import AnyCall, Array, Bools, Floats, Ints


def dask_rows(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    class_factors: ClassFactors | None,
    allow_nan: bool,
) -> "DaskRows":
    """Check labeled samples in chunks; see `rows_of`."""
    owner = type(estimator).__name__
    if y is None:
        check_labels(y, 0, owner=owner)  # type: ignore[arg-type]  # raises the error
    check_columns(estimator, X, reset=True)
    parts = parts_of(X, owner=owner, name="X", n_dimensions=2)
    columns = _columns(parts, y, sample_weight, owner=owner)
    names = getattr(estimator, "feature_names_in_", None)
    names = None if names is None else tuple(names)
    wanted = Wanted(owner, dtype_of(X), names, allow_nan)
    results = computed(
        task(summarized, *rows, int(start), wanted)
        for rows, start in zip(columns, parts.starts[:-1], strict=True)
    )
    summaries = [one for one in results if one is not None]
    check_summaries(summaries, wanted)
    labels = classes_of(summaries, owner)
    counts = by_class(summaries, labels, "counts").astype(np.intp)
    factors = np.ones(len(labels))
    if class_factors is not None:
        sizes = by_class(summaries, labels, "sizes").sum(axis=0)
        factors = class_factors(labels, sizes)
    weights = by_class(summaries, labels, "weights").sum(axis=0) * factors
    check_classes_left(labels, counts.sum(axis=0) * (weights > 0), owner)
    full = [rows for rows, one in zip(columns, results, strict=True) if one is not None]
    present = np.flatnonzero(counts.sum(axis=1))
    model = shipped((wanted, labels, factors, float(weights.sum())))
    pieces = [task(prepared, *full[i], model) for i in present]
    return DaskRows(pieces, labels, counts[present], ranges_of(summaries), wanted)


def _columns(parts: Parts, y: Any, sample_weight: Any, *, owner: str) -> list[Any]:
    """Return for each chunk its samples, labels and weights, as tasks."""
    labels = column_of(y, parts, owner=owner, name="y")
    if sample_weight is None or np.isscalar(sample_weight):
        weights: list[Any] = [sample_weight] * len(labels)
    else:
        weights = column_of(sample_weight, parts, owner=owner, name="sample_weight")
    return list(zip(parts.tasks, labels, weights, strict=True))


def prepared(X: Any, y: Any, weights: Any, model: tuple[Any, ...]) -> Rows:
    """Return a checked chunk as rows, without samples of weight 0."""
    wanted, labels, factors, total = model
    codes = np.searchsorted(labels, exact_labels(y)).astype(np.intp)
    weights = weights_of(weights, len(codes), wanted.owner) * factors[codes]
    owner, allow_nan = wanted.owner, wanted.allow_nan
    X, shares = as_floats(X, wanted), weights / total
    rows = Rows(X, labels, codes, weights, shares, None, owner, allow_nan, is_part=True)
    present = weights > 0
    return rows if present.all() else rows.chosen(present)


class DaskRows(Rows):
    """Samples with classes and weights, in chunks (`Rows`) on the workers."""

    is_chunked: ClassVar[bool] = True

    def __init__(
        self,
        pieces: Sequence[Any],
        labels: Array,
        counts: Ints,
        ranges: tuple[Array, Array],
        wanted: Wanted,
    ) -> None:
        self.labels, self.counts, self.ranges = labels, counts, ranges
        self.owner, self.allow_nan, self.center = wanted.owner, wanted.allow_nan, None
        n, n_features = self.shape
        self.pieces = persisted(pieces, n * (n_features + 3) * 8)

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.counts.sum()), len(self.ranges[0])

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.ranges[0].dtype

    @cached_property
    def codes(self) -> Ints:
        return np.concatenate(self.each(attrgetter("codes")))

    @property
    def class_sizes(self) -> Any:
        return self.counts.sum(axis=0)

    @property
    def sizes(self) -> Any:
        return self.counts.sum(axis=1)

    def about(self, center: Array) -> Self:
        """Return the same rows, whose sums are computed relative to a center."""
        rows = copy.copy(self)
        rows.center = center.astype(self.dtype)
        return rows

    # Selections of samples, in memory.

    def thinned(self, most: int) -> Rows:
        return self.chosen(np.arange(0, len(self), -(-len(self) // most)))

    def sampled(self, most: int) -> Rows:
        """Return at most ``most`` samples, evenly spaced within the classes."""
        steps, sizes = equal_steps(len(self), most), self.class_sizes
        places = [
            self._places(c, steps[(steps >= start) & (steps < start + size)] - start)
            for c, (start, size) in enumerate(zip(_starts(sizes), sizes, strict=True))
        ]
        return self._gathered(list(zip(*places, strict=True)))

    def chosen(self, which: Ints) -> Rows:  # type: ignore[override]
        order = np.argsort(which, kind="stable")
        cut = _cut(which[order], self.sizes)
        return self._gathered([[(None, own)] for own in cut]).chosen(np.argsort(order))

    def of_class(self, c: int, ranks: Ints) -> Rows:
        return self._gathered([[own] for own in self._places(c, ranks)])

    def _places(self, c: int, ranks: Ints) -> list[Any]:
        """Return (c, ranks among the chunk's samples of class c) for each chunk."""
        return [(c, own) for own in _cut(ranks, self.counts[:, c])]

    def _gathered(self, each: Sequence[Any]) -> Rows:
        wanted = [(own,) if any(len(rows) for _, rows in own) else None for own in each]
        some: list[Rows] = computed(self._tasks(_chosen, (), wanted))
        parts: dict[str, Any] = {
            name: np.concatenate([getattr(one, name) for one in some])
            for name in ("X", "codes", "weights", "shares")
        }
        return replace(some[0], center=self.center, is_part=False, **parts)

    def subset(self, mask: Bools) -> tuple[Any, Any]:
        """Return X and class indices of some samples, as lazy Dask arrays."""
        cut = np.split(mask, _starts(self.sizes)[1:])
        pairs = zip(self.pieces, cut, strict=True)
        tasks = [task(Rows.subset, piece, some) for piece, some in pairs]
        sizes = [int(some.sum()) for some in cut]
        like = np.empty((0, self.shape[1]), dtype=self.dtype)
        codes = np.empty(0, dtype=np.intp)
        return array_of(tasks, 0, sizes, like), array_of(tasks, 1, sizes, codes)

    # Sums over all samples.

    def added(
        self,
        function: AnyCall,
        *model: Any,
        each: Sequence[Any] | None = None,
        add: Callable[[Any, Any], Any] = added_up,
    ) -> Any:
        return computed([tree(add, self._tasks(function, model, each))])[0]

    def each(
        self, function: AnyCall, *model: Any, along: tuple[Any, ...] = ()
    ) -> list[Any]:
        """Return ``function(rows, *along, *model)`` for each chunk, in order."""
        return computed(self.tasks(function, *model, along=along))

    def tasks(
        self, function: AnyCall, *model: Any, along: tuple[Any, ...] = ()
    ) -> list[Any]:
        """Return ``function(rows, *along, *model)`` for each chunk, as tasks."""
        cuts = [np.split(values, _starts(self.sizes)[1:]) for values in along]
        each = list(zip(*cuts, strict=True)) if along else None
        return self._tasks(function, model, each)

    def _tasks(
        self, function: AnyCall, model: tuple[Any, ...], each: Sequence[Any] | None
    ) -> list[Any]:
        """Return tasks ``function(chunk, *own, *model)``; none if ``own`` is None."""
        model = tuple(bare(one) if hasattr(one, "get_params") else one for one in model)
        out, called = shipped((self.center, model)), getattr(function, "__name__", None)
        each = [()] * len(self.pieces) if each is None else each
        return [
            task(_of_piece, function, piece, out, *own, called=called)
            for piece, own in zip(self.pieces, each, strict=True)
            if own is not None
        ]

    def once_each(self, step: AnyCall, variables: Any, rng: Any, *model: Any) -> Any:
        """Return a model's variables after one step per sample, chunk by chunk."""
        at, rest = shipped(variables), shipped((step, self.center, model))
        for piece in rng.permutation(len(self.pieces)):
            seed = int(rng.randint(2**31 - 1))
            at = task(_after_piece, self.pieces[piece], at, rest, seed)
        return computed([at])[0]

    def moments(self) -> tuple[Floats, Floats]:
        total, known = self.added(_first_moment)
        check_known(known, self.owner)
        center = total / known
        return center, self.added(_second_moment, center) / known

    def class_mean(self, c: int, ranks: Any = None) -> Any:
        if ranks is None:
            ranks = np.arange(self.class_sizes[c])
        each = [(own,) if len(own[1]) else None for own in self._places(c, ranks)]
        total, weight = self.added(_weighted_sum, each=each)
        return total / weight

    def scatters(self) -> Any:
        return self.added(Rows.scatters, add=_joined)

    def scatter(self) -> Any:
        return self.added(Rows.scatter)

    def among(self, points: Array, largest: Any = None) -> Any:
        return self.added(Rows.among, points, self.largest)


def _starts(sizes: Ints) -> Ints:
    return np.cumsum(sizes) - sizes


def _cut(indices: Array, sizes: Ints) -> list[Array]:
    """Return sorted indices for each chunk, counted from its first row."""
    starts = _starts(sizes)
    bounds = np.searchsorted(indices, [*starts, sizes.sum()])
    ends = zip(bounds[:-1], bounds[1:], starts, strict=True)
    return [indices[low:high] - start for low, high, start in ends]


# Functions applied to one chunk, on its worker.


def _of_piece(function: AnyCall, piece: Rows, out: tuple[Any, Any], *own: Any) -> Any:
    center, model = out
    return function(piece if center is None else piece.about(center), *own, *model)


def _chosen(piece: Rows, own: Sequence[tuple[int | None, Any]]) -> Rows:
    """Return the samples at given rows, or at given positions within classes."""
    return piece.chosen(np.concatenate([_members(piece, *one) for one in own]))


def _members(piece: Rows, c: int | None, places: Array) -> Ints:
    return places if c is None else np.flatnonzero(piece.codes == c)[places]


def _after_piece(piece: Rows, variables: Any, rest: tuple[Any, ...], seed: int) -> Any:
    step, center, model = rest
    order = np.random.RandomState(seed).permutation(len(piece))
    # Copied, because Dask may run this task again with the same variables.
    return step(piece.about(center), variables.copied(), order, *model)


def _first_moment(piece: Rows) -> tuple[Floats, Floats]:
    observed = ~np.isnan(piece.X)
    total = piece.shares @ np.where(observed, piece.X, 0.0)
    return total, piece.shares @ observed


def _second_moment(piece: Rows, center: Floats) -> Any:
    return piece.shares @ np.nan_to_num(piece.X - center, nan=0.0) ** 2


def _weighted_sum(piece: Rows, own: tuple[int, Any]) -> tuple[Floats, float]:
    """Return the weighted sum of some samples of a chunk, and their total weight."""
    rows = _members(piece, *own)
    shares = piece.shares[rows]
    return shares @ piece.centered(rows), shares.sum()


def _joined(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return means, shares and within-class scatter of two parts combined."""
    (means, shares, within), (more, others, beside) = a, b
    total = shares + others
    part = np.divide(others, total, out=np.zeros_like(total), where=total > 0.0)
    gaps = more - means
    between = (gaps.T * (shares * part)) @ gaps
    return means + part[:, None] * gaps, total, within + beside + between
