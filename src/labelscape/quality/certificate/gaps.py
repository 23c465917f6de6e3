"""Gap or cut: whether few rows lie between neighboring classes.

Classes that were computed from the data, for example by clustering, are separated on
most maps, even without groups in the data. This test checks whether there is a gap
between neighboring classes, or whether the border cuts through one group.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.random import RandomState
from scipy.stats import norm, rankdata
from sklearn.covariance import ledoit_wolf_shrinkage

from labelscape._core.columns import without_far_cells
from labelscape._core.errors import ParameterError
from labelscape._core.labels import labels_argument
from labelscape._core.points.distances import nearest_neighbors
from labelscape._core.threads import map_blocks, one_blas_thread
from labelscape._core.types import Array, Bools, Floats, Ints
from labelscape._resampling.refits import drawn_seed, seeded_clone
from labelscape._resampling.sampling import some_units
from labelscape._resampling.trial import dealt_folds
from labelscape._resampling.voters import vote
from labelscape.quality.records import Finding

Kind = Literal["gap", "cut", "overlap", "too few", "too few values"]
UNTESTED = ("too few", "too few values")  # the kinds of pairs that cannot be tested

# Significance level. Without a gap, far fewer pairs are significant, because rows
# become fewer with distance from most borders.
LEVEL = 0.1
# With fewer rows than this on a side, a gap of 5 standard deviations is often missed.
# The result is then "too few" instead of "cut" for p-values up to the second value.
ENOUGH, SEEM = 100, 0.5
# Classes overlap if more than the first share of their rows are beyond the border. With
# more than the second share, there is no gap between them.
OVERLAP, MIXED = 0.05, 0.25
# Minimum number of rows of a pair on each side of its border, and minimum share of one
# class; number of nearest rows that decide which class a row is next to; folds.
FEWEST, TOUCHING, N_FACED, N_FOLDS = 10, 0.1, 5, 5
# Maximum number of tested rows, and of features (the most variable ones).
MOST_ROWS, MOST_FEATURES = 6000, 200
# Share of the rows on a side (the nearest) to compare with a uniform distribution.
NEAR = 0.6
# Where values are equal, each is spread over its distance to other values, in this many
# parts, because there are no rows between two neighboring values.
SPREAD = np.linspace(-1.0, 1.0, 20)
# Labels look computed if the nearest class mean predicts this share of them.
SIMPLE = 0.99
# Trials of a clustering on data without groups, and maximum rows of each.
N_TRIALS, MOST_TRIED = 39, 1000


@dataclass(frozen=True)
class ClassGap:
    """What is between two neighboring classes.

    Attributes
    ----------
    classes : tuple of object
        The two classes.
    kind : {"gap", "cut", "overlap", "too few", "too few values"}
        "gap": few rows lie between the classes. "cut": the border cuts through one
        group of rows. "overlap": the classes overlap. "too few": there are too few rows
        for the test. "too few values": the features have too few different values
        (counts, ratings) to tell a gap from the distance between two values.
    p_value : float
        The p-value of the hypothesis that there is no gap, adjusted for all neighbors
        of a class.
    share : float
        Share of the rows of both classes on the wrong side of the border; both classes
        have the same weight.
    depth : float
        Depth of the dip at the border (Hartigan), times the root of the row count.
    n_rows : tuple of int
        The number of tested rows on each side of the border.
    """

    classes: tuple[Any, Any]
    kind: Kind
    p_value: float
    share: float
    depth: float
    n_rows: tuple[int, int]

    @property
    def words(self) -> str:
        """The names of both classes; with too few rows, the smaller class first."""
        if self.kind != "too few":
            return " and ".join(map(str, self.classes))
        i = int(np.argmin(self.n_rows))
        return f"{self.classes[i]} next to {self.classes[1 - i]}"


def find_gaps(
    X: Array, codes: Ints, units: Ints, classes: Array, rng: RandomState
) -> tuple[ClassGap, ...]:
    """Return what is between each pair of neighboring classes of the samples (n, d)."""
    if len(X) > MOST_ROWS:
        some = some_units(codes, units, MOST_ROWS, rng)
        X, codes, units = X[some], codes[some], units[some]
    S = _scaled(X)
    steps = _steps(S)
    faced, counts = _faced(S, codes, len(classes)), np.bincount(codes)
    fold = dealt_folds(codes, units, N_FOLDS, rng, owner="honesty")

    def between(pair: tuple[int, int]) -> tuple[int, int, _Border] | None:
        a, b = pair
        is_a, is_b = (codes == a) & (faced == b), (codes == b) & (faced == a)
        n_a, n_b = is_a.sum(), is_b.sum()
        by_a = n_a >= max(FEWEST, TOUCHING * counts[a])
        by_b = n_b >= max(FEWEST, TOUCHING * counts[b])
        if not (by_a or by_b) or min(counts[a], counts[b]) < FEWEST:
            return None
        # If too few rows of a class are next to the other, all rows of it are used.
        is_a = is_a if n_a >= FEWEST else codes == a
        is_b = is_b if n_b >= FEWEST else codes == b
        rows = np.flatnonzero(is_a | is_b)
        along = _along(S[rows], steps[rows], is_b[rows], fold[rows])
        return None if along is None else (a, b, _between(*along, is_b[rows]))

    facing = np.unique(np.sort(np.c_[codes, faced], axis=1), axis=0)
    touching = map_blocks(between, facing.tolist())
    pairs = [pair for pair in touching if pair is not None]
    return tuple(_named(pairs, classes.tolist()))


def _scaled(X: Array) -> Floats:
    """Return the most variable features, standardized, without impossible cells."""
    X = without_far_cells(X)
    X = np.asarray(X - X.mean(axis=0), dtype=np.float64)
    spread = X.std(axis=0)
    used = np.flatnonzero(np.isfinite(spread) & (spread > 0))
    used = np.sort(used[np.argsort(-spread[used], kind="stable")[:MOST_FEATURES]])
    return X[:, used] / spread[used] if len(used) else np.zeros((len(X), 1))


def _steps(S: Floats) -> Floats:
    """Return the distance to the nearest other value of a feature; 0 if not tied."""
    # A value counts only if there are enough rows from there on to be a side of a gap.
    steps = np.zeros_like(S)
    for x, step in zip(S.T, steps.T, strict=True):
        values, which, counts = np.unique(x, return_inverse=True, return_counts=True)
        n_up_to = np.cumsum(counts)[:-1]
        is_side = np.minimum(n_up_to, len(S) - n_up_to) >= FEWEST
        apart = np.r_[np.inf, np.where(is_side, np.diff(values), np.inf), np.inf]
        nearest = np.minimum(apart[:-1], apart[1:])
        step[:] = np.where((counts > 1) & np.isfinite(nearest), nearest, 0.0)[which]
    return steps


def _faced(S: Floats, codes: Ints, n_classes: int) -> Ints:
    """Return the other class that is nearest to each sample."""
    faced = np.full(len(S), -1)
    for c in range(n_classes):
        own, others = np.flatnonzero(codes == c), np.flatnonzero(codes != c)
        k = min(N_FACED, len(others))
        near, _ = nearest_neighbors(S[others], k, S[own])
        faced[own] = vote(codes[others][near], n_classes)
    return faced


def _along(
    S: Floats, steps: Floats, is_b: Bools, fold: Ints
) -> tuple[Floats, Floats] | None:
    """Return the signed distance of samples from a border fitted to other samples."""
    # Along a linear discriminant with shrunken correlations, and the largest step of a
    # feature along it. None if fewer than two samples of a class are outside a fold.
    along, step = np.empty((2, len(S)))
    for k in np.unique(fold):
        known, new = fold != k, fold == k
        if min(np.sum(known & is_b), np.sum(known & ~is_b)) < 2:
            return None
        A, B = S[known & ~is_b], S[known & is_b]
        difference = B.mean(axis=0) - A.mean(axis=0)
        within = np.concatenate([A - A.mean(axis=0), B - B.mean(axis=0)])
        # Features that separate the classes vary less within classes. Shrinking toward
        # one common spread would reduce the weights of these features.
        spread = within.std(axis=0)
        spread[spread <= 1e-9 * spread.max()] = spread.max() or 1.0
        within, difference = within / spread, difference / spread
        with one_blas_thread():
            shrinkage = ledoit_wolf_shrinkage(within, assume_centered=True)
            covariance = (1.0 - shrinkage) * within.T @ within / len(within)
            covariance += (shrinkage + 1e-9) * np.eye(S.shape[1])
            w = np.linalg.solve(covariance, difference) / spread
            w /= np.linalg.norm(w) or 1.0
            along[new] = S[new] @ w - _border(S[known] @ w, is_b[known])
        step[new] = np.max(steps[new] * np.abs(w), axis=1)
    return along, step


def _border(values: Floats, is_b: Bools) -> float:
    """Return the threshold that separates ``is_b`` (above) with the fewest errors."""
    order = np.argsort(values, kind="stable")
    values, b = values[order], is_b[order]
    errors = np.r_[0, np.cumsum(b)] + np.sum(~b) - np.r_[0, np.cumsum(~b)]
    best = np.flatnonzero(errors == errors.min())
    i = best[len(best) // 2]
    return float((values[max(i - 1, 0)] + values[min(i, len(values) - 1)]) / 2.0)


class _Border(NamedTuple):
    """The border between two classes, before adjustment for other pairs."""

    p_value: float  # for the hypothesis of one mode
    spread_p_value: float  # the same, if equal values are spread
    share: float  # share of rows beyond the border
    depth: float
    n_rows: tuple[int, int]


def _between(along: Floats, step: Floats, is_b: Bools) -> _Border:
    """Return the border between two classes, for samples ordered by distance.

    If there is one mode, the border has a side where samples do not become more
    frequent with distance. So the larger p-value of the two sides tests for one mode,
    for classes of any sizes. The depth is the dip of the samples nearest to the border,
    with equal numbers on both sides.
    """
    from labelscape.quality.certificate._dip import dip_statistic

    share = float((np.mean(along[is_b] < 0) + np.mean(along[~is_b] >= 0)) / 2.0)
    sides = [np.sort(np.abs(along[along < 0])), np.sort(along[along >= 0])]
    n_rows = (len(sides[0]), len(sides[1]))
    m = min(n_rows)
    if m < FEWEST:
        return _Border(1.0, 1.0, share, 0.0, n_rows)
    values = np.concatenate([-sides[0][:m][::-1], sides[1][:m]])
    depth = float(np.sqrt(2 * m) * dip_statistic(values))
    p_value = spread_p_value = max(_rising(side) for side in sides)
    if step.any():
        spread = (along[:, None] + step[:, None] * SPREAD).ravel()
        sides = [np.sort(-spread[spread < 0]), np.sort(spread[spread >= 0])]
        spread_p_value = max(p_value, *(_rising(side, len(SPREAD)) for side in sides))
    return _Border(p_value, spread_p_value, share, depth, n_rows)


def _rising(distances: Floats, n_parts: int = 1) -> float:
    """Return the p-value of the hypothesis that frequencies do not rise."""
    # If frequencies do not rise up to the k-th distance, the mean of the distances
    # exceeds half of the k-th distance only by chance. Each row is in ``n_parts``.
    k = int(np.ceil(NEAR * len(distances)))
    if k < 2 or distances[k - 1] <= 0:
        return 1.0
    shares = distances[: k - 1] / distances[k - 1]
    n = len(shares) / n_parts
    return float(norm.sf((shares.mean() - 0.5) * np.sqrt(12.0 * n)))


def _named(pairs: Sequence[Any], labels: list[Any]) -> Iterable[ClassGap]:
    """Yield records, with p-values adjusted for the neighbors of a class (Simes)."""
    p_values = _adjusted(pairs, [border.p_value for *_, border in pairs])
    spread = _adjusted(pairs, [border.spread_p_value for *_, border in pairs])
    for (a, b, border), p_value, spread_p in zip(pairs, p_values, spread, strict=True):
        kind: Kind = "cut"
        if p_value <= LEVEL and border.share <= MIXED:
            kind = "gap" if spread_p <= LEVEL else "too few values"
        elif border.share > OVERLAP:
            kind = "overlap"
        elif border.p_value <= SEEM and min(border.n_rows) < ENOUGH:
            kind = "too few"
        classes = (labels[a], labels[b])
        yield ClassGap(
            classes, kind, p_value, border.share, border.depth, border.n_rows
        )


def _adjusted(pairs: Sequence[Any], given: list[float]) -> list[float]:
    """Return p-values of pairs (a, b, …), adjusted for all pairs of a class."""
    p_values, adjusted = np.array(given), np.array(given)
    for c in {c for pair in pairs for c in pair[:2]}:
        own = [i for i, pair in enumerate(pairs) if c in pair[:2]]
        order = np.argsort(p_values[own], kind="stable")
        ranked = p_values[own][order] * len(own) / np.arange(1, len(own) + 1)
        lowest = np.minimum.accumulate(ranked[::-1])[::-1]
        which = np.array(own, dtype=np.intp)[order]
        adjusted[which] = np.maximum(adjusted[which], np.minimum(lowest, 1.0))
    return adjusted.tolist()


def looks_computed(X: Array, codes: Ints, gaps: Sequence[ClassGap]) -> list[Finding]:
    """Return a finding if a simple rule predicts the labels and there is no gap."""
    if not gaps or any(gap.kind in ("gap", "too few values") for gap in gaps):
        return []
    share = 0.0
    for S in (_scaled(X), np.asarray(X - X.mean(axis=0), dtype=np.float64)):
        means = np.stack([S[codes == c].mean(axis=0) for c in range(codes.max() + 1)])
        nearest, _ = nearest_neighbors(means, 1, S)
        share = max(share, float(np.mean(nearest[:, 0] == codes)))
    if share < SIMPLE:
        return []
    return [Finding("computed", (), 0, sure="likely", figure=share)]


def as_good_by_recipe(
    recipe: Any, X: Array, gaps: Sequence[ClassGap], rng: RandomState, *, owner: str
) -> float:
    """Return how often clusters of data without groups have gaps at least as deep."""
    # The simulated features have the distributions and correlations of X (a Gaussian
    # copula). Labels look as good if the mean depth between neighbors is as large.
    rows = np.sort(rng.permutation(len(X))[:MOST_TRIED])
    observed, as_good, X = _mean_depth(gaps), 0, np.asarray(X[rows], dtype=np.float64)
    scores = norm.ppf((rankdata(X, axis=0) - 0.5) / len(X))
    ordered = np.sort(X, axis=0)
    for _ in range(N_TRIALS):
        with one_blas_thread():
            normal = rng.normal(size=(len(X), len(X))) @ scores
        ranks = np.argsort(np.argsort(normal, axis=0), axis=0)
        without = np.take_along_axis(ordered, ranks, axis=0)
        labels = seeded_clone(recipe, drawn_seed(rng)).fit_predict(without)
        labels = _checked(labels, len(X), owner)
        classes, codes = np.unique(labels, return_inverse=True)
        depth, units = 0.0, np.arange(len(X))
        if len(classes) > 1:  # in a single cluster, there is no gap
            depth = _mean_depth(find_gaps(without, codes, units, classes, rng))
        as_good += depth >= observed
    return (1 + as_good) / (1 + N_TRIALS)


def _checked(labels: Any, n: int, owner: str) -> Array:
    """Return the clusters that a recipe made of n rows, after a check."""
    name = "labels_from.fit_predict(X)"
    labels = labels_argument(owner, name, labels, size=n)
    if labels.dtype.kind == "f" and (labels % 1.0).any():
        wanted = f"one label for each of the {n} samples, not continuous numbers"
        raise ParameterError(owner, name, labels, wanted)
    return labels


def _mean_depth(gaps: Sequence[ClassGap]) -> float:
    return float(np.mean([gap.depth for gap in gaps])) if gaps else 0.0
