"""What models that never saw an object say of its class."""

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from labelscape.crossfit import CrossFit

NEIGHBORS = 10
# "auto" is two models already, and each of the three counts the same. Weights that make
# the labels most likely prefer what fits wrong labels best: see docs/audit.md.
WEIGHTS = (2 / 3, 1 / 3)


def opinions(X, codes, units, random_state):
    """Return class probabilities (n, C) by models that were fitted without the object.

    The models fail in different ways: borders of any shape and few directions that
    matter (those of `CrossFit`), and neighbours. Folds are the same for all. What was
    measured is in docs/audit.md.
    """
    seed = random_state.randint(2**31 - 1)
    said = [
        CrossFit(model, random_state=seed).fit(X, codes, groups=units).probabilities_
        for model in models(len(np.unique(units)))
    ]
    return sum(weight * p for weight, p in zip(WEIGHTS, said, strict=True))


def models(n_units):
    """Return the estimators that are asked."""
    # A fold leaves half of the units at least.
    k = min(NEIGHBORS, max(1, n_units // 2))
    return ["auto", KNeighborsClassifier(k, weights="distance")]
