"""What models that never saw a sample say of its class."""

import numpy as np
from sklearn.metrics import log_loss
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state

from labelscape._core.columns import is_counter
from labelscape._core.points.spaces import Points
from labelscape._core.threads import one_blas_thread
from labelscape.crossfit import CrossFit, RandomFeatureClassifier
from labelscape.quality.audit._kernel import kernel_opinions
from labelscape.quality.audit.table_findings import stand_in_values

NEIGHBORS = 10
# Rows of larger units than this are left out by folds, and not one unit at a time.
MOST_ALIKE = 30
# Weights that make the labels most likely would prefer what fits wrong labels best:
# see docs/audit.md.
WEIGHTS = {"kernel": 4 / 7, "neighbors": 2 / 7, "crossfit": 1 / 7}


def opinions(X, codes, units, random_state):
    """Return class probabilities (n, C) by models that were fitted without the sample.

    The models fail in different ways. What was measured is in docs/audit.md.
    """
    return blended(members(X, codes, units, random_state.randint(2**31 - 1)))


def blended(said):
    """Return the weighted mean of what the models say."""
    return sum(weight * said[name] for name, weight in WEIGHTS.items())


def members(X, codes, units, seed):
    """Return what each model says (n, C): those of `CrossFit`, a kernel, neighbors."""
    crossfit = CrossFit(random_state=seed).fit(X, codes, groups=units)
    rng = check_random_state(seed)
    return {
        "crossfit": crossfit.probabilities_,
        "kernel": kernel_opinions(X, codes, units, crossfit.fold_, rng),
        "neighbors": neighbor_opinions(X, codes, units, seed),
    }


def neighbor_opinions(X, codes, units, seed):
    """Return the classes of the nearest samples (n, C), nearer ones counting more.

    Those of the same unit are not asked: it is left out, and all others are known.
    """
    # Of few units, half are left at least.
    k = min(NEIGHBORS, max(1, (int(units.max()) + 1) // 2))
    alike = int(np.bincount(units).max()) - 1
    if alike > MOST_ALIKE:
        vote = KNeighborsClassifier(k, weights="distance")
        return CrossFit(vote, random_state=seed).fit(X, codes, units).probabilities_
    near, distances = Points(X).kneighbors(min(k + alike, len(X) - 1))
    others = units[near] != units[:, None]
    asked = others & (others.cumsum(axis=1) <= k)
    weights = asked / np.maximum(distances, 1e-12 * distances.max() + 1e-300)
    n, n_classes = len(X), int(codes.max()) + 1
    pairs = np.arange(n)[:, None] * n_classes + codes[near]
    votes = np.bincount(pairs.ravel(), weights.ravel(), minlength=n * n_classes)
    votes = votes.reshape(n, n_classes)
    return votes / votes.sum(axis=1, keepdims=True)


# More features than this are taken down to as many principal components.
MOST_FEATURES = 60
# Samples on which it is tried whether features have one unit, half of them held out.
TRIED, WAVES = 2000, 125


def model_features(X, codes):
    """Return what models are fitted to (n, q): labels decide nothing but the units.

    Values that stand for missing ones are replaced by the median of the others.
    Features keep their units, as pixels should, or are standardized, as lengths beside
    weights must be: whichever classifies held-out samples better.
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

    Two rows of one sample differ by their numbers.
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
    # Whichever is smaller, samples by samples or features by features.
    if n <= d:
        values, vectors = np.linalg.eigh(X @ X.T)
        few = slice(-1, -1 - min(MOST_FEATURES, n), -1)
        return vectors[:, few] * np.sqrt(np.maximum(values[few], 0.0))
    _, vectors = np.linalg.eigh(X.T @ X)
    return X @ vectors[:, : -1 - MOST_FEATURES : -1]


def _loss(Z, codes):
    """Return the loss of a quick model on samples that it did not see."""
    rows = np.random.RandomState(0).permutation(len(Z))[:TRIED]
    seen, unseen = rows[::2], rows[1::2]
    known = np.isin(codes[unseen], codes[seen])
    if len(np.unique(codes[seen])) < 2 or not known.any():
        return 0.0
    model = RandomFeatureClassifier(WAVES, random_state=0).fit(Z[seen], codes[seen])
    p = model.predict_proba(Z[unseen[known]])
    return log_loss(codes[unseen[known]], p, labels=model.classes_)
