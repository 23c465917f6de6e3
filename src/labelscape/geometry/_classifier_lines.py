"""Straight lines measured by a classifier: it is asked at the steps of each line."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from labelscape._core.column_names import named_as
from labelscape._core.distances import squared_norms
from labelscape._core.probabilities import (
    answer_bytes,
    as_numbers,
    checked_probabilities,
)
from labelscape.geometry._straight import needed_pairs

BATCH_BYTES = 32 * 2**20


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
        if isinstance(estimator, type):
            raise ValueError(
                f"FisherMetric: estimator must be a fitted classifier, got the class "
                f"{estimator.__name__}. Pass {estimator.__name__}().fit(X, y)."
            )
        self.estimator = estimator
        self.ask = getattr(estimator, "predict_proba", None) or estimator
        if not callable(self.ask):
            raise ValueError(
                "FisherMetric: estimator must have predict_proba or be a function of X "
                f"that returns probabilities, got {type(estimator).__name__}."
            )

    @property
    def called(self):
        """What it is called in an error."""
        return f"the estimator ({type(self.estimator).__name__})"

    def probabilities(self, X):
        """Return the probabilities (n, C), in batches."""
        n_classes = len(getattr(self.estimator, "classes_", ()))
        step = max(1, BATCH_BYTES // answer_bytes(X.shape[1], n_classes))
        parts = [self._batch(X[i : i + step]) for i in range(0, len(X), step)]
        return np.concatenate(parts)

    def _batch(self, X):
        source = f"FisherMetric: {self.called}"
        answers = self.ask(named_as(self.estimator, X))
        wanted = "one row of probabilities per object"
        p = as_numbers(answers, wanted=wanted, source=source)
        if p.ndim != 2 or len(p) != len(X) or p.shape[1] < 2:
            raise ValueError(
                f"{source} must return one row of probabilities per object, for two "
                f"classes or more: ({len(X)}, n_classes); it returned an array of "
                f"shape {p.shape}."
            )
        return checked_probabilities(p, source=source)


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
