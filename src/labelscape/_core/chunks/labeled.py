"""Labelled objects in chunks: what is known of them all, and sums over them.

The client learns sizes, ranges and classes, never the objects: these are prepared where
they are. What asks for some of them gets a sample whose size does not grow with theirs.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import check_labels, exact_labels, no_weight
from labelscape._core.chunks.features import check_columns, dtype_of
from labelscape._core.chunks.looks import (
    Floats,
    Wanted,
    as_floats,
    by_class,
    check_looks,
    classes_of,
    looked_at,
    ranges_of,
    weights_of,
)
from labelscape._core.chunks.parts import Parts, column_of, parts_of
from labelscape._core.chunks.sums import (
    added_up,
    computed,
    kept,
    shipped,
    task,
    tree,
)
from labelscape._core.errors import InputError


class Piece(NamedTuple):
    """Some objects: numbers, class indices, and shares of the weight of all."""

    X: NDArray[Any]
    classes: NDArray[np.intp]
    weights: Floats


class LabeledChunks:
    """Objects with classes and weights, in chunks that workers hold."""

    def __init__(
        self,
        pieces: Sequence[Any],
        classes: NDArray[Any],
        counts: NDArray[np.intp],
        ranges: tuple[NDArray[Any], NDArray[Any]],
        weight: float,
    ) -> None:
        self.classes, self.counts, self.weight = classes, counts, weight
        self.low, self.high = ranges
        self.dtype: np.dtype[Any] = self.low.dtype
        self.shape: tuple[int, int] = (int(counts.sum()), len(self.low))
        self.pieces = kept(pieces, self.shape[0] * (self.shape[1] + 2) * 8)

    def __len__(self) -> int:
        return self.shape[0]

    def added(
        self,
        function: Callable[..., Any],
        *model: Any,
        each: Sequence[Any] | None = None,
        add: Callable[[Any, Any], Any] = added_up,
        called: str | None = None,
    ) -> Any:
        """Return the sum of ``function(piece, *model)`` over all chunks."""
        parts = self._tasks(function, model, each, called or function.__name__)
        return computed([tree(add, parts)])[0]

    def of_each(self, function: Callable[..., Any], *model: Any) -> list[Any]:
        """Return what a function gives for each chunk, in their order."""
        return computed(self.tasks(function, *model))

    def tasks(self, function: Callable[..., Any], *model: Any) -> list[Any]:
        """Return the same before it is computed."""
        return self._tasks(function, model, None, function.__name__)

    def _tasks(
        self,
        function: Callable[..., Any],
        model: tuple[Any, ...],
        each: Sequence[Any] | None,
        called: str,
    ) -> list[Any]:
        out = shipped(model)
        if each is None:
            return [
                task(_of_piece, function, piece, out, called=called)
                for piece in self.pieces
            ]
        pairs = zip(self.pieces, each, strict=True)
        return [
            task(_of_piece, function, piece, out, own, called=called)
            for piece, own in pairs
            if own is not None
        ]

    def every(self, step: int) -> Piece:
        """Return each step-th object, in the order of all."""
        sizes = self.counts.sum(axis=1)
        starts = np.cumsum(sizes) - sizes
        each = [
            [(None, np.arange(-start % step, size, step))]
            for start, size in zip(starts, sizes, strict=True)
        ]
        return self._gathered(each)

    def rows(self, rows: NDArray[np.integer]) -> Piece:
        """Return some objects by their rows, in the order in which they are asked."""
        order = np.argsort(rows, kind="stable")
        sizes = self.counts.sum(axis=1)
        starts = np.cumsum(sizes) - sizes
        bounds = np.searchsorted(rows[order], [*starts, len(self)])
        each = [
            [(None, rows[order][low:high] - start)]
            for low, high, start in zip(bounds[:-1], bounds[1:], starts, strict=True)
        ]
        found, back = self._gathered(each), np.argsort(order)
        return Piece(found.X[back], found.classes[back], found.weights[back])

    def of_class(self, c: int, ranks: NDArray[np.integer]) -> Piece:
        """Return objects of a class by their ranks, sorted: 0 is its first object."""
        return self._gathered([[own] for own in self.places(c, ranks)])

    def by_class(self, most: int) -> Piece:
        """Return at most so many objects, at equal steps through the classes."""
        n, sizes = len(self), self.counts.sum(axis=0)
        steps = np.linspace(0, n - 1, min(n, most)).round().astype(np.intp)
        starts = np.cumsum(sizes) - sizes
        chosen = [
            self.places(c, steps[(steps >= start) & (steps < start + size)] - start)
            for c, (start, size) in enumerate(zip(starts, sizes, strict=True))
        ]
        return self._gathered(list(zip(*chosen, strict=True)))

    def places(self, c: int, ranks: NDArray[np.integer]) -> list[Any]:
        """Return for each chunk (class, places in it) of some objects of a class."""
        sizes = self.counts[:, c]
        starts = np.cumsum(sizes) - sizes
        bounds = np.searchsorted(ranks, [*starts, sizes.sum()])
        return [
            (c, ranks[low:high] - start)
            for low, high, start in zip(bounds[:-1], bounds[1:], starts, strict=True)
        ]

    def _gathered(self, each: Sequence[Any]) -> Piece:
        wanted = [own if any(len(rows) for _, rows in own) else None for own in each]
        tasks = self._tasks(chosen_from, (), wanted, "sample")
        pieces = zip(*computed(tasks), strict=True)
        return Piece(*(np.concatenate(parts) for parts in pieces))


def chosen_from(piece: Piece, own: Sequence[tuple[int | None, Any]]) -> Piece:
    """Return some objects of a chunk: by their rows, or by places in a class."""
    rows = np.concatenate([rows_of(piece, c, places) for c, places in own])
    return Piece(*(part[rows] for part in piece))


def rows_of(piece: Piece, c: int | None, places: NDArray[Any]) -> NDArray[np.intp]:
    """Return rows of a chunk by their places in a class, or among all."""
    return places if c is None else np.flatnonzero(piece.classes == c)[places]


def labeled_chunks(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    allow_nan: bool = False,
    class_factors: Callable[[NDArray[Any], Floats], Floats] | None = None,
) -> LabeledChunks:
    """Check chunked objects with labels, and return them ready for sums."""
    owner = type(estimator).__name__
    if y is None:
        check_labels(y, 0, owner=owner)  # type: ignore[arg-type]  # says so
    check_columns(estimator, X, reset=True)
    parts = parts_of(X, owner=owner, name="X", n_dimensions=2)
    columns = _columns(parts, y, sample_weight, owner=owner)
    names = getattr(estimator, "feature_names_in_", None)
    names = None if names is None else tuple(names)
    wanted = Wanted(owner, dtype_of(X), names, allow_nan)
    found = computed(
        task(looked_at, *rows, int(start), wanted)
        for rows, start in zip(columns, parts.starts[:-1], strict=True)
    )
    looks = [look for look in found if look is not None]
    check_looks(looks, wanted)
    classes = classes_of(looks, owner)
    counts = by_class(looks, classes, "counts").astype(np.intp)
    factors = (
        np.ones(len(classes))
        if class_factors is None
        else class_factors(classes, by_class(looks, classes, "sizes").sum(axis=0))
    )
    weights = by_class(looks, classes, "weights").sum(axis=0) * factors
    total = _total_weight(classes, counts, weights, owner)
    full = [rows for rows, look in zip(columns, found, strict=True) if look is not None]
    there = np.flatnonzero(counts.sum(axis=1))
    model = shipped((wanted, classes, factors / total))
    return LabeledChunks(
        [task(prepared, *full[i], model) for i in there],
        classes,
        counts[there],
        ranges_of(looks),
        total,
    )


def _columns(parts: Parts, y: Any, sample_weight: Any, *, owner: str) -> list[Any]:
    """Return for each chunk its objects, labels and weights, as tasks."""
    labels = column_of(y, parts, owner=owner, name="y")
    if sample_weight is None or np.isscalar(sample_weight):
        weights: list[Any] = [sample_weight] * len(labels)
    else:
        weights = column_of(sample_weight, parts, owner=owner, name="sample_weight")
    return list(zip(parts.tasks, labels, weights, strict=True))


def prepared(X: Any, y: Any, weights: Any, model: tuple[Any, ...]) -> Piece:
    """Return a chunk that was found usable; objects of weight 0 are not there."""
    wanted, classes, factors = model
    codes = np.searchsorted(classes, exact_labels(y)).astype(np.intp)
    shares = weights_of(weights, len(codes), wanted.owner) * factors[codes]
    piece = Piece(as_floats(X, wanted), codes, shares)
    there = shares > 0
    return piece if there.all() else Piece(*(part[there] for part in piece))


def _total_weight(
    classes: NDArray[Any], counts: NDArray[np.intp], weights: Floats, owner: str
) -> float:
    if not weights.any():
        raise no_weight(owner=owner)
    empty = classes[(counts.sum(axis=0) == 0) | (weights == 0)].tolist()
    if empty:
        raise InputError(
            f"all objects of class {empty[0]!r} have weight 0. Leave them out, or give "
            "them a weight.",
            owner=owner,
        )
    return float(weights.sum())


def _of_piece(
    function: Callable[..., Any], piece: Piece, model: tuple[Any, ...], *own: Any
) -> Any:
    return function(piece, *own, *model)
