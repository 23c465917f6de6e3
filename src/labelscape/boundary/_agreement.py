"""How well the picture of a classifier tells what the classifier does (spec 7)."""

import numpy as np
from scipy.spatial import KDTree


def round_trip_r2(X, again, mean):
    """Return ``1 - |X - p^-1(p(X))|^2 / |X - mean|^2``: 1 if nothing is lost.

    ``mean`` is that of the fitted objects. Objects that are all equal to it can only be
    hit or missed: 1 or 0.
    """
    lost, total = np.square(X - again).sum(), np.square(X - mean).sum()
    if total == 0.0:
        return float(lost == 0.0)
    return float(1.0 - lost / total)


def copied(Z_fitted, labels, Z=None):
    """Return the label of the nearest fitted place, for each of the places Z.

    None: for the fitted places themselves, each of which asks its nearest other one.
    """
    tree = KDTree(Z_fitted)
    if Z is not None:
        return labels[tree.query(Z)[1]]
    nearest = tree.query(Z_fitted, k=2)[1]
    own = np.arange(len(Z_fitted))
    # Among places that coincide, a point need not be the first of its neighbours.
    return labels[np.where(nearest[:, 0] == own, nearest[:, 1], nearest[:, 0])]
