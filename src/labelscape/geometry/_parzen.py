"""The Parzen estimate of p(class | point): which points it is made of (spec 1)."""

from typing import NamedTuple

import numpy as np
from sklearn.cluster import KMeans

from labelscape._core.sampling import class_counts
from labelscape._core.threads import one_blas_thread


class Parzen(NamedTuple):
    """A Parzen estimate: points sorted by class, and their bandwidth.

    Class c has the rows ``starts[c]`` to ``starts[c + 1]`` of ``points`` (P, d);
    ``log_counts`` (P,) is the log of what each point counts, ``indices`` (P,) where it
    stands in the fitted data, -1 if it is not one of them, and ``sizes`` (P,) how many
    objects it stands for.
    """

    points: np.ndarray
    starts: np.ndarray
    log_counts: np.ndarray
    indices: np.ndarray
    sizes: np.ndarray
    bandwidth: float = np.nan


def choose_points(X, class_of, count, *, selection, balanced, random_state):
    """Return ``count`` Parzen points, from each class its share and 2 at least.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The data.
    class_of : ndarray of shape (n,)
        Class indices.
    count : int
        How many points, n at most.
    selection : {"random", "kmeans"}
        Draw points, or take the centres of k-means, which count as many times as their
        clusters have points.
    balanced : bool
        Whether all classes count the same.
    random_state : RandomState
        Draws the points.

    Returns
    -------
    parzen : Parzen
        The estimate, its bandwidth still open.
    own : ndarray of shape (n,)
        The Parzen point that each object is, or whose cluster it is in; -1 for none.
    """
    points, sizes, indices = [], [], []
    own, first = np.full(len(X), -1), 0
    for c, share in enumerate(class_counts(np.bincount(class_of), count)):
        members = np.flatnonzero(class_of == c)
        if selection == "kmeans" and share < len(members):
            centres, cluster = _cluster(X[members], share, random_state)
            own[members] = first + cluster
            points.append(centres)
            sizes.append(np.bincount(cluster))
            indices.append(np.full(len(centres), -1))
        else:
            drawn = np.sort(random_state.permutation(members)[:share])
            own[drawn] = first + np.arange(share)
            points.append(X[drawn].astype(np.float64))
            sizes.append(np.ones(share, dtype=int))
            indices.append(drawn)
        first += len(points[-1])
    return _joined(points, sizes, indices, balanced), own


def given_points(Q, class_of, *, balanced):
    """Return the Parzen estimate that is made of given, labelled points."""
    order = np.argsort(class_of, kind="stable")
    parts = np.split(Q[order], np.cumsum(np.bincount(class_of))[:-1])
    sizes = [np.ones(len(part), dtype=int) for part in parts]
    indices = [np.full(len(part), -1) for part in parts]
    return _joined(parts, sizes, indices, balanced)


def _joined(points, sizes, indices, balanced):
    """Return the estimate made of one list of points per class."""
    counts = [size / size.sum() if balanced else size for size in sizes]
    return Parzen(
        np.concatenate(points),
        np.concatenate([[0], np.cumsum([len(part) for part in points])]),
        np.log(np.concatenate(counts)),
        np.concatenate(indices),
        np.concatenate(sizes),
    )


def _cluster(X, count, random_state):
    """Return the centres of k-means, and the one that each point belongs to."""
    with one_blas_thread():
        # No more centres than different points: k-means would warn and repeat them.
        count = min(count, len(np.unique(X, axis=0)))
        found = KMeans(count, n_init=1, random_state=random_state).fit(X)
    used, cluster = np.unique(found.labels_, return_inverse=True)
    return found.cluster_centers_[used].astype(np.float64), cluster
