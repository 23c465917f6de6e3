"""Joint coordinates of features and class probabilities, and placement of new samples.

The square roots of cross-fitted probabilities are points on a sphere. The distance
between two points on this sphere is a Fisher distance. After sharpening, samples of a
class differ mainly in their features, and little in the certainty of the models. The
features are additional coordinates, so two samples are far apart if their features or
their probabilities differ.

New samples are placed next to similar ones, without storing any sample. Each fitted
sample is paired with the most similar sample of its likely class, in the data and on
the map. A pair is stored as one point between its two samples, and the samples cannot
be computed from this point. A new sample is placed where most of its nearest pairs are.
"""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.checks import check_intact
from labelscape._core.learned import declares, numbers
from labelscape._core.params import finite
from labelscape._core.points.distances import nearest_neighbors, squared_norms
from labelscape._core.points.spaces import Points
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape._resampling.sampling import drawn_by_class
from labelscape._resampling.units import numbered
from labelscape._resampling.voters import Voters, balanced_accuracy
from labelscape.embeddings.tsne._base import (
    affinities,
    initial_places,
    n_tsne_neighbors,
    usual_perplexity,
)
from labelscape.embeddings.tsne._descent import Descent
from labelscape.quality import trustworthiness

# At focus 1/2, two samples with certain but different classes are this many times as
# far apart as tenth neighbors (times the square root of 2).
STRENGTH = 4.0
NEIGHBOR = 10
FEW = 1500  # number of samples that show typical distances

TRIED_ON = 1000  # number of samples used to try values of focus
FEW_TRIED = 600  # with fewer samples than this, both halves are used for testing
# Powers of the square roots, for few samples and for many. The power 8 (u ~ p⁴) is more
# accurate on held-out samples if three classes overlap, but less with many classes.
SHARPNESSES, USUAL_SHARPNESS = (1, 8), (1,)
FOCUSES = (0.0, 0.2, 1 / 3, 0.5, 2 / 3)
# The most accurate trial that loses at most this much trustworthiness is chosen.
MOST_LOST = 0.02
# If this map is less accurate than the models by more than this number, a larger loss
# is allowed.
MOST_HIDDEN = 0.15
TRUST_NEIGHBORS, VOTES = 12, 5
LEAST_PERPLEXITY, LEAST_NEIGHBORS, LEAST_POINTS = 5.0, 3, 4
# Iterations of the first map, of its early exaggeration, and of each later map.
FIRST_STEPS, EARLY_STEPS, NEXT_STEPS = 200, 150, 120


class Trial(NamedTuple):
    """Accuracy and trustworthiness of a map of a part of the samples, for one focus."""

    focus: float  # from 0 (features only) to 1 (classes only)
    # Balanced accuracy of neighbors on the map, for held-out samples.
    accuracy: float
    trust: float  # trustworthiness of the map
    sharpness: int = 1  # power of the square roots of probabilities


def neighbor_gap(A, most=FEW):
    """Return the median distance of some samples to the tenth neighbor, never 0."""
    if len(A) < 2:
        return 1.0
    some = A[:: -(-len(A) // most)]
    gaps = Points(some).kneighbors(min(NEIGHBOR, len(some) - 1))[1][:, -1]
    return float(np.median(gaps)) or float(gaps.max()) or 1.0


def sharpened(U, sharpness):
    """Return the roots (n, C) raised to the power ``sharpness``, with unit length."""
    if sharpness == 1:
        return U
    V = U**sharpness
    return V / np.sqrt(np.sum(V * V, axis=1, keepdims=True))


def joint_coordinates(X, U, focus, unit):
    """Return the joint coordinates (n, d + C) of features and probability roots."""
    if focus == 1.0:
        return np.hstack([np.zeros_like(X), STRENGTH * U])
    return np.hstack([X / unit, STRENGTH * focus / (1.0 - focus) * U])


def without_copies(A, least):
    """Return indices of distinct samples, and each sample's number among them."""
    rounded = np.round(A, COPY_DIGITS)
    _, first, copy = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    return (first, copy) if least <= len(first) < len(A) else (np.arange(len(A)),) * 2


def tried_focuses(X, U, codes, unit, seed, n_jobs):
    """Return a `Trial` for each focus, from maps of a part of the samples."""
    if X.shape[1] > len(X):  # as many coordinates as samples, with the same distances
        with one_blas_thread():
            X = np.asarray(np.linalg.qr(X.T, mode="r")).T
    random_state = check_random_state(seed)
    some = drawn_by_class(codes, min(2 * TRIED_ON, len(X)), random_state)
    some = some[np.argsort(codes[some], kind="stable")]  # half of each class
    halves = [(some[::2], some[1::2]), (some[1::2], some[::2])]
    few = len(some) <= FEW_TRIED
    trials = []
    for sharpness in SHARPNESSES if few else USUAL_SHARPNESS:
        V = sharpened(U, sharpness)
        turns = [
            _tried(X, V, codes, unit, *half, random_state, n_jobs)
            for half in halves[: 2 if few else 1]
        ]
        means = np.mean(turns, axis=0).tolist()
        trials += [
            Trial._make((focus, *figures, sharpness))
            for focus, figures in zip(FOCUSES, means, strict=True)
        ]
    return trials


def _tried(X, U, codes, unit, fitted, new, random_state, n_jobs):
    """Return accuracy and trustworthiness for each focus, from successive maps."""
    # With fewer samples, fewer neighbors are within the same distance.
    share = len(fitted) / len(X)
    perplexity = max(LEAST_PERPLEXITY, share * usual_perplexity(len(X)))
    n_neighbors = max(LEAST_NEIGHBORS, round(share * TRUST_NEIGHBORS))
    n_neighbors = min(n_neighbors, (len(fitted) - 1) // 2)
    results, Z = [], None
    for focus in FOCUSES:
        A, B = (joint_coordinates(X[r], U[r], focus, unit) for r in (fitted, new))
        Z = _quick_map(A, Z, perplexity, random_state, n_jobs)
        places = placed_among(paired(A, Z, U[fitted].argmax(axis=1)), B)
        # The nearest fitted samples on the map vote for the class.
        n_classes, own = codes[fitted].max() + 1, np.arange(len(Z))
        voters = Voters(Z, codes[fitted], own, n_classes, VOTES)
        accuracy = balanced_accuracy(voters.judge(places), codes[new], n_classes)
        trust = trustworthiness(X[fitted], Z, n_neighbors=n_neighbors)
        results.append((accuracy, trust))
    return results


def best_trial(trials, U, codes):
    """Return the most accurate trustworthy trial; in a tie, that of largest focus."""
    least = trials[0].trust - MOST_LOST
    trustworthy = [trial for trial in trials if trial.trust >= least]
    best = max(trustworthy, key=lambda trial: (trial.accuracy, trial.focus))
    known = balanced_accuracy(U.argmax(axis=1), codes, U.shape[1])
    if best.accuracy >= known - MOST_HIDDEN:
        return best
    # With categorical features, distances contain little information, and a trustworthy
    # map may lose the classes.
    enough = max(trial.accuracy for trial in trials) - MOST_LOST
    accurate = [trial for trial in trials if trial.accuracy >= enough]
    return max(accurate, key=lambda trial: trial.trust)


def _quick_map(A, Z, perplexity, random_state, n_jobs):
    """Return a quick map (m, 2) of samples A, started at Z if it is given."""
    first, copy = without_copies(A, LEAST_POINTS)
    A, Z = A[first], None if Z is None else Z[first]
    perplexity = min(perplexity, usual_perplexity(len(A)))
    indices, distances = Points(A).kneighbors(n_tsne_neighbors(perplexity, len(A)))
    P = affinities(distances, indices, perplexity)
    begins = Z is None
    if begins:
        Z = initial_places("pca", A, P, 2, random_state, owner="FisherKernelTSNE")
    points = Descent(Z, P, n_jobs)
    with one_blas_thread():
        if begins:
            points.run(EARLY_STEPS, 12)
        points.run(FIRST_STEPS if begins else NEXT_STEPS)
    return points.places[copy]


# Neighbors in all batches, if neighbors can predict the batch (``correct_for``).

LEAST_OF_BATCH = 2.0  # smallest perplexity within a batch
ROUNDS, TINY = 10, 1e-300  # rounds of scaling, and the smallest divisor
OTHER_CLASS = 1e-9  # weight of other classes, if no neighbor has the likely class


def balanced_affinities(A, U, batch, perplexity):
    """Return affinities P (n, n) of samples A with fixed shares of all batches.

    Each sample has neighbors in each batch, as in BBKNN (Polański et al. 2020), after
    each class gets the same mean in all batches. Batch s gets the share w_is = sum_c
    p_ic n_cs / n_c of the affinities of sample i, with probabilities p = U² and n_cs =
    sum_{j in s} p_jc. So samples get few neighbors in batches that lack their class. P
    is symmetric, and scaled until its rows have these shares (Sinkhorn).
    """
    batch = numbered(batch)
    n, n_batches = len(A), int(batch.max()) + 1
    p, A = U * U, A.copy()
    with one_blas_thread():
        sums = np.maximum(p.T @ np.eye(n_batches)[batch], TINY)
        of_class = sums.sum(axis=1, keepdims=True)
        shares, means = p @ (sums / of_class), p.T @ A / of_class
        for s in range(n_batches):
            own = batch == s
            A[own] += p[own] @ (means - p[own].T @ A[own] / sums[:, [s]])
    perplexity = max(LEAST_OF_BATCH, perplexity / n_batches)
    parts = [
        _within(A, np.flatnonzero(batch == s), perplexity) for s in range(n_batches)
    ]
    P = sum(part.multiply(shares[:, [s]]) for s, part in enumerate(parts))
    P = (P + P.T).tocoo()
    given = P.row * n_batches + batch[P.col]
    received = P.col * n_batches + batch[P.row]
    for _ in range(ROUNDS):
        sums = np.bincount(given, P.data, n * n_batches)
        factors = np.sqrt(shares.ravel() / np.maximum(sums, TINY))
        P.data *= factors[given] * factors[received]
    P = (P / P.sum()).tocsr()
    P.eliminate_zeros()
    return P


def _within(A, rows, perplexity):
    """Return affinities (n, n) of all samples to the samples of one batch only."""
    k = max(1, min(len(rows) - 1, int(np.ceil(3 * perplexity))))
    indices, distances = nearest_neighbors(A[rows], min(k + 1, len(rows)), A)
    indices = rows[indices]
    is_own = indices == np.arange(len(A))[:, None]
    order = np.argsort(is_own, axis=1, kind="stable")[:, :k]  # the sample itself last
    indices, distances = (
        np.take_along_axis(values, order, axis=1) for values in (indices, distances)
    )
    return affinities(
        distances, indices, perplexity, symmetrize=False, normalization="point-wise"
    )


def means_of_neighbors(P, Z, likely):
    """Return the mean position (n, q) of neighbors of neighbors in the likely class.

    New samples are placed at such means. If they were placed next to a single fitted
    sample, neighbors on the map would predict their batch better than by chance.
    """
    P = P.tocoo()
    P.data = P.data * np.where(likely[P.row] == likely[P.col], 1.0, OTHER_CLASS)
    sums = np.asarray(P.sum(axis=1)).reshape(-1, 1)
    return P @ (P @ Z / sums) / sums


# Pairs of fitted samples, and placement of new samples among them.

MOST_PAIRS = 3000  # at most this many pairs are stored
COPY_DIGITS = 9  # coordinates that agree to this number of digits are copies
# Weight of a distance on the map relative to one in the data, in the choice of pairs.
MAP_SHARE = 2.0
# A pair is stored at a random position between these shares of the way to the partner.
LEAST_SHARE, MOST_SHARE = 0.2, 0.5
HIDDEN_DIGITS = 1e8  # digits of a sum beyond this factor serve as random numbers
SINGLE = 1e30  # squares below this can be added in float32
CACHE_BYTES = 2**21  # blocks of distances that fit in a core's cache


@declares(
    centers=numbers("pairs", "coordinates"),
    places=numbers("pairs", "components"),
    reach=numbers("pairs", above=0),
    width=finite(above=0),
)
class PairPlaces(NamedTuple):
    """Points between pairs of fitted samples, in the data and on the map."""

    centers: np.ndarray  # (m, k) coordinates of the pairs
    places: np.ndarray  # (m, q) positions of the pairs on the map
    reach: np.ndarray  # (m,) distance of the partner, at least the typical one
    width: float  # typical distance to the tenth neighbor on the map


def paired(A, Z, likely, means=None):
    """Pair each sample of A (n, k) with a similar one; store a point between the two.

    New samples are placed at ``means`` (n, q) if given, otherwise at Z.
    """
    means = Z if means is None else means
    first = without_copies(A, 1)[0]  # the point between two copies would be the sample
    A, Z, likely, means = A[first], Z[first], likely[first], means[first]
    width = neighbor_gap(Z, MOST_PAIRS)
    both = np.hstack([A, Z * (MAP_SHARE * neighbor_gap(A, MOST_PAIRS) / width)])
    one = np.linspace(0, len(A) - 1, min(len(A), MOST_PAIRS)).astype(np.intp)
    other = _most_alike(both, likely)[one]
    # Random positions between samples, which cannot be computed from a file.
    drawn = np.modf(HIDDEN_DIGITS * np.abs(A[one].sum(axis=1, keepdims=True)))[0]
    share = LEAST_SHARE + (MOST_SHARE - LEAST_SHARE) * drawn
    centers = A[one] + share * (A[other] - A[one])
    places = means[one] + share * (means[other] - means[one])
    reach = np.linalg.norm(A[one] - A[other], axis=1)
    return PairPlaces(centers, places, np.maximum(reach, np.median(reach)), width)


def placed_among(pairs, A):
    """Return the positions (n, q) of new samples A (n, k)."""
    from labelscape.embeddings.tsne._place_kernels import place_rows

    center, centers, factor = _factor(pairs)
    places = np.ascontiguousarray(pairs.places)
    check_intact(len(places) == len(centers), "centers and places of pairs_")
    farthest = squared_norms(centers).max()
    single = factor.astype(np.float32) if farthest < SINGLE else factor

    def place(rows):
        moved = A[rows] - center
        norms = squared_norms(moved)
        rough = _rest(moved, single if norms.max() < SINGLE else factor)
        # Bound of the rounding errors of d + 1 products and sums.
        unit = 4.0 * (A.shape[1] + 9) * np.finfo(rough.dtype).eps
        slack = unit * (norms + farthest)
        Z = np.empty((len(moved), places.shape[1]))
        place_rows(rough, slack, moved, centers, places, pairs.width, Z)
        return Z

    return _over_blocks(pairs, A, place)


def distance_from(pairs, A):
    """Return the distance to the nearest pair, in units of the size of the pair."""
    center, _, factor = _factor(pairs)
    scales = pairs.reach**-2.0

    def least(rows):
        moved = A[rows] - center
        squares = _rest(moved, factor) + squared_norms(moved)[:, None]
        return np.sqrt((np.maximum(squares, 0.0) * scales).min(axis=1))

    return _over_blocks(pairs, A, least)


def _factor(pairs):
    """Return the mean of the pairs, the centered pairs, and a matrix for distances."""
    center = pairs.centers.mean(axis=0)
    centers = pairs.centers - center
    return center, centers, np.vstack([-2.0 * centers.T, squared_norms(centers)])


def _rest(moved, factor):
    """Return ``|c|^2 - 2 a.c`` (b, m): squared distances to the pairs minus |a|^2."""
    A = np.hstack([moved, np.ones((len(moved), 1))])
    return A.astype(factor.dtype, copy=False) @ factor


def _over_blocks(pairs, A, function):
    """Apply a function to slices of samples that fit in a cache."""
    size = 8 * (len(pairs.centers) + A.shape[1])
    return np.concatenate(map_blocks(function, row_blocks(len(A), size, CACHE_BYTES)))


def _most_alike(A, likely):
    """Return each point's nearest partner (n,), of the same class if possible."""
    if len(A) == 1:
        return np.zeros(1, dtype=np.intp)
    partner = Points(A).kneighbors(1)[0][:, 0]
    for c in np.unique(likely):
        rows = np.flatnonzero(likely == c)
        if len(rows) > 1:
            partner[rows] = rows[Points(A[rows]).kneighbors(1)[0][:, 0]]
    return partner
