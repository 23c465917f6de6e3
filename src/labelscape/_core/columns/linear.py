"""What a linear model says of new objects, where features may be many."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import RidgeClassifierCV
from sklearn.preprocessing import StandardScaler

from labelscape._core.threads import one_blas_thread

# Tables of more features than this, and than objects, are wide.
WIDE = 500
# So many features per class are selected of a wide table, within these limits.
PER_CLASS, FEWEST_SELECTED, MOST_SELECTED = 25, 50, 200
STRENGTHS = 10.0 ** np.arange(-1, 5)


def is_wide(n: int, n_features: int) -> bool:
    """Return whether features are so many that most of them must be noise."""
    return n_features > max(WIDE, n)


def n_selected(n_classes: int) -> int:
    """Return how many features of a wide table are selected."""
    return int(np.clip(PER_CLASS * n_classes, FEWEST_SELECTED, MOST_SELECTED))


def selected_features(
    X: NDArray[Any], codes: NDArray[Any], count: int
) -> NDArray[np.intp]:
    """Return the features whose class means differ most (F of an ANOVA).

    They are selected by the objects given: never give those that are to be judged.
    """
    if count >= X.shape[1]:
        return np.arange(X.shape[1])
    counts = np.bincount(codes)
    means = np.zeros((len(counts), X.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):
        total = X.var(axis=0) * len(X)
        for c in np.flatnonzero(counts):
            means[c] = X[codes == c].mean(axis=0)
        between = counts @ (means - X.mean(axis=0)) ** 2
        share = np.divide(between, total, out=np.zeros_like(total), where=total > 0)
    return np.sort(np.argsort(-share, kind="stable")[:count])


def linear_answers(
    X: NDArray[Any], codes: NDArray[Any], new: NDArray[Any]
) -> NDArray[np.intp]:
    """Return the classes that ridge regression gives to new objects.

    Features are standardized and, where they are many, selected by X alone. The
    strength of the ridge is that which is best for objects left out.
    """
    n, n_features = X.shape
    if n_features > MOST_SELECTED:
        few = n_features > n
        count = n_selected(len(np.unique(codes))) if few else MOST_SELECTED
        columns = selected_features(X, codes, count)
        X, new = X[:, columns], new[:, columns]
    model = RidgeClassifierCV(STRENGTHS, class_weight="balanced")
    with one_blas_thread(), warnings.catch_warnings():
        # Of columns that are nearly the same, or too large to be squared.
        warnings.simplefilter("ignore")
        scaler = StandardScaler().fit(X)
        X, new = (np.nan_to_num(scaler.transform(part)) for part in (X, new))
        return np.asarray(model.fit(X, codes).predict(new))
