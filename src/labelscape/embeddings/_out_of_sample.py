"""New samples on a finished map: all fitted samples are pivots, the new one moves."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_finite, check_intact, check_X
from labelscape._core.errors import InputError
from labelscape._core.points.distances import exact_squared_distances
from labelscape._core.points.spaces import measured
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.embeddings.stress._weights import INVERSE, annealed

# Each fitted sample is pivot this many times.
SWEEPS = 30
# In a sweep a sample goes this part of the way that its pairs ask for, at first and at
# last. Larger steps would throw it out of where its neighbor is.
FIRST_PART, LAST_PART = 0.5, 0.1
# No single pair makes up for more than this part of its error.
LARGEST_ALPHA = 0.5


def rows_of_new(model, X):
    """Check new samples of a fitted map; return them, and how they give distances.

    The function takes a slice of the new samples and returns their dissimilarities to
    the fitted ones.
    """
    X = checked_new(model, X)
    metric = getattr(model, "metric_", model.metric)
    name = type(model).__name__
    if metric is None:
        raise InputError(
            "transform measures new samples by the metric of the fit, and the model "
            "was saved without it. Set it again: model.set_params(metric=...).",
            owner=name,
            parameter="metric",
        )
    return X, dissimilarities_to(X, model.training_X_, metric, owner=name)


def checked_new(model, X):
    """Return new samples of a fitted map, checked against those it was fitted to."""
    needed = model._needed_to_place()
    check_remembers(model, needed, "transform compares new samples with")
    return check_X(model, X, reset=False)


def check_remembers(model, names, words):
    """Raise unless a model is fitted and holds attributes made of its samples."""
    check_is_fitted(model)
    if any(name not in vars(model) for name in names):
        raise InputError(
            f"{words} the fitted samples, and the model was saved without them. Use "
            "save(model, path, include_data=True), or fit again.",
            owner=type(model).__name__,
        )


def dissimilarities_to(X, training_X, metric, *, owner):
    """Return the function from a slice of X to its dissimilarities (b, n).

    Shapes: X (m, d), training_X (n, d).
    """
    if isinstance(metric, str) and metric == "euclidean":
        return lambda rows: np.sqrt(exact_squared_distances(X[rows], training_X))
    if isinstance(metric, str):
        D = X
    elif hasattr(metric, "pairwise"):
        D = metric.pairwise(X, training_X)
    else:
        D = measured(metric, X, training_X, owner=owner, called="new sample")
    D = np.ascontiguousarray(D, dtype=np.float64)
    check_finite(D, owner=owner, name="the dissimilarities")
    if D.min() < 0.0:
        i, j = np.argwhere(D < 0.0)[0]
        raise InputError(
            f"dissimilarities must not be negative, got {D[i, j]:.4g} between "
            f"new sample {i} and fitted sample {j}.",
            owner=owner,
        )
    return lambda rows: D[rows]


def placed(dissimilarities, n_new, Z, weights, lambdas):
    """Return the places (n_new, q) of new samples on the map Z (n, q).

    A new sample begins at the image of its nearest neighbor, and stays there if it is
    the same sample. Its weights have the last lambda, or a wider one where that leaves
    no fitted sample near enough to count. Every sample goes its own way, so its place
    does not depend on which others are new.
    """
    from labelscape.embeddings.stress._kernels import held_lambdas, settle

    n = len(Z)
    Z = np.ascontiguousarray(Z)
    sound = all(np.isfinite(part).all() for part in (Z, lambdas, weights.span))
    rng = np.random.default_rng(0)
    order = np.array([rng.permutation(n) for _ in range(SWEEPS)])
    parts = annealed(FIRST_PART, LAST_PART, np.linspace(0.0, 1.0, SWEEPS))

    def place(rows):
        D = dissimilarities(rows)
        sound_D = D.shape[1] == n and bool(np.isfinite(D).all())
        check_intact(sound and sound_D, "embedding_ and training_X_")
        lam, none = np.full(len(D), lambdas[1]), np.full(len(D), -1)
        if weights.kind != INVERSE:
            held_lambdas(weights, D, none, lam.copy(), lambdas[0], lam)
        Y = Z[D.argmin(axis=1)]
        for b in np.flatnonzero(D.min(axis=1) > 0.0):
            settle(Y[b], D[b], Z, order, parts, LARGEST_ALPHA, weights, lam[b])
        return Y

    return np.concatenate(map_blocks(place, row_blocks(n_new, 8 * n, budget=2**20)))
