"""Measures that compare distances in the data with distances on the map."""

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.errors import InputError
from labelscape._core.params import arguments, check_argument, flag, whole
from labelscape._core.threads import map_blocks, row_blocks
from labelscape._resampling.chance import drawn_seeds
from labelscape.quality.measures.neighborhoods import both_spaces, class_codes

MAX_PAIRS = 20_000_000


class Pairs(NamedTuple):
    """Pairs of points with their distances in the data (delta) and on the map (d).

    sampled : whether the pairs are a random sample of all pairs.
    """

    i: np.ndarray
    j: np.ndarray
    delta: np.ndarray
    d: np.ndarray
    sampled: bool

    def sums(self, terms):
        """Return the sum over all pairs of each of ``terms(delta, d)``."""

        def block(which):
            return [np.sum(term) for term in terms(self.delta[which], self.d[which])]

        return np.sum(map_blocks(block, _blocks(len(self.d))), axis=0)

    def nonzero(self):
        """Return the pairs of distinct samples, because weights are 1 / delta."""
        keep = self.delta > 0
        if keep.all():
            return self
        i, j, delta, d = (part[keep] for part in self[:4])
        return Pairs(i, j, delta, d, self.sampled)


def all_or_some_pairs(original, mapped, max_pairs, random_state, *, owner):
    """Return all pairs i < j, or ``max_pairs`` random ones if there are more."""
    check_argument(owner, "max_pairs", max_pairs, whole(1))
    n = original.n
    if n < 2:
        raise InputError(f"distances need at least 2 samples, got {n}.", owner=owner)
    if n * (n - 1) // 2 > max_pairs:
        i, j = np.empty((2, max_pairs), dtype=np.int32)
        blocks = _blocks(max_pairs)
        seeds = drawn_seeds(check_random_state(random_state), len(blocks))

        def draw(block):
            which, rng = blocks[block], np.random.RandomState(seeds[block])
            size = which.stop - which.start
            i[which] = rng.randint(n, size=size)
            j[which] = (i[which] + rng.randint(1, n, size=size)) % n  # any other point

        map_blocks(draw, range(len(blocks)))
        return Pairs(i, j, original.pairs(i, j), mapped.pairs(i, j), True)

    i, j = np.empty((2, n * (n - 1) // 2), dtype=np.int32)
    delta, d = np.empty((2, len(i)))

    def fill(rows):
        points = np.arange(rows.start, rows.stop)
        one, other = np.nonzero(np.arange(n) > points[:, None])
        first = rows.start * (2 * n - rows.start - 1) // 2
        here = slice(first, first + len(one))
        i[here], j[here] = points[one], other
        delta[here] = original.rows(points)[one, other]
        d[here] = mapped.rows(points)[one, other]

    map_blocks(fill, row_blocks(n, 6 * 8 * n))
    return Pairs(i, j, delta, d, False)


def _blocks(n):
    """Return blocks of n pairs that fit in a core's cache."""
    return row_blocks(n, 1, 2**16)


def _pairs(owner, X, embedding, metric, max_pairs, random_state):
    """Return pairs of the samples X and of their map."""
    data, drawn = both_spaces(X, embedding, metric, owner=owner)
    return all_or_some_pairs(data, drawn, max_pairs, random_state, owner=owner)


def sammon_of(pairs, scaled=True):
    """Return Sammon's stress of pairs; see `sammon_stress`."""
    total = check_total(float(pairs.sums(lambda delta, d: [delta])[0]))
    b = best_scale(pairs) if scaled else 1.0
    errors = pairs.sums(lambda delta, d: [_shares((delta - b * d) ** 2, delta)])
    return float(errors[0] / total)


def _shares(values, delta):
    """Return values / delta, and 0 for pairs of equal samples."""
    return np.divide(values, delta, out=np.zeros_like(delta), where=delta > 0)


def check_total(total):
    """Return a total of distances in the data; raise an error if it is 0."""
    if not total > 0:
        raise ValueError(
            "All distances between samples are 0, so errors of a map are not defined. "
            "Check whether features are constant or missing."
        )
    return total


def best_scale(pairs):
    """Return the b > 0 for which ``b d`` has the lowest Sammon stress (1 if d = 0)."""
    top, bottom = pairs.sums(lambda x, d: [d * (x > 0), _shares(d**2, x)])
    return float(top / bottom) if bottom > 0 else 1.0


def spearman_of(pairs):
    """Return Spearman's correlation of the distances, with average ranks for ties."""
    delta, d = average_ranks(pairs.delta), average_ranks(pairs.d)
    return pearson_of(pairs._replace(delta=delta, d=d))


def average_ranks(values):
    """Return the ranks of values >= 0 (n,), by sorted buckets; ties get mean ranks."""
    from labelscape.quality.measures._kernels import fill_buckets, rank_buckets

    n, blocks = len(values), _blocks(len(values))
    n_buckets = min(1 + n // 2**11, 2**13)
    scale = n_buckets / max(values.max(initial=0.0), 1e-300)
    keys, order = np.empty(n, dtype=np.uint64), np.empty(n, dtype=np.int32)
    ranks = np.empty(n)

    def buckets(rows):
        return np.minimum((values[rows] * scale).astype(np.intp), n_buckets - 1)

    def count(rows):
        return np.bincount(buckets(rows), minlength=n_buckets)

    counts = np.array(map_blocks(count, blocks))
    ends = np.append(0, np.cumsum(counts.sum(axis=0)))
    starts = ends[:-1] + np.cumsum(counts, axis=0) - counts

    def fill(b):
        rows = blocks[b]
        fill_buckets(values[rows], buckets(rows), rows.start, starts[b], keys, order)

    def rank(some):
        rank_buckets(keys, order, ends, some.start, some.stop, ranks)

    map_blocks(fill, range(len(blocks)))
    map_blocks(rank, row_blocks(n_buckets, 1, 16))
    return ranks


def pearson_of(pairs):
    """Return Pearson's correlation of the distances."""
    mean_a, mean_b = pairs.sums(lambda a, b: [a, b]) / len(pairs.d)

    def products(a, b):
        a, b = a - mean_a, b - mean_b
        return a * b, a * a, b * b

    product, *squares = pairs.sums(products)
    size = np.sqrt(np.prod(squares))
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
) -> float:
    r"""Return Sammon's stress: the error of distances, weighted toward short distances.

    Parameters
    ----------
    X, embedding, metric
        As for `trustworthiness`.
    scaled : bool, default=True
        Rescale the map to minimize the stress, because the size of many maps has no
        meaning. If False, the map is used as it is.
    max_pairs : int, default=20,000,000
        Maximum number of pairs; if there are more, this many are drawn at random.
    random_state : int, RandomState instance or None, default=None
        Seed for drawing pairs.

    Returns
    -------
    float
        0 for a map that preserves all distances.

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
) -> float:
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
) -> float:
    """Return Spearman's rank correlation of the distances in the data and on the map.

    Parameters
    ----------
    X, embedding, metric, max_pairs, random_state
        As for `sammon_stress`.

    Returns
    -------
    float
        1 if the map preserves the order of all distances.

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
) -> float:
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
) -> Any:
    """Return the points of a Shepard diagram: distances in the data and on the map.

    Parameters
    ----------
    X, embedding, metric, random_state
        As for `sammon_stress`.
    max_pairs : int, default=10,000
        Maximum number of pairs; if there are more, this many are drawn at random.

    Returns
    -------
    delta, d : ndarray of shape (n_pairs,)
        Distances in the data, and on the map after rescaling to the least stress.

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
    """The four parts of the scaled Sammon stress of a map, which add up to it.

    Compressed pairs are closer on the map than in the data, stretched pairs farther.
    """

    compressed_same: float
    compressed_different: float
    stretched_same: float
    stretched_different: float

    @property
    def total(self):
        """The scaled Sammon stress of the map."""
        return sum(self)

    @property
    def harmful(self):
        """The harmful parts: different classes compressed, same classes stretched."""
        return self.compressed_different + self.stretched_same

    @property
    def shares(self):
        """The four parts as shares of the total; all 0 for a map without errors."""
        total = self.total
        return ClassDistortion(*(part / total if total > 0 else 0.0 for part in self))


def distortion_by_class(
    X, embedding, y, metric="euclidean", *, max_pairs=MAX_PAIRS, random_state=None
) -> Any:
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
        Four parts that add up to the scaled Sammon stress, their sums ``total`` and
        ``harmful``, and ``shares``, the parts divided by the total.

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
    pairs = _pairs(owner, X, embedding, metric, max_pairs, random_state).nonzero()
    codes = class_codes(y, len(embedding), owner=owner)
    total = check_total(pairs.delta.sum())
    b = best_scale(pairs)
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
