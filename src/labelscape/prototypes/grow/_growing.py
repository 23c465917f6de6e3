"""Grow: split groups of low confidence as long as the quality rises."""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from labelscape._core.points.distances import exact_squared_distances
from labelscape._core.threads import map_blocks, row_blocks

# If all confidences are this close to 1/2, centroids coincide.
UNDECIDED = 1e-3
PERFECT = 1.0 - 1e-12


class GrownModel(NamedTuple):
    """A prototype model of the training set."""

    group: np.ndarray  # (n,) index of each sample's prototype
    owner: np.ndarray  # (l,) class of each prototype, ascending
    weights: np.ndarray  # (n,) weights of the samples in their prototypes
    prototypes: Any  # (l, N), or `Combinations`
    confidences: np.ndarray  # (n,) confidences of the samples (Def. 4.2)

    @property
    def quality(self):
        """Mean confidence (Def. 4.3)."""
        return self.confidences.mean()


class Growth(NamedTuple):
    """Settings of growing."""

    tol: float  # smallest gain in quality for another round
    max_prototypes: int | None  # largest number of prototypes, or None
    patience: int  # number of further rounds without such a gain
    one_by_one: bool  # accept each split by itself, or all splits of a round together
    exact_limit: int  # largest group whose farthest pair is computed exactly


def grow(train, space, classes, growth, progress):
    """Return the grown model, and the history of its rounds."""
    best = current = train(classes, np.arange(classes.max() + 1))
    history = []
    waited = 0

    def reported(model, accepted):
        history.append((model.quality, len(model.owner), accepted))
        return progress.step(
            iteration=len(history),
            loss=float(1.0 - model.quality),
            quality=float(model.quality),
            n_prototypes=len(model.owner),
        )

    stopped = reported(best, True)
    while not stopped and current.quality <= PERFECT and waited <= growth.patience:
        grown = _next(train, space, current, best.quality + growth.tol, growth)
        if grown is None:
            break
        # A round that compensates the loss of the one before is progress.
        waited = 0 if grown.quality - current.quality > growth.tol else waited + 1
        current = grown
        accepted = current.quality - best.quality > growth.tol
        best = current if accepted else best
        stopped = reported(current, accepted)
    return best, history


def candidates(space, model):
    """Return the groups with confidence below average, lowest first, to be split."""
    count = len(model.owner)
    sizes = np.bincount(model.group, minlength=count)
    quality = np.bincount(model.group, model.confidences, minlength=count) / sizes
    if np.abs(model.confidences - 0.5).max() < UNDECIDED:
        doubtful = np.arange(count)
    else:
        doubtful = np.flatnonzero(quality < model.quality)
    worst_first = doubtful[np.argsort(quality[doubtful], kind="stable")]
    return [
        p
        for p in worst_first
        if is_varied(space.subset(np.flatnonzero(model.group == p)))
    ]


def divided(space, model, chosen, exact_limit):
    """Return the groups and their classes after the chosen groups are split."""
    side = np.zeros(len(model.group), dtype=int)
    for p in chosen:
        members = np.flatnonzero(model.group == p)
        side[members] = split(
            space.subset(members), model.weights[members], exact_limit
        )
    # Halves are adjacent, so that prototypes remain sorted by class.
    names, group = np.unique(2 * model.group + side, return_inverse=True)
    return group, model.owner[names // 2]


def _next(train, space, model, target, growth):
    """Return the model of the next round; None if nothing can be split."""
    chosen = candidates(space, model)
    if growth.max_prototypes is not None:
        room = growth.max_prototypes - len(model.owner)
        if room == 0:
            return None
        if not growth.one_by_one:
            chosen = chosen[:room]
    if not chosen:
        return None
    best = None
    # All splits at once; or one by one, until the model is better than the target.
    for trial in [[p] for p in chosen] if growth.one_by_one else [chosen]:
        grown = train(*divided(space, model, trial, growth.exact_limit))
        if best is None or grown.quality > best.quality:
            best = grown
        if best.quality > target:
            break
    return best


# Split of a group, starting from its two farthest samples.

MAX_ROUNDS = 100


def split(space, weights, exact_limit):
    """Split a group by 2-means from two far samples; return the half (0, 1) of each."""
    # Neither half can become empty: otherwise, its mean would be nearer to the other
    # mean than to itself.
    ends = farthest_pair(space) if len(space) <= exact_limit else far_pair(space)
    side = _nearer(space, space.samples(np.array(ends)))
    for _ in range(MAX_ROUNDS):
        moved = _nearer(space, space.means(side, weights, 2))
        # Only rounding can make a half empty: then the last complete split is used.
        if (moved == side).all() or moved.min() == moved.max():
            break
        side = moved
    return side


def farthest_pair(space):
    """Return the two samples farthest apart; ties go to the lowest indices."""
    n = len(space)

    def block(rows):
        # Only with later samples, so that each pair is compared once.
        D = space.squared_between_samples(rows, slice(rows.start, n))
        i, j = np.unravel_index(D.argmax(), D.shape)
        return D[i, j], int(rows.start + i), int(rows.start + j)

    pairs = map_blocks(block, row_blocks(n, 8 * (n + space.width), 2**21))
    _, i, j = max(pairs, key=lambda pair: pair[0])  # the first of ties
    return i, j


def far_pair(space):
    """Return two samples, at least half as far apart as the farthest pair."""
    n = len(space)
    center = space.means(np.zeros(n, dtype=int), np.ones(n), 1)
    here, there, length = 0, _farthest(space, center)[0], -1.0
    while True:
        beyond, reached = _farthest(space, space.samples(np.array([there])))
        if not reached > length:
            return min(here, there), max(here, there)
        here, there, length = there, beyond, reached


def is_varied(space):
    return _farthest(space, space.samples(np.array([0])))[1] > 0.0


def _farthest(space, prototype):
    D = np.concatenate(space.map(lambda rows, D: D[:, 0], prototype))
    return int(D.argmax()), D.max()


def _nearer(space, pair):
    return np.concatenate(space.map(lambda rows, D: D.argmin(axis=1), pair))


def averaging(group, weights, count):
    """Return the sparse matrix (count, n) that maps samples to group means."""
    totals = np.bincount(group, weights, minlength=count)
    n = len(group)
    return csr_array((weights / totals[group], (group, np.arange(n))), shape=(count, n))


class GroupMeans:
    """Means of samples and distances to them, for vectors or dissimilarities."""

    def map(self: Any, function, prototypes):
        """Return a list of ``function(rows, squared distances)``, one per block."""

        def block(rows):
            return function(rows, self.squared_distances(prototypes, rows))

        # `function` may need about six arrays of the size of D.
        row_bytes = 8 * (self.width + 8 * len(prototypes))
        return map_blocks(block, row_blocks(len(self), row_bytes, 2**21))

    def own_squared_distances(self, prototypes, group):
        """Return the squared distance of each sample to the mean of its group."""

        def block(rows, D):
            return np.take_along_axis(D, group[rows, None], axis=1)[:, 0]

        return np.concatenate(self.map(block, prototypes))

    def nearest_own(self, prototypes, owner, classes):
        """Return the nearest prototype of its own class for each sample."""

        def block(rows, D):
            foreign = owner != classes[rows, None]
            return np.where(foreign, np.inf, D).argmin(axis=1)

        return np.concatenate(self.map(block, prototypes))


class VectorMeans(GroupMeans):
    """Samples that are rows of a matrix; their means are rows, too."""

    def __init__(self, X):
        self.X = X
        self.width = X.shape[1]

    def __len__(self):
        return len(self.X)

    def subset(self, members):
        return VectorMeans(self.X[members])

    def means(self, group, weights, count):
        return averaging(group, weights, count) @ self.X

    def squared_distances(self, prototypes, rows):
        """Return squared distances of some samples to the prototypes."""
        return exact_squared_distances(self.X[rows], prototypes)

    def squared_between(self, prototypes, which):
        """Return squared distances of some prototypes to all prototypes."""
        return exact_squared_distances(prototypes[which], prototypes)

    def squared_between_samples(self, some, others):
        """Return squared distances of two sets of samples, given as slices."""
        return exact_squared_distances(self.X[some], self.X[others])

    def samples(self, which):
        return self.X[which]


class Combinations(NamedTuple):
    """Means of samples that are given by their dissimilarities."""

    # (l, n) sparse, weight of each sample in each mean; rows add up to 1.
    coefficients: csr_array
    sums: np.ndarray  # (l, n) of squared dissimilarities, ``sum_o a_o D_ox^2``
    # (l, l) ``a^T D^2 b`` for each two means; half the diagonal is the variance of a
    # group.
    products: np.ndarray

    def __len__(self):
        return len(self.sums)

    @property
    def variances(self):
        """Mean squared distance of the samples of each group from the group mean."""
        return np.diagonal(self.products) / 2.0


class DissimilarityMeans(GroupMeans):
    """Samples given by their squared dissimilarities (n, n)."""

    # For the mean P = sum_o a_o o, d(P, x)^2 = sum_o a_o D_ox^2 - 1/2 a^T D^2 a.

    def __init__(self, squares):
        self.squares = squares
        self.width = len(squares)

    def __len__(self):
        return len(self.squares)

    def subset(self, members):
        """Return an object of this class for some of the samples."""
        return DissimilarityMeans(self.squares[np.ix_(members, members)])

    def means(self, group, weights, count):
        """Return the weighted means of the groups."""
        A = averaging(group, weights, count)
        sums = A @ self.squares
        return Combinations(A, sums, (A @ sums.T).T)

    def squared_distances(self, prototypes, rows):
        """Return squared distances of some samples to the means."""
        return _not_negative(prototypes.sums[:, rows].T - prototypes.variances)

    def squared_between(self, prototypes, which):
        """Return squared distances of some means to all means."""
        variances = prototypes.variances
        return _not_negative(
            prototypes.products[which] - variances[which, None] - variances
        )

    def squared_between_samples(self, some, others):
        """Return squared dissimilarities of two sets of samples, given as slices."""
        return self.squares[some, others]

    def samples(self, which):
        """Return some samples, each as a mean of one sample."""
        n, count = len(self), len(which)
        A = csr_array((np.ones(count), (np.arange(count), which)), shape=(count, n))
        sums = self.squares[which]
        return Combinations(A, sums, sums[:, which])


def distances_to_combinations(D, coefficients, variances):
    """Return distances to means, from distances D (m, n) to the training samples."""
    return np.sqrt(_not_negative(D**2 @ coefficients.T - variances))


def _not_negative(squares):
    # Dissimilarities that are not Euclidean may give negative squares.
    return np.maximum(squares, 0.0)


# If two prototypes are nearer than this, relative to the sample's distance, they
# coincide, and the plane between them consists of rounding errors.
COINCIDENT = 1e-12


def signed_distances(D_own, D_foreign, gaps):
    """Return ``(d(P2, x)^2 - d(P1, x)^2) / (2 d(P1, P2))``, positive near P1."""
    # Lemma 4.1 with the correct sign, for D_own (n, 1) and D_foreign (n, l).
    apart = gaps > COINCIDENT * (np.sqrt(D_own) + np.sqrt(D_foreign))
    lead = D_foreign - D_own
    return np.divide(lead, 2.0 * gaps, out=np.zeros_like(lead), where=apart)


def border_distances(D, between, owner, classes):
    """Return each sample's distance from the nearest border of its class (Def. 4.1)."""
    # The nearest prototype of the own class is used, so that the sign shows whether the
    # sample is classified correctly.
    foreign = owner != classes[:, None]
    own = np.where(foreign, np.inf, D).argmin(axis=1)
    used, where_used = np.unique(own, return_inverse=True)
    margins = signed_distances(
        np.take_along_axis(D, own[:, None], axis=1), D, between(used)[where_used]
    )
    return np.where(foreign, margins, np.inf).min(axis=1)


def literal_border_distances(D, between, owner, classes):
    """Return Def. 4.1 as printed: also a minimum over prototypes of the own class."""
    worst = np.full(len(D), np.inf)
    for own in range(len(owner)):
        rows = np.flatnonzero(classes == owner[own])
        foreign = np.flatnonzero(owner != owner[own])
        margins = signed_distances(
            D[rows, own, None],
            D[np.ix_(rows, foreign)],
            between(np.array([own]))[:, foreign],
        )
        worst[rows] = np.minimum(worst[rows], margins.min(axis=1))
    return worst


def confidence(margins, alpha):
    """Return ``1 / (1 + exp(-alpha d_min))`` (Def. 4.2)."""
    return expit(alpha * margins)


def margins(space, prototypes, owner, classes, measure=border_distances):
    """Return the border distances of all samples, computed in blocks."""

    def between(which):
        return np.sqrt(space.squared_between(prototypes, which))

    def block(rows, D):
        return measure(D, between, owner, classes[rows])

    return np.concatenate(space.map(block, prototypes))


def margin_scale(space, classes):
    """Return s, the mean margin of the class centroids; the model uses alpha / s."""
    # If centroids nearly coincide, use 1/1000 of the samples' root mean square distance
    # from their centroid.
    owner = np.arange(classes.max() + 1)
    centroids = space.means(classes, np.ones(len(classes)), len(owner))
    s = np.abs(margins(space, centroids, owner, classes)).mean()
    spread = np.sqrt(np.mean(space.own_squared_distances(centroids, classes)))
    return max(s, 1e-3 * spread) or 1.0
