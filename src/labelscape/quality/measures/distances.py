"""Measures that compare distances themselves (spec section 2)."""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.errors import InputError
from labelscape._core.params import arguments, check_argument, flag, whole
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape.quality.measures.neighborhoods import both_spaces, class_codes

MAX_PAIRS = 20_000_000


class Pairs(NamedTuple):
    """Pairs of points with their distances in the data (delta) and on the map (d).

    sampled : whether they are a random sample of all pairs.
    """

    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray
    d: np.ndarray
    sampled: bool

    def nonzero(self):
        """Return the pairs of distinct samples: a weight 1 / delta has no zero."""
        keep = self.delta > 0
        if keep.all():
            return self
        return Pairs(*(part[keep] for part in self[:4]), self.sampled)


def all_or_some_pairs(original, mapped, max_pairs, random_state, *, owner):
    """Return all pairs i < j, or ``max_pairs`` random ones where there are more."""
    check_argument(owner, "max_pairs", max_pairs, whole(1))
    n = original.n
    if n < 2:
        raise InputError(f"distances need at least 2 samples, got {n}.", owner=owner)
    if n * (n - 1) // 2 > max_pairs:
        rng = check_random_state(random_state)
        i = rng.randint(n, size=max_pairs, dtype=np.int32)
        j = (i + rng.randint(1, n, size=max_pairs)) % n  # any other point
        j = j.astype(np.int32)
        return Pairs(i, j, original.pairs(i, j), mapped.pairs(i, j), True)

    i, j = np.triu_indices(n, 1)

    def block(rows):
        points = np.arange(rows.start, rows.stop)
        later = np.arange(n) > points[:, None]
        return original.rows(points)[later], mapped.rows(points)[later]

    parts = map_blocks(block, row_blocks(n, 3 * 8 * n))
    delta, d = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Pairs(i, j, delta, d, False)


def _pairs(owner, X, embedding, metric, max_pairs, random_state):
    """Return pairs of the samples X and of their map."""
    spaces = both_spaces(X, embedding, metric, owner=owner)
    return all_or_some_pairs(*spaces, max_pairs, random_state, owner=owner)


def sammon_of(pairs, scaled=True):
    """Return Sammon's stress of pairs; see `sammon_stress`."""
    pairs = pairs.nonzero()
    total = check_total(pairs.delta.sum())
    b = best_scale(pairs) if scaled else 1.0
    return float(np.sum((pairs.delta - b * pairs.d) ** 2 / pairs.delta) / total)


def check_total(total):
    """Return a sum over the distances in the data, or raise if all of them are 0."""
    if not total > 0:
        raise ValueError(
            "All samples are at distance 0 from each other, so no map can be wrong. "
            "Look for constant or missing features."
        )
    return total


def best_scale(pairs):
    """Return the b > 0 with which ``b d`` has the least Sammon stress (1 if d = 0)."""
    pairs = pairs.nonzero()
    bottom = np.sum(pairs.d**2 / pairs.delta)
    return float(pairs.d.sum() / bottom) if bottom > 0 else 1.0


def spearman_of(pairs):
    """Return Spearman's correlation of the distances; average ranks for ties."""
    from labelscape.quality.measures._kernels import average_ranks

    # One after the other: each takes half a GB for 20 million pairs.
    return _correlation(average_ranks(pairs.delta), average_ranks(pairs.d))


def pearson_of(pairs):
    """Return Pearson's correlation of the distances."""
    return _correlation(pairs.delta, pairs.d)


def _correlation(a, b):
    a, b = a - a.mean(), b - b.mean()
    with one_blas_thread():
        product, size = a @ b, np.sqrt((a @ a) * (b @ b))
    if not size > 0:
        raise ValueError(
            "The correlation of distances is not defined: all distances in the data, "
            "or all on the map, are equal."
        )
    return float(np.clip(product / size, -1.0, 1.0))


@arguments(scaled=flag())
def sammon_stress(
    X,
    embedding,
    metric="euclidean",
    *,
    scaled=True,
    max_pairs=MAX_PAIRS,
    random_state=None,
):
    r"""Return Sammon's stress: relative errors of distances, short ones weighing most.

    Parameters
    ----------
    X, embedding, metric
        As for `trustworthiness`.
    scaled : bool, default=True
        Rescale the map to minimize the stress, because the size of many maps has no
        meaning. If False, the map is used as it is.
    max_pairs : int, default=20,000,000
        Number of random pairs that are drawn where there are more.
    random_state : int, RandomState instance or None, default=None
        Seed of the draw.

    Returns
    -------
    float
        0 for a map that keeps all distances.

    Notes
    -----
    .. math:: E = \frac{1}{\sum \delta_{ij}} \sum_{i<j}
              \frac{(\delta_{ij} - d_{ij})^2}{\delta_{ij}}

    over pairs with :math:`\delta > 0`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import sammon_stress
    >>> X, _ = load_iris(return_X_y=True)
    >>> sammon_stress(X, 5 * X) < 1e-12
    True
    """
    pairs = _pairs("sammon_stress", X, embedding, metric, max_pairs, random_state)
    return sammon_of(pairs, scaled)


@arguments(scaled=flag())
def stress_1(
    X,
    embedding,
    metric="euclidean",
    *,
    scaled=True,
    max_pairs=MAX_PAIRS,
    random_state=None,
):
    r"""Return Kruskal's stress-1: the size of the errors relative to the distances.

    Parameters
    ----------
    X, embedding, metric, scaled, max_pairs, random_state
        As for `sammon_stress`.

    Returns
    -------
    float
        :math:`\sqrt{\sum (\delta - d)^2 / \sum \delta^2}`; 0 is best.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import stress_1
    >>> X, _ = load_iris(return_X_y=True)
    >>> round(stress_1(X, X[:, 2:]), 3)
    0.111
    """
    pairs = _pairs("stress_1", X, embedding, metric, max_pairs, random_state)
    total = check_total(np.sum(pairs.delta**2))
    b, squared = 1.0, np.sum(pairs.d**2)
    if scaled and squared > 0:
        b = np.sum(pairs.delta * pairs.d) / squared
    return float(np.sqrt(np.sum((pairs.delta - b * pairs.d) ** 2) / total))


def spearman_rho(
    X, embedding, metric="euclidean", *, max_pairs=MAX_PAIRS, random_state=None
):
    """Return Spearman's rank correlation of the distances in the data and on the map.

    Parameters
    ----------
    X, embedding, metric, max_pairs, random_state
        As for `sammon_stress`.

    Returns
    -------
    float
        1 if the map keeps the order of all distances.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import spearman_rho
    >>> X, _ = load_iris(return_X_y=True)
    >>> round(spearman_rho(X, X[:, 2:]), 3)
    0.976
    """
    pairs = _pairs("spearman_rho", X, embedding, metric, max_pairs, random_state)
    return spearman_of(pairs)


def pearson_r(
    X, embedding, metric="euclidean", *, max_pairs=MAX_PAIRS, random_state=None
):
    """Return Pearson's correlation of the distances in the data and on the map.

    Parameters
    ----------
    X, embedding, metric, max_pairs, random_state
        As for `sammon_stress`.

    Returns
    -------
    float
        1 if map distances are proportional to distances in the data.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import pearson_r
    >>> X, _ = load_iris(return_X_y=True)
    >>> round(pearson_r(X, X[:, 2:]), 3)
    0.987
    """
    pairs = _pairs("pearson_r", X, embedding, metric, max_pairs, random_state)
    return pearson_of(pairs)


def shepard_pairs(
    X, embedding, metric="euclidean", *, max_pairs=10_000, random_state=None
):
    """Return the points of a Shepard diagram: distances in the data and on the map.

    Parameters
    ----------
    X, embedding, metric, random_state
        As for `sammon_stress`.
    max_pairs : int, default=10,000
        Number of random pairs where there are more.

    Returns
    -------
    delta, d : ndarray of shape (n_pairs,)
        Distances in the data, and on the map at its best size.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import shepard_pairs
    >>> X, _ = load_iris(return_X_y=True)
    >>> delta, d = shepard_pairs(X, X[:, 2:], random_state=0)
    >>> delta.shape, d.shape
    ((10000,), (10000,))
    """
    pairs = _pairs("shepard_pairs", X, embedding, metric, max_pairs, random_state)
    return pairs.delta, best_scale(pairs) * pairs.d


class ClassDistortion(NamedTuple):
    """Sammon stress of the map at its best size, in four parts that add up to it.

    Compressed pairs are closer on the map than in the data, stretched ones farther.
    """

    compressed_same: float
    compressed_different: float
    stretched_same: float
    stretched_different: float

    @property
    def total(self):
        """The Sammon stress."""
        return sum(self)

    @property
    def harmful(self):
        """Classes pushed together, and classes torn."""
        return self.compressed_different + self.stretched_same

    @property
    def shares(self):
        """The four parts as shares of the total; all 0 for a map without errors."""
        total = self.total
        return ClassDistortion(*(part / total if total > 0 else 0.0 for part in self))


def distortion_by_class(
    X, embedding, y, metric="euclidean", *, max_pairs=MAX_PAIRS, random_state=None
):
    """Return Sammon's stress split by direction of the error and by class.

    Parameters
    ----------
    X, embedding, metric, max_pairs, random_state
        As for `sammon_stress`.
    y : array-like of shape (n,)
        Class labels.

    Returns
    -------
    ClassDistortion
        Four numbers that add up to the (scaled) Sammon stress, their sums ``total``
        and ``harmful``, and themselves as ``shares`` of the total.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import distortion_by_class, sammon_stress
    >>> X, y = load_iris(return_X_y=True)
    >>> parts = distortion_by_class(X, X[:, :2], y)
    >>> abs(parts.total - sammon_stress(X, X[:, :2])) < 1e-12
    True
    """
    owner = "distortion_by_class"
    spaces = both_spaces(X, embedding, metric, owner=owner)
    codes = class_codes(y, spaces[0].n, owner=owner)
    pairs = all_or_some_pairs(*spaces, max_pairs, random_state, owner=owner).nonzero()
    b = best_scale(pairs)
    total = check_total(pairs.delta.sum())
    e = (pairs.delta - b * pairs.d) ** 2 / pairs.delta / total
    same = codes[pairs.i] == codes[pairs.j]
    compressed = b * pairs.d < pairs.delta
    return ClassDistortion(
        *(
            float(e[side & kind].sum())
            for side in (compressed, ~compressed)
            for kind in (same, ~same)
        )
    )
