"""Straight lines measured by a classifier: it is asked at the steps of each line."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from labelscape._core.distances import squared_norms
from labelscape.geometry._straight import needed_pairs

BATCH_BYTES = 32 * 2**20
# Probabilities need not add up better than this: float32 networks round.
SUM_TOLERANCE = 1e-3
# Steps of the central differences, in units of a feature's standard deviation.
DIFFERENCE = 1e-3


class ClassifiedPoints(NamedTuple):
    """Points X (n, d), and the roots U (n, C) of what the classifier says of them."""

    X: np.ndarray
    U: np.ndarray

    def take(self, rows):
        """Return the same for some of the points."""
        return ClassifiedPoints(self.X[rows], self.U[rows])


class Classifier:
    """A fitted classifier, or a function, whose answers are checked probabilities."""

    def __init__(self, estimator):
        self.estimator = estimator
        self.ask = getattr(estimator, "predict_proba", None) or estimator
        self.names = getattr(estimator, "feature_names_in_", None)
        if not callable(self.ask):
            raise ValueError(
                "FisherMetric: estimator must have predict_proba or be a function of X "
                f"that returns probabilities, got {type(estimator).__name__}."
            )

    def probabilities(self, X):
        """Return the probabilities (n, C), in batches."""
        step = max(1, BATCH_BYTES // (8 * X.shape[1]))
        parts = [self._batch(X[i : i + step]) for i in range(0, len(X), step)]
        return np.concatenate(parts)

    def _batch(self, X):
        given = X
        if self.names is not None and len(self.names) == X.shape[1]:
            import pandas as pd  # a classifier that knows names was fitted to a frame

            given = pd.DataFrame(X, columns=self.names)
        p = np.asarray(self.ask(given), dtype=np.float64)
        name = type(self.estimator).__name__
        if p.ndim != 2 or len(p) != len(X) or p.shape[1] < 2:
            raise ValueError(
                f"FisherMetric: the estimator ({name}) must return one row of "
                f"probabilities per object, for two classes or more: ({len(X)}, "
                f"n_classes); it returned an array of shape {p.shape}."
            )
        wrong = ~np.isfinite(p).all(axis=1) | (p < 0.0).any(axis=1)
        wrong |= np.abs(p.sum(axis=1) - 1.0) > SUM_TOLERANCE
        if wrong.any():
            row = p[np.argmax(wrong)]
            raise ValueError(
                f"FisherMetric: the estimator ({name}) must return probabilities, not "
                f"negative and adding up to 1; {wrong.sum()} of {len(p)} rows are not, "
                f"the first {np.round(row[:5], 4)}. Look at what it says of them, or "
                "wrap it in a function that mends them."
            )
        return p / p.sum(axis=1, keepdims=True)


class ClassifierLines:
    """Fisher lengths of straight lines on which a classifier is asked (section 3.2).

    Parameters
    ----------
    classifier : Classifier
        Gives the posteriors.
    n_steps : int
        T, the pieces of a line: T - 1 questions per pair.
    """

    # A user's function need not bear two threads.
    threaded = False
    # Listed pairs cost as much as pairs of a block: predictions.
    listed_cost = 1.0

    def __init__(self, classifier, n_steps):
        self.classifier = classifier
        self.n_steps = n_steps

    def prepare(self, X, own=None, single=False):
        """Return the points with the classifier's answers."""
        X = X.astype(np.float64)
        return ClassifiedPoints(X, np.sqrt(self.classifier.probabilities(X)))

    def lighter(self, A):
        """Return points as they are."""
        return A

    def common(self, A, B):
        """Return two sets of points as they are."""
        return A, B

    def block(self, rows, columns, offset=-1):
        """Return the lengths (b, m); with an offset, row i from ``offset + i`` on."""
        out = np.zeros((len(rows.X), len(columns.X)))
        needed = needed_pairs(out.shape, offset)
        out[needed] = self._pairs(rows, columns, *np.nonzero(needed))
        return out

    def listed(self, rows, columns, bounds, chosen):
        """Return lengths from row i to ``chosen[bounds[i]:bounds[i + 1]]``."""
        i = np.repeat(np.arange(len(rows.X)), np.diff(bounds))
        return self._pairs(rows, columns, i, chosen)

    def _pairs(self, rows, columns, i, j):
        from labelscape.geometry._fisher_kernels import add_arcs

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


def difference_factor(X, classifier, scale):
    """Return G (n, C, d) with ``J = G^T G`` by central differences.

    J = 4 sum_c grad sqrt(p_c) grad sqrt(p_c)^T (identity B), so G = 2 grad sqrt(p).
    ``scale`` (d,) is the spread of each feature, 0 for one that is constant.
    """
    columns = []
    for k in range(X.shape[1]):
        step = np.zeros(X.shape[1])
        step[k] = DIFFERENCE * (scale[k] or 1.0)
        up = np.sqrt(classifier.probabilities(X + step))
        down = np.sqrt(classifier.probabilities(X - step))
        columns.append((up - down) / step[k])
    return np.stack(columns, axis=2)
