"""What models of an audit are fitted to: features on one scale, and not too many."""

import numpy as np
from sklearn.metrics import log_loss

from labelscape._core.features import is_counter
from labelscape._core.threads import one_blas_thread
from labelscape.auditing.findings.columns import stand_in_values
from labelscape.crossfit import RandomFeatureClassifier

# More features than this are taken down to as many principal components.
MOST_FEATURES = 60
# Whether features have one unit is tried out on so many objects, half of them unseen.
TRIED, WAVES = 2000, 125


def model_features(X, codes):
    """Return what models are fitted to (n, q): labels decide nothing but the units.

    Values that stand for missing ones are replaced by the median of the others.
    Features keep their units, as pixels should, or are standardized, as lengths beside
    weights must be: whichever tells unseen objects apart better.
    """
    X = _without_stand_ins(X)
    X = X - X.mean(axis=0)
    spread = X.std(axis=0)
    spread[spread == 0] = 1.0
    with one_blas_thread():
        choices = [_components(X / unit) for unit in (spread.max(), spread)]
    losses = [_loss(Z, codes) for Z in choices]
    return choices[int(losses[0] > losses[1])]


def telling_columns(X):
    """Return the columns that vary and do not count the rows; all, if there are none.

    Two rows of one object differ by their numbers.
    """
    varies = X.max(axis=0) > X.min(axis=0)
    used = varies & ~np.array([is_counter(x) for x in X.T])
    return X[:, used if used.any() else varies]


def _without_stand_ins(X):
    """Return a copy, in float64, with medians in place of values such as -999."""
    X = X.astype(np.float64)
    for column in X.T:
        odd = np.isin(column, stand_in_values(column))
        if odd.any():
            column[odd] = np.median(column[~odd])
    return X


def _components(X):
    """Return principal components, if there are many features: those that vary most."""
    n, d = X.shape
    if d <= MOST_FEATURES:
        return X
    # Whichever is smaller, objects by objects or features by features.
    if n <= d:
        values, vectors = np.linalg.eigh(X @ X.T)
        few = slice(-1, -1 - min(MOST_FEATURES, n), -1)
        return vectors[:, few] * np.sqrt(np.maximum(values[few], 0.0))
    _, vectors = np.linalg.eigh(X.T @ X)
    return X @ vectors[:, : -1 - MOST_FEATURES : -1]


def _loss(Z, codes):
    """Return the loss of a quick model on objects that it did not see."""
    rows = np.random.RandomState(0).permutation(len(Z))[:TRIED]
    seen, unseen = rows[::2], rows[1::2]
    known = np.isin(codes[unseen], codes[seen])
    if len(np.unique(codes[seen])) < 2 or not known.any():
        return 0.0
    model = RandomFeatureClassifier(WAVES, random_state=0).fit(Z[seen], codes[seen])
    p = model.predict_proba(Z[unseen[known]])
    return log_loss(codes[unseen[known]], p, labels=model.classes_)
