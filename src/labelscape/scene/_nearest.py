"""The nearest prototype of each point: of all, of its own class, of every class."""

from typing import NamedTuple

import numpy as np

from labelscape._core.threads import row_blocks
from labelscape.scene._classes import Classes
from labelscape.scene._numbers import Matrix
from labelscape.scene._subject import Subject
from labelscape.scene.scene import Codes, Indices, Singles

# Distances to all classes are kept up to this many numbers.
MOST_DISTANCES = 2_000_000
NO_PROTOTYPE = np.iinfo(np.uint32).max


class Nearest(NamedTuple):
    """Prototypes near the points, and how far they are as the model measures.

    Attributes
    ----------
    of_all : ndarray of shape (n,)
        The nearest prototype.
    of_own : ndarray of shape (n,)
        The nearest one of the point's own class; none for an unknown class.
    own_distances : ndarray of shape (n,)
        How far that is.
    leads : ndarray of shape (n,)
        How much farther the nearest prototype of another class is, as part of both
        distances: from -1 to 1, below 0 where the model says another class.
    distances, prototypes : ndarray of shape (n, C), or None where n C is too much
        The nearest one of each class.
    """

    of_all: Indices
    of_own: Indices
    own_distances: Matrix
    leads: Matrix
    distances: Singles | None
    prototypes: Indices | None


def nearest_prototypes(subject: Subject, own: Codes, classes: Classes) -> Nearest:
    """Return the prototypes near the points; ``own`` is the class of each point."""
    X, n, C = subject.X, len(own), len(classes)
    assert X is not None  # a prototype model was fitted to numbers
    of_all, of_own = np.empty(n, dtype=np.uint32), np.empty(n, dtype=np.uint32)
    own_distances, leads = np.empty(n), np.empty(n)
    kept = []
    for rows in row_blocks(n, 16 * C):
        D, P = _of_each_class(subject, X[rows], classes)
        every = np.arange(len(D))
        of_all[rows] = P[every, D.argmin(axis=1)]
        of_own[rows] = P[every, own[rows]]
        own_distances[rows] = D[every, own[rows]]
        leads[rows] = _leads(D, own[rows])
        if n * C <= MOST_DISTANCES:
            kept.append((D.astype(np.float32), P))
    if not kept:
        return Nearest(of_all, of_own, own_distances, leads, None, None)
    distances, prototypes = (np.concatenate(part) for part in zip(*kept, strict=True))
    return Nearest(of_all, of_own, own_distances, leads, distances, prototypes)


def _leads(D: Matrix, own: Codes) -> Matrix:
    """Return (d_K - d_J) / (d_K + d_J), with d_J to the own class, d_K to another."""
    every = np.arange(len(D))
    others = D.copy()
    others[every, own] = np.inf
    d_J, d_K = D[every, own], others.min(axis=1)
    # A class without prototypes is infinitely far away.
    known = np.isfinite(d_J) & np.isfinite(d_K) & (d_J + d_K > 0.0)
    leads = np.where(d_J < d_K, 1.0, np.where(d_J > d_K, -1.0, 0.0))
    leads[known] = (d_K[known] - d_J[known]) / (d_K[known] + d_J[known])
    return leads


def _of_each_class(
    subject: Subject, X: Matrix, classes: Classes
) -> tuple[Matrix, Matrix]:
    """Return distances (n, C) to the nearest prototype of each class, and which it is.

    Infinitely far from a class without prototypes.
    """
    model = subject.prototypes
    owner = model._prototype_classes()
    present, first = np.unique(owner, return_index=True)
    groups = np.split(np.arange(len(owner)), first[1:])

    def reduce(D: Matrix) -> Matrix:
        chosen = np.column_stack([g[D[:, g].argmin(axis=1)] for g in groups])
        return np.stack([np.take_along_axis(D, chosen, axis=1), chosen], axis=1)

    found = model._reduced(X, reduce)
    D = np.full((len(X), len(classes)), np.inf)
    P = np.full(D.shape, NO_PROTOTYPE, dtype=np.uint32)
    at = classes.codes(model.classes_[present])
    D[:, at], P[:, at] = found[:, 0], found[:, 1]
    return D, P
