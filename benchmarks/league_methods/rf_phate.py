# /// script
# dependencies = ["numpy", "scikit-learn", "phate>=2.0"]
#
# [tool.league]
# title = "RF-PHATE"
# transductive = true
# ///
"""RF-PHATE (Rhodes et al. 2021): PHATE of the proximities of a random forest.

The proximity of two rows is the share of trees that put them into the same leaf, among
those that were grown without either. The package of that name on the index cannot be
imported (its modules look for each other in the wrong place), so proximities are
written here from their definition. New rows are part of the map: no tree has seen them.
"""

import numpy as np
import phate
from sklearn.ensemble import RandomForestClassifier


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    forest = RandomForestClassifier(500, random_state=0, bootstrap=True).fit(X, y)
    leaves = forest.apply(np.vstack([X, X_new]))
    unseen = np.ones(leaves.shape, dtype=bool)
    for tree, drawn in enumerate(forest.estimators_samples_):
        unseen[drawn, tree] = False
    model = phate.PHATE(
        knn_dist="precomputed_affinity", random_state=0, n_jobs=1, verbose=0
    )
    Z = model.fit_transform(proximities(leaves, unseen))
    return Z[: len(X)], Z[len(X) :]


def proximities(leaves, unseen):
    """Return the share of common leaves (n, n) among trees that saw neither row."""
    together = np.zeros((len(leaves), len(leaves)))
    for leaf, free in zip(leaves.T, unseen.T, strict=True):
        together += (leaf[:, None] == leaf) & free[:, None] & free
    trees = unseen.astype(float) @ unseen.T.astype(float)
    shares = together / np.maximum(trees, 1.0)
    np.fill_diagonal(shares, 1.0)
    return shares
