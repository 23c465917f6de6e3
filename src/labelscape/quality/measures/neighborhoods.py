"""Neighborhoods of points in two spaces: false and lost neighbors, for one k.

Distances, neighbors and ranks are computed in blocks of points, without n × n arrays.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

from labelscape._core.errors import InputError
from labelscape._core.labels import check_labels
from labelscape._core.params import check_argument, whole
from labelscape._core.points.array_distances import ArrayPoints
from labelscape._core.points.spaces import (
    Points,
    check_matrix,
    search_blocks,
    space_of,
    sparse_points,
)
from labelscape._core.rows.kinds import namespace_of, to_numpy
from labelscape._core.threads import map_blocks


class Neighborhoods(NamedTuple):
    """Counts for each query point (q,) among n points.

    With ranks rho in the data and r on the map: sums of rho - k over false neighbors of
    the own class and of other classes (``false_within``, ``false_between``), and of
    r - k over lost neighbors (``tears_within``, ``tears_between``); numbers of
    neighbors of the own class in both spaces (``same_original``, ``same_map``), and
    whether the nearest neighbor is of this class (``first_original``, ``first_map``).
    """

    n: int
    k: int
    queries: np.ndarray
    false_within: np.ndarray
    false_between: np.ndarray
    tears_within: np.ndarray
    tears_between: np.ndarray
    same_original: np.ndarray
    same_map: np.ndarray
    first_original: np.ndarray
    first_map: np.ndarray

    @property
    def penalty_unit(self):
        """``n g(k)``, the factor of the sum of a point's penalties."""
        return self.n * penalty_scale(self.n, self.k)

    def of_points(self, *sums) -> Any:
        """Return the score of each point: 1 minus the sum of the scaled penalties."""
        return 1.0 - self.penalty_unit * sum(sums)

    def score(self, *sums) -> float:
        """Return the mean of `of_points`."""
        return 1.0 - self.penalty_unit * float(sum(s.mean() for s in sums))

    @property
    def trustworthiness(self):
        """Trustworthiness of the map."""
        return self.score(self.false_within, self.false_between)

    @property
    def continuity(self):
        """Continuity of the map."""
        return self.score(self.tears_within, self.tears_between)


def penalty_scale(n, k):
    """Return g(k), which makes the worst possible map score 0."""
    if 2 * k < n:
        return 2.0 / (n * k * (2.0 * n - 3.0 * k - 1.0))
    return 2.0 / (n * (n - k) * (n - k - 1.0))


def neighborhoods(original, mapped, codes, k, queries):
    """Compare the k-neighborhoods of some points in two spaces, split by class."""
    if isinstance(original, ArrayPoints):
        from labelscape.quality.measures._array_neighborhoods import array_sums

        sums = array_sums(original, mapped, codes, k, queries)
        return Neighborhoods(original.n, k, queries, *sums.T)
    from labelscape.quality.measures._kernels import N_SUMS, sums_by_counting

    def block(rows):
        own = queries[rows]
        sums = np.empty((len(own), N_SUMS), dtype=np.int64)
        (D, D_slack), (E, E_slack) = (s.screened_rows(own) for s in (original, mapped))
        sums_by_counting(
            without_self(D, own),
            D_slack,
            original.coordinates,
            without_self(E, own),
            E_slack,
            mapped.coordinates,
            own,
            codes,
            k,
            sums,
        )
        return sums

    sums = np.concatenate(map_blocks(block, search_blocks(original.n, len(queries))))
    return Neighborhoods(original.n, k, queries, *sums.T)


def without_self(D, own):
    """Return rows of distances, with infinity for the distance of a point to itself."""
    D = np.ascontiguousarray(D, dtype=np.float64)
    D[np.arange(len(own)), own] = np.inf
    return D


def check_k(k, n, *, owner):
    """Check a neighborhood size; penalties are defined up to n - 2."""
    check_argument(owner, "n_neighbors", k, whole(1))
    if k > n - 2:
        raise InputError(
            "n_neighbors must be at most the number of samples minus 2 "
            f"({max(n - 2, 0)}), got {k}.",
            owner=owner,
            parameter="n_neighbors",
        )
    return int(k)


def chosen_queries(n, n_samples, random_state, *, owner):
    """Return all points, or a sorted random sample of them."""
    if n_samples is None:
        return np.arange(n)
    check_argument(owner, "n_samples", n_samples, whole(1))
    rng = check_random_state(random_state)
    return np.sort(rng.choice(n, size=min(n_samples, n), replace=False))


def class_codes(y, n, *, owner):
    """Return class indices of labels."""
    return check_labels(y, n, owner=owner)[1].astype(np.int64)


def both_spaces(X, embedding, metric, *, owner):
    """Return the data and the map as objects that compute distances."""
    original = data_space(X, metric, owner=owner)
    return original, map_space(embedding, original, owner=owner)


def data_space(X, metric, *, owner):
    """Return the data, which may be sparse, as an object that computes distances."""
    if issparse(X) and isinstance(metric, str) and metric == "euclidean":
        return sparse_points(X, owner=owner)
    xp = namespace_of(X)
    if xp is not None and isinstance(metric, str) and metric == "euclidean":
        return ArrayPoints(xp, X, owner=owner, name="X")
    return space_of(X if xp is None else to_numpy(X), metric, owner=owner)


def map_space(embedding, original, *, owner):
    """Return the map as an object that computes distances, on the data's device."""
    xp = namespace_of(embedding)
    if isinstance(original, ArrayPoints):
        if xp is None:
            embedding = check_matrix(embedding, owner=owner, name="embedding")
        how = {"device": original.device, "owner": owner, "name": "embedding"}
        mapped: ArrayPoints | Points = ArrayPoints(original.xp, embedding, **how)
    else:
        embedding = embedding if xp is None else to_numpy(embedding)
        mapped = Points(check_matrix(embedding, owner=owner, name="embedding"))
    if mapped.n != original.n:
        raise InputError(
            f"X has {original.n} samples but the embedding has {mapped.n} points. "
            "Pass the map of these samples, in the same order.",
            owner=owner,
        )
    return mapped
