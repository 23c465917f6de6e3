"""Small classifiers of tests: from some rows to the classes of other rows.

They are fitted many times, so they are fast and have nothing to set.

===================  ==================================================================
linear_answers       ridge regression; features of the data against those of the map
discriminant         shrunken linear discriminant; `discriminant_answers` in the data of
                     given maps, and swapped names of batches in the audit
answers_of_two       linear discriminant of a few features, for differences of classes
answers_on_a_line    neighbors in one feature, for leaks
voters.Voters        neighbors on a map, and in the data
neighbor_opinions    neighbors in other units, for the audit (`quality.audit.opinions`)
kernel_opinions      kernel ridge regression, for the audit (`quality.audit._kernel`)
CrossFit             prototypes and random features, for the audit and maps
label_signal         no classifier: what neighbors and ridge regression know of labels
===================  ==================================================================
"""

from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import RidgeClassifierCV
from sklearn.preprocessing import StandardScaler

from labelscape._core.columns import MOST_SELECTED, n_selected, selected_features
from labelscape._core.threads import ignored, one_blas_thread
from labelscape._core.types import Array, Ints
from labelscape._resampling.voters import weighted_vote

STRENGTHS = 10.0 ** np.arange(-1, 5)  # ridges to choose from
# Nearly equal distances are ties, so that the unit of a feature has no influence.
DIGITS = 9


def linear_answers(X: Array, codes: Array, new: Array) -> Ints:
    """Return the classes that ridge regression on X predicts for new samples."""
    n, n_features = X.shape
    if n_features > MOST_SELECTED:
        few = n_features > n
        count = n_selected(len(np.unique(codes))) if few else MOST_SELECTED
        columns = selected_features(X, codes, count)
        X, new = X[:, columns], new[:, columns]
    model = RidgeClassifierCV(STRENGTHS, class_weight="balanced")
    # Columns may be nearly equal, or too large to be squared.
    with one_blas_thread(), ignored(Warning):
        scaler = StandardScaler().fit(X)
        X, new = (np.nan_to_num(scaler.transform(part)) for part in (X, new))
        return np.asarray(model.fit(X, codes).predict(new))


def discriminant(**settings: Any) -> LinearDiscriminantAnalysis:
    """Return an unfitted linear discriminant with a shrunken covariance."""
    return LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto", **settings)


def discriminant_answers(X: Array, codes: Ints, new: Array) -> Ints:
    """Predict the classes of new samples with a linear discriminant fitted to X.

    The discriminant has a shrunken covariance and equal class probabilities. With more
    than 200 features, ridge regression is used, which may miss a class between others.
    """
    spread, n_classes = X.std(axis=0), len(np.unique(codes))
    is_large = not np.isfinite(spread).all()
    if X.shape[1] > MOST_SELECTED or len(X) <= n_classes or is_large:
        return linear_answers(X, codes, new)
    spread[spread == 0.0] = 1.0
    model = discriminant(priors=np.full(n_classes, 1.0 / n_classes))
    with one_blas_thread(), ignored(Warning):  # for classes with one sample
        return np.asarray(model.fit(X / spread, codes).predict(new / spread))


def answers_of_two(X: Array, codes: Ints, new: Array) -> Ints:
    """Return the classes, 0 or 1, that a linear discriminant predicts."""
    # If a feature is constant in both groups, with different values, it decides alone,
    # because a linear discriminant would ignore it.
    groups = [X[codes == c] for c in (0, 1)]
    first, second = groups[0][0], groups[1][0]
    constant = [np.ptp(group, axis=0) == 0 for group in groups]
    decisive = constant[0] & constant[1] & (first != second)
    if decisive.any():
        j = int(decisive.argmax())
        gaps = np.abs(new[:, j, None] - [first[j], second[j]])
        return np.asarray(gaps.argmin(axis=1))
    model = LinearDiscriminantAnalysis(priors=[0.5, 0.5])
    with ignored(RuntimeWarning):  # where the means of both classes are equal
        return np.asarray(model.fit(X, codes).predict(new))


def answers_on_a_line(
    values: Array, codes: Ints, new: Array, k: int, n_classes: int
) -> Ints:
    """Return the classes for which the k values nearest to new ones vote."""
    return weighted_vote(nearest_on_a_line(values, k, new), codes, n_classes)


def nearest_on_a_line(values: Array, k: int, queries: Array) -> Ints:
    """Return indices of the k values nearest to each query, nearest first."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    right = np.searchsorted(ranked, queries)
    window = right[:, None] + np.arange(-k, k)
    outside = (window < 0) | (window >= len(values))
    window = np.clip(window, 0, len(values) - 1)
    span = ranked[-1] - ranked[0]
    distance = np.abs(ranked[window] - queries[:, None])
    if 0.0 < span < np.inf:
        distance = np.round(distance / span, DIGITS)
    distance = np.where(outside, np.inf, distance)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :k]
    return np.asarray(order[np.take_along_axis(window, nearest, axis=1)])
