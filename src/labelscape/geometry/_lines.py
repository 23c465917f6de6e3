"""Lengths of straight lines, from a Parzen estimate or a classifier."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import named_as
from labelscape._core.numerics import answer_bytes, as_numbers, checked_probabilities
from labelscape._core.points.distances import squared_norms
from labelscape.geometry._parzen import SINGLE_RANGE, log_weights, refused

# Straight lines with a Parzen estimate: choice of the kernel for each pair.


class ParzenLines:
    """Fisher lengths of straight lines under a Parzen estimate."""

    # Several threads may compute blocks of pairs.
    threaded = True
    # Cost of a listed pair relative to a pair of a block, which uses matrix products.
    listed_cost = 1.5

    def __init__(self, parzen, n_steps, rule):
        self.parzen, self.n_steps, self.rule = parzen, n_steps, rule

    def prepare(self, X, own=None, single=False):
        """Return the data for lengths of lines between these points."""
        return log_weights(X, self.parzen, self.n_steps, own=own, single=single)

    def lighter(self, A):
        """Return points in float32, if the range of their weights allows it."""
        return A.astype(np.float32, self.n_steps) if A.a.min() >= -SINGLE_RANGE else A

    def common(self, A, B):
        """Return two sets of points in a common precision."""
        dtype = np.result_type(A.a, B.a)
        return A.astype(dtype, self.n_steps), B.astype(dtype, self.n_steps)

    def block(self, rows, columns, offset=-1):
        """Return lengths (b, m); row i begins at column ``offset + i``."""
        out = np.zeros((len(rows.a), len(columns.a)), rows.a.dtype)
        if self.rule != "sphere":
            needed = needed_pairs(out.shape, offset)
            out[needed] = self.listed(rows, columns, *listed_pairs(needed))
            return out
        starts, T = self.parzen.starts, self.n_steps
        product_lengths(rows, columns, starts, T, offset, out)
        if rows.wide.any() or columns.wide.any():
            from labelscape.geometry._kernels import exact_listed

            needed = needed_pairs(out.shape, offset)
            lengths = out[needed]
            bounds, chosen = listed_pairs(needed)
            by_row(exact_listed, rows, (columns, starts, T), bounds, chosen, lengths)
            out[needed] = lengths
        return out

    def listed(self, rows, columns, bounds, chosen):
        """Return lengths from row i to columns ``chosen[bounds[i]:bounds[i+1]]``."""
        from labelscape.geometry import _kernels

        out = np.empty(len(chosen), rows.a.dtype)
        starts, T = self.parzen.starts, self.n_steps
        # The result of np.nonzero is strided, and kernels would be compiled again for
        # it.
        pairs = (bounds, np.ascontiguousarray(chosen), out)
        if self.rule != "sphere":
            nodes, shares = quadrature(self.rule, T)
            known = columns, starts, nodes, shares
            by_row(_kernels.slope_listed, rows, known, *pairs)
            return out
        by_row(_kernels.listed_lengths, rows, (columns, starts, T), *pairs)
        if rows.wide.any() or columns.wide.any():
            by_row(_kernels.exact_listed, rows, (columns, starts, T), *pairs)
        return out


def by_row(kernel, rows, known, bounds, chosen, out):
    """Write lengths of listed pairs, one row per call, so that Ctrl+C ends a fit."""
    for i in range(len(bounds) - 1):
        kernel(rows.take(slice(i, i + 1)), *known, bounds[i : i + 2], chosen, out)


def needed_pairs(shape, offset):
    """Return a mask of the needed pairs: for row i, all columns from ``offset + i``."""
    if offset < 0:
        return np.ones(shape, dtype=bool)
    return np.arange(shape[1]) >= offset + np.arange(shape[0])[:, None]


def listed_pairs(mask):
    """Return the bounds of each row of a mask (b, m), and its columns in one list."""
    return np.concatenate([[0], np.cumsum(mask.sum(axis=1))]), columns_of(mask)


def columns_of(mask):
    """Return the columns of a mask (b, m), row by row."""
    # In one dimension, nonzero is several times faster than in two.
    return np.flatnonzero(mask) % mask.shape[1]


def quadrature(rule, n_steps):
    """Return positions on the line, and the share of its length for each."""
    if rule == "midpoint":
        return (np.arange(n_steps) + 0.5) / n_steps, np.full(n_steps, 1.0 / n_steps)
    # "left" uses the mean of both directions, which is the trapezoidal rule.
    shares = np.full(n_steps + 1, 1.0 / n_steps)
    shares[[0, -1]] /= 2.0
    return np.arange(n_steps + 1) / n_steps, shares


# Straight lines with a classifier, which predicts at the steps of each line.

BATCH_BYTES = 32 * 2**20


class ClassifierAnswers(NamedTuple):
    """Points X (n, d), and square roots U (n, C) of a classifier's probabilities."""

    X: np.ndarray
    U: np.ndarray

    def take(self, rows):
        """Return the predictions for some of the points."""
        return ClassifierAnswers(self.X[rows], self.U[rows])


class Classifier:
    """A fitted classifier, or a function, whose probabilities are checked."""

    def __init__(self, estimator):
        if isinstance(estimator, type):
            raise refused(
                "estimator must be a fitted classifier, got the class "
                f"{estimator.__name__}. Pass {estimator.__name__}().fit(X, y).",
                parameter="estimator",
            )
        self.estimator = estimator
        self.predict = getattr(estimator, "predict_proba", None) or estimator
        if not callable(self.predict):
            raise refused(
                "estimator must have predict_proba or be a function of X "
                f"that returns probabilities, got {type(estimator).__name__}.",
                parameter="estimator",
            )

    @property
    def called(self):
        """The name of the classifier in error messages."""
        return f"the estimator ({type(self.estimator).__name__})"

    def probabilities(self, X):
        """Return the probabilities (n, C), in batches."""
        n_classes = np.size(getattr(self.estimator, "classes_", ()))
        step = max(1, BATCH_BYTES // answer_bytes(X.shape[1], n_classes))
        parts = [self._batch(X[i : i + step]) for i in range(0, len(X), step)]
        return np.concatenate(parts)

    def _batch(self, X):
        source = f"FisherMetric: {self.called}"
        answers = self.predict(named_as(self.estimator, X))
        wanted = "one row of probabilities per sample"
        p = as_numbers(answers, wanted=wanted, source=source)
        if p.ndim != 2 or len(p) != len(X) or p.shape[1] < 2:
            raise ValueError(
                f"{source} must return one row of probabilities per sample, for two "
                f"classes or more: ({len(X)}, n_classes); it returned an array of "
                f"shape {p.shape}."
            )
        return checked_probabilities(p, source=source)


class ClassifierLines:
    """Fisher lengths from a classifier's predictions along lines."""

    rule = "sphere"
    # A user's function may not be thread-safe.
    threaded = False
    # A listed pair costs as many predictions as a pair of a block.
    listed_cost = 1.0

    def __init__(self, classifier, n_steps):
        self.classifier = classifier
        self.n_steps = n_steps

    def prepare(self, X, own=None, single=False):
        """Return the points with the classifier's predictions."""
        X = X.astype(np.float64)
        return ClassifierAnswers(X, np.sqrt(self.classifier.probabilities(X)))

    def lighter(self, A):
        """Return points unchanged."""
        return A

    def common(self, A, B):
        """Return two sets of points unchanged."""
        return A, B

    def block(self, rows, columns, offset=-1):
        """Return the lengths (b, m); row i begins at column ``offset + i``."""
        out = np.zeros((len(rows.X), len(columns.X)))
        needed = needed_pairs(out.shape, offset)
        out[needed] = self._pairs(rows, columns, *np.nonzero(needed))
        return out

    def listed(self, rows, columns, bounds, chosen):
        """Return lengths from row i to ``chosen[bounds[i]:bounds[i + 1]]``."""
        i = np.repeat(np.arange(len(rows.X)), np.diff(bounds))
        return self._pairs(rows, columns, i, chosen)

    def _pairs(self, rows, columns, i, j):
        from labelscape.geometry._kernels import add_arcs

        T = self.n_steps
        lengths = np.zeros(len(i))
        step = max(1, BATCH_BYTES // (8 * T * rows.X.shape[1]))
        t = (np.arange(1, T) / T)[:, None, None]
        for k in range(0, len(i), step):
            batch = slice(k, k + step)
            start, end = rows.take(i[batch]), columns.take(j[batch])
            stops = [start.U, end.U]
            if T > 1:
                between = (1.0 - t) * start.X + t * end.X
                p = self.classifier.probabilities(between.reshape(-1, start.X.shape[1]))
                stops[1:1] = np.sqrt(p).reshape(T - 1, len(start.X), -1)
            for before, after in pairwise(stops):
                add_arcs(squared_norms(after - before) / 4.0, lengths[batch])
        return lengths


class CrossFitEnds(ClassifierLines):
    """Fisher lengths from held-out predictions at the ends of lines."""

    threaded = True

    def __init__(self, classifiers):
        super().__init__(classifiers, 1)

    def prepare(self, X, own=None, single=False):
        """Return points with their probabilities; ``own`` are their folds."""
        X = X.astype(np.float64)
        ask = self.classifier
        p = ask.predict_proba(X) if own is None else ask.out_of_fold_proba(X)
        return ClassifierAnswers(X, np.sqrt(p))


def is_unfitted(estimator):
    """Return whether classifiers still need to be fitted."""
    if isinstance(estimator, str | list | tuple):
        return True
    if not (hasattr(estimator, "fit") and hasattr(estimator, "predict_proba")):
        return False
    if isinstance(estimator, type) or not hasattr(estimator, "get_params"):
        return False
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return True
    return False


# Fisher lengths of many lines by matrix products, for many Parzen points.
#
# The class weights of all pairs at step t are a product of matrices,
# ``S_c(i, j) = sum_{p in c} exp((1-t) a_ip) exp(t a_jp)``, so BLAS does the work.

# Class weights of a block that fit in a core's cache: half for this step, half for the
# square roots of the step before.
CACHE_BYTES = 3 * 2**19


def product_lengths(rows, columns, starts, n_steps, offset, out):
    """Write the lengths from rows to all columns into ``out`` (b, m)."""
    steps = np.arange(1, n_steps) / n_steps
    powers = [np.exp(rows.F.dtype.type(1.0 - t) * rows.floored) for t in steps]
    # Square blocks whose class weights fit in the cache.
    side = int(np.sqrt(CACHE_BYTES / (2 * (len(starts) - 1) * rows.a.itemsize)))
    side = max(32, min(256, side // 16 * 16))
    for i in range(0, len(rows.a), side):
        inner = slice(i, i + side)
        left = [power[inner] for power in powers]
        first = 0 if offset < 0 else (offset + i) // side * side
        for j in range(first, len(columns.a), side):
            outer = slice(j, j + side)
            ends = rows.U[inner], columns.F[outer], columns.U[outer]
            out[inner, outer] = _tile(left, *ends, starts)


def _tile(left, U, F, V, starts):
    """Return the lengths (b, m) of one block of pairs."""
    from labelscape.geometry._kernels import last_step, step_along

    C, b, m = U.shape[1], len(U), len(F)
    sums = np.empty((C, b, m), F.dtype)
    flat = sums.reshape(C, b * m)
    previous = np.repeat(U.T, m, axis=1)
    total, h = np.empty(b * m, F.dtype), np.empty(b * m, F.dtype)
    out = np.zeros(b * m, F.dtype)
    right = np.ones_like(F)
    for power in left:
        right *= F
        for c in range(C):
            own = slice(starts[c], starts[c + 1])
            np.matmul(power[:, own], right[:, own].T, out=sums[c])
        step_along(flat, previous, total, h, out)
    last_step(np.tile(V.T, (1, b)), previous, h, out)
    return out.reshape(b, m)
