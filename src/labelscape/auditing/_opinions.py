"""What models that never saw an object say of its class."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state

from labelscape._core.points.spaces import Points
from labelscape.auditing._kernel import kernel_opinions
from labelscape.crossfit import CrossFit

NEIGHBORS = 10
# Rows of larger units than this are left out by folds, and not one unit at a time.
MOST_ALIKE = 30
# Weights that make the labels most likely would prefer what fits wrong labels best:
# see docs/audit.md.
WEIGHTS = {"kernel": 4 / 7, "neighbors": 2 / 7, "crossfit": 1 / 7}


def opinions(X, codes, units, random_state):
    """Return class probabilities (n, C) by models that were fitted without the object.

    The models fail in different ways. What was measured is in docs/audit.md.
    """
    return blended(members(X, codes, units, random_state.randint(2**31 - 1)))


def blended(said):
    """Return the weighted mean of what the models say."""
    return sum(weight * said[name] for name, weight in WEIGHTS.items())


def members(X, codes, units, seed):
    """Return what each model says (n, C): those of `CrossFit`, a kernel, neighbours."""
    crossfit = CrossFit(random_state=seed).fit(X, codes, groups=units)
    rng = check_random_state(seed)
    return {
        "crossfit": crossfit.probabilities_,
        "kernel": kernel_opinions(X, codes, units, crossfit.fold_, rng),
        "neighbors": neighbor_opinions(X, codes, units, seed),
    }


def neighbor_opinions(X, codes, units, seed):
    """Return the classes of the nearest objects (n, C), nearer ones counting more.

    Those of the same unit are not asked: it is left out, and all others are known.
    """
    # Of few units, half are left at least.
    k = min(NEIGHBORS, max(1, (int(units.max()) + 1) // 2))
    alike = int(np.bincount(units).max()) - 1
    if alike > MOST_ALIKE:
        vote = KNeighborsClassifier(k, weights="distance")
        return CrossFit(vote, random_state=seed).fit(X, codes, units).probabilities_
    found, distances = Points(X).kneighbors(min(k + alike, len(X) - 1))
    others = units[found] != units[:, None]
    asked = others & (others.cumsum(axis=1) <= k)
    weights = asked / np.maximum(distances, 1e-12 * distances.max() + 1e-300)
    n, n_classes = len(X), int(codes.max()) + 1
    pairs = np.arange(n)[:, None] * n_classes + codes[found]
    votes = np.bincount(pairs.ravel(), weights.ravel(), minlength=n * n_classes)
    votes = votes.reshape(n, n_classes)
    return votes / votes.sum(axis=1, keepdims=True)
