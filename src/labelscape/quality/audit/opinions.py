"""Held-out class probabilities, from models fitted to other samples."""

import numpy as np
from sklearn.metrics import log_loss
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state

from labelscape._core.columns import is_counter
from labelscape._core.points.spaces import Points
from labelscape._core.threads import map_blocks, one_blas_thread
from labelscape._resampling.trial import dealt_folds
from labelscape.crossfit import CrossFit, RandomFeatureClassifier
from labelscape.quality.audit._kernel import kernel_opinions
from labelscape.quality.audit.table_findings import stand_in_values

NEIGHBORS, N_FOLDS = 10, 5
# Rows of larger units are held out in folds, not unit by unit.
MOST_ALIKE = 30
# Fixed weights: weights that maximize the likelihood of labels would prefer models that
# fit wrong labels, see docs/audit.md.
WEIGHTS = {"kernel": 4 / 7, "neighbors": 2 / 7, "crossfit": 1 / 7}


def opinions(X, codes, units, random_state):
    """Return class probabilities (n, C) of each model, from fits without the sample."""
    seed = random_state.randint(2**31 - 1)
    rng = check_random_state(seed)
    fold = dealt_folds(codes, units, N_FOLDS, rng, owner="audit")
    crossfit = CrossFit(n_folds=N_FOLDS, random_state=seed)
    models = {
        "kernel": lambda: kernel_opinions(X, codes, units, fold, rng),
        "crossfit": lambda: crossfit.fit(X, codes, groups=units).probabilities_,
        "neighbors": lambda: neighbor_opinions(X, codes, units, seed),
    }
    said = map_blocks(lambda name: models[name](), models)
    return dict(zip(models, said, strict=True))


def blended(probabilities):
    """Return the mean p = 4/7 p_kernel + 2/7 p_neighbors + 1/7 p_crossfit."""
    return sum(weight * probabilities[name] for name, weight in WEIGHTS.items())


def neighbor_opinions(X, codes, units, seed):
    """Return class shares (n, C) of neighbors in other units, weighted by distance."""
    # With few units, at most half of them are neighbors.
    k = min(NEIGHBORS, max(1, (int(units.max()) + 1) // 2))
    alike = int(np.bincount(units).max()) - 1
    if alike > MOST_ALIKE:
        vote = KNeighborsClassifier(k, weights="distance")
        return CrossFit(vote, random_state=seed).fit(X, codes, units).probabilities_
    near, distances = Points(X).kneighbors(min(k + alike, len(X) - 1))
    others = units[near] != units[:, None]
    has_vote = others & (others.cumsum(axis=1) <= k)
    weights = has_vote / np.maximum(distances, 1e-12 * distances.max() + 1e-300)
    n, n_classes = len(X), int(codes.max()) + 1
    pairs = np.arange(n)[:, None] * n_classes + codes[near]
    votes = np.bincount(pairs.ravel(), weights.ravel(), minlength=n * n_classes)
    votes = votes.reshape(n, n_classes)
    return votes / votes.sum(axis=1, keepdims=True)


# More features than this are reduced to this number of principal components.
MOST_FEATURES = 60
# Maximum number of samples, half of them held out, that decide whether features are
# standardized, and number of random features of the model that decides.
TRIED, WAVES = 2000, 125


def model_features(X, codes):
    """Return the features of the models (n, q), with missing-value codes replaced."""
    # Features are used in their own units (better for pixels) or standardized (better
    # for lengths and weights), whichever classifies held-out samples better.
    X = X.astype(np.float64)
    for column in X.T:
        is_code = np.isin(column, stand_in_values(column))
        if is_code.any():
            column[is_code] = np.median(column[~is_code])
    X = X - X.mean(axis=0)
    spread = X.std(axis=0)
    spread[spread == 0] = 1.0
    with one_blas_thread():
        choices = [_components(X / unit) for unit in (spread.max(), spread)]
    losses = map_blocks(lambda Z: _loss(Z, codes), choices)
    return choices[int(losses[0] > losses[1])]


def telling_columns(X):
    """Return columns that vary, without row counters if other columns remain."""
    varies = X.max(axis=0) > X.min(axis=0)
    used = varies & ~np.array([is_counter(x) for x in X.T])
    return X[:, used if used.any() else varies]


def _components(X):
    """Return the first principal components, if there are many features."""
    n, d = X.shape
    if d <= MOST_FEATURES:
        return X
    # From the smaller of two matrices: products of samples, or of features.
    if n <= d:
        values, vectors = np.linalg.eigh(X @ X.T)
        few = slice(-1, -1 - min(MOST_FEATURES, n), -1)
        return vectors[:, few] * np.sqrt(np.maximum(values[few], 0.0))
    _, vectors = np.linalg.eigh(X.T @ X)
    return X @ vectors[:, : -1 - MOST_FEATURES : -1]


def _loss(Z, codes):
    """Return the loss of a fast model on held-out samples."""
    rows = np.random.RandomState(0).permutation(len(Z))[:TRIED]
    fitted, out = rows[::2], rows[1::2]
    out = out[np.isin(codes[out], codes[fitted])]
    if len(np.unique(codes[fitted])) < 2 or not len(out):
        return 0.0
    model = RandomFeatureClassifier(WAVES, random_state=0).fit(Z[fitted], codes[fitted])
    return log_loss(codes[out], model.predict_proba(Z[out]), labels=model.classes_)
