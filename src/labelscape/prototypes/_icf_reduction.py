"""Iterative case filtering: which objects a nearest-neighbour classifier needs (B6)."""

import numpy as np

from labelscape._core.distances import exact_squared_distances, squared_norms
from labelscape._core.ranks import nearest_neighbours
from labelscape._core.threads import map_blocks, row_blocks


def edited(X, classes, n_neighbors=3):
    """Return which objects Wilson editing keeps.

    An object goes if the majority of its nearest others has another class; between
    classes with as many votes the one that is met first decides. A class of which
    nothing would be left keeps the object nearest to its mean.

    Parameters
    ----------
    X : ndarray of shape (n, N)
        Objects.
    classes : ndarray of int of shape (n,)
        Class indices.
    n_neighbors : int
        Number of others that vote.

    Returns
    -------
    ndarray of bool of shape (n,)
    """
    neighbours, _ = nearest_neighbours(X, min(n_neighbors, len(X) - 1))
    votes = classes[neighbours]
    counts = (votes[:, :, None] == votes[:, None, :]).sum(axis=2)
    winner = np.take_along_axis(votes, counts.argmax(axis=1)[:, None], axis=1)[:, 0]
    keep = winner == classes
    for c in np.setdiff1d(classes, classes[keep]):
        rows = np.flatnonzero(classes == c)
        offsets = X[rows] - X[rows].mean(axis=0)
        keep[rows[squared_norms(offsets).argmin()]] = True
    return keep


def superfluous(X, classes):
    """Return which objects are solved by more others than they help to solve.

    With r(x) the distance to the nearest object of another class, x reaches the objects
    of its class that are nearer than r(x), and covers those that reach it. It is
    superfluous if ``|reachable(x)| > |coverage(x)|``.

    Both numbers have the same sum over a class, so a class never loses all its objects.

    Parameters
    ----------
    X : ndarray of shape (n, N)
        Objects, of at least two classes.
    classes : ndarray of int of shape (n,)
        Class indices.

    Returns
    -------
    ndarray of bool of shape (n,)
    """

    def block(rows):
        D = exact_squared_distances(X[rows], X)
        same = classes[rows, None] == classes
        nearest_other = np.where(same, np.inf, D).min(axis=1)
        reached = same & (nearest_other[:, None] > D)
        reached[np.arange(len(D)), np.arange(rows.start, rows.stop)] = False
        return reached.sum(axis=1), reached.sum(axis=0)

    parts = map_blocks(block, row_blocks(len(X), 3 * 8 * len(X)))
    reachable = np.concatenate([reach for reach, _ in parts])
    coverage = np.sum([cover for _, cover in parts], axis=0)
    return reachable > coverage


def filtered(X, classes, kept, after_pass):
    """Return the objects that remain after repeated passes, as ascending indices.

    Parameters
    ----------
    X : ndarray of shape (n, N)
        Objects.
    classes : ndarray of int of shape (n,)
        Class indices.
    kept : ndarray of int
        Objects to begin with.
    after_pass : callable
        Called with the number of objects that remain; returning ``True`` stops.

    Returns
    -------
    ndarray of int
    """
    stopped = after_pass(len(kept))
    while not stopped:
        flagged = superfluous(X[kept], classes[kept])
        if not flagged.any():
            break
        kept = kept[~flagged]
        stopped = after_pass(len(kept))
    return kept
