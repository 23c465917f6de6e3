"""Islands (density clusters) of a map, and a test of whether they are stable."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.random import RandomState
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state

from labelscape._core.checks import matrix_argument
from labelscape._core.estimator import Progress
from labelscape._core.labels import check_labels
from labelscape._core.params import COMMON, arguments, either, one_of, whole
from labelscape._core.types import Array, Floats, Ints
from labelscape._resampling.refits import (
    drawn_seed,
    expected_ignored,
    in_turn,
    own_map,
    seeded_clone,
    share_threads,
    with_transform,
)
from labelscape._resampling.sampling import some_units
from labelscape._resampling.trial import HALF, Fit, Problem
from labelscape._resampling.units import checked_rows, units_of
from labelscape.quality.certificate.gaps import find_gaps
from labelscape.quality.records import Printed, data_frame

OWNER = "islands"
FEWEST_UNITS = 20  # with fewer units, halves are too small
# Minimum size of an island: 1 / PART of the samples, and SMALLEST samples. Smaller
# groups occur by chance, and halves of the data contain too few of their samples.
PART, SMALLEST = 40, 15
# A half of the data contains about half of an island, so a smaller island is accepted
# on its map: this share of the minimum size.
IN_HALVES = 0.4

_RULES = {
    "n_resamples": whole(1, limit=10_000),
    "max_samples": either(whole(2 * FEWEST_UNITS), one_of(None)),
    **COMMON,
}


Stays = Literal["stable", "doubtful", "falls apart"]

# Minimum stability of a stable island, and of a doubtful island.
STABLE, DOUBTFUL = 0.75, 0.5
MOST_CLASSES = 3  # maximum number of classes that are listed for an island

_WORDS: dict[Stays, str] = {
    "stable": "is stable",
    "doubtful": "is doubtful",
    "falls apart": "falls apart on other halves of the data",
}


@dataclass(frozen=True, eq=False)
class Island:
    """An island (density cluster) of a map, which is printed as a sentence.

    Attributes
    ----------
    members : ndarray of int
        Row numbers of the samples in the island.
    stability : float
        Agreement with islands on maps of random halves of the data, from 0 to 1.
    classes : dict
        Number of samples of each class, the most frequent first; empty without labels.
    is_cut : bool
        Whether the island is part of a continuous group: the data have no gap between
        the island and its neighboring islands.

    Examples
    --------
    >>> island = Island(np.arange(50), 0.913, {"setosa": 49, "virginica": 1})
    >>> print(island)
    This island is stable (.91).
    >>> island.size, island.verdict, island.holds
    (50, 'stable', 'setosa (49), virginica (1)')
    >>> print(Island(np.arange(20), 0.377, {}))
    This island falls apart on other halves of the data (.38).
    >>> print(Island(np.arange(20), 0.834, {}, is_cut=True))
    This island is stable (.83), but part of a continuous group: the data have no gap
    there.
    """

    members: Ints
    stability: float
    classes: dict[Any, int]
    is_cut: bool = False

    @property
    def size(self) -> int:
        """Number of samples in the island."""
        return len(self.members)

    @property
    def verdict(self) -> Stays:
        """Whether the island is stable."""
        if self.stability >= STABLE:
            return "stable"
        return "doubtful" if self.stability >= DOUBTFUL else "falls apart"

    @property
    def holds(self) -> str:
        """The most frequent classes of the island, as text."""
        named = [f"{name} ({count})" for name, count in self.classes.items()]
        more = len(named) - MOST_CLASSES
        return ", ".join(named[:MOST_CLASSES]) + (f" and {more} more" * (more > 0))

    @property
    def figure(self) -> str:
        """The stability of the island as text."""
        return f"{self.stability:.2f}".removeprefix("0")

    def __str__(self) -> str:
        cut = ""
        if self.is_cut:
            joined = ", but" if self.verdict == "stable" else " and"
            cut = f"{joined} part of a continuous group: the data have no gap there"
        return f"This island {_WORDS[self.verdict]} ({self.figure}){cut}."


@dataclass(frozen=True, eq=False, repr=False)
class IslandReport(Printed):
    """The islands of a map, largest first, and how stable each is.

    Attributes
    ----------
    islands : tuple of Island
        The islands; empty if all points form one group.
    of_sample : ndarray of int of shape (n,)
        The island of each sample: its index in ``islands``; -1 if there are no islands.
    n_resamples : int
        Number of random halves of the data to which the map was fitted.
    n_judged : int
        The number of samples that were used for the test.
    why : str
        Why the islands were not tested; empty if they were tested.
    """

    islands: tuple[Island, ...]
    of_sample: Ints
    n_resamples: int
    n_judged: int
    why: str = ""

    def __len__(self) -> int:
        return len(self.islands)

    def __iter__(self) -> Iterator[Island]:
        return iter(self.islands)

    def __getitem__(self, index: int) -> Island:
        return self.islands[index]

    @property
    def finding(self) -> str:
        """A sentence with the number of stable islands."""
        if self.why:
            return f"Islands were not tested: {self.why}."
        if not self.islands:
            return "This map has no islands: all points form one group."
        stable = sum(island.verdict == "stable" for island in self.islands)
        verb = "is" if stable == 1 else "are"
        cut = ""
        if n_cut := sum(island.is_cut for island in self.islands):
            verb_cut = "is" if n_cut == 1 else "are"
            cut = f"; {n_cut} {verb_cut} part of a continuous group"
        return f"{stable} of {len(self.islands)} islands (clusters) {verb} stable{cut}."

    @property
    def note(self) -> str:
        """A sentence about the test of the islands; empty if they were not tested."""
        if not self.islands:
            return ""
        n, some = len(self.of_sample), ""
        if self.n_judged < n:
            some = f" ({self.n_judged:,} random rows of {n:,})"
        return (
            f"{self.n_resamples} maps were fitted to half of the rows{some}. The other "
            "half was placed on each of these maps, and their islands were compared "
            "with the islands of the tested map (Jaccard index, 1 = equal)."
        )

    def _parts_shown(self) -> list[Any]:
        table = [self._table()] if self.islands else []
        return [*table, *(part for part in (self.finding, self.note) if part)]

    def to_frame(self) -> Any:
        """Return the islands as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            With columns ``size``, ``stability``, ``verdict``, ``is_cut``, ``classes``.
        """
        names = ["size", "stability", "verdict", "is_cut", "classes"]
        rows = [[getattr(one, name) for name in names] for one in self.islands]
        return data_frame(rows, columns=names)

    def _table(self) -> tuple[list[str], list[list[str]], tuple[int, ...]]:
        header = ["island", "samples", "stability", "classes"]
        rows = [
            [one.verdict, f"{one.size:,}", one.figure, one.holds]
            for one in self.islands
        ]
        return header, rows, (0, 3)


@arguments(**_RULES)
def islands(
    estimator,
    X,
    y=None,
    groups=None,
    *,
    embedding=None,
    n_resamples=10,
    max_samples=3000,
    n_jobs=None,
    random_state=None,
    verbose=False,
    callback=None,
) -> IslandReport:
    """Find the islands (clusters) of a map, and test which of them are stable.

    Parameters
    ----------
    estimator : map with ``fit``
        The map, which is fitted again to halves of the data. A map without
        ``transform`` is wrapped in :class:`~labelscape.embeddings.KernelMap`.
    X : array-like of shape (n, d)
        Samples. Equal rows are always in the same half.
    y : array-like of shape (n,), optional
        Class labels, for a map that uses labels. Halves have equal class proportions.
    groups : array-like of shape (n,), optional
        The group of each row, such as a patient, a plate or a document. Rows of one
        group are always in the same half. A row without a value (None, NaN) is its own
        group.
    embedding : array-like of shape (n, q), optional
        Positions of the samples. By default, the estimator is fitted to all samples.
    n_resamples : int, default=10
        Number of random halves of the data to which the map is fitted.
    max_samples : int or None, default=3000
        If there are more samples, about this many are drawn at random to find islands.
        The other samples join the nearest island.
    n_jobs : int, optional
        Number of processes, as in :func:`honesty`; -1 for all cores.
    random_state : int, RandomState instance or None, default=None
        Seed of the halves, and of the estimator if it has no seed. The result does not
        depend on ``n_jobs``.
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each fit with a dict of ``fit`` and ``stability`` (the mean over
        the islands). If it returns True, no further fits are started.

    Returns
    -------
    IslandReport
        The islands, the largest first. Each island has ``members``, ``stability``,
        ``verdict`` and ``classes``, and is printed as a sentence.

    Notes
    -----
    Islands are density clusters of the map (HDBSCAN). If all points form one group,
    there are no islands.

    A new map is fitted to a random half of the data, and HDBSCAN finds its islands. The
    *other* half is placed on the new map without labels. For these samples, each island
    of the tested map is compared with the most similar island of the new map. The
    similarity is the Jaccard index of the two islands, or of their complements if that
    is lower. The stability is the mean over all random halves (clusterwise stability,
    Hennig 2007). Held-out samples are used, because a supervised map can show islands
    of fitted samples even for random labels.

    A stable island may still be a part of one group in the data: t-SNE and UMAP break
    continuous data into pieces. An island is part of a continuous group (``is_cut``) if
    the test of :func:`certify` finds no gap to any neighboring island.

    References
    ----------
    C. Hennig. Cluster-wise assessment of cluster stability. Computational Statistics
    and Data Analysis 52, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.decomposition import PCA
    >>> from labelscape.quality import islands
    >>> X, y = load_iris(return_X_y=True)
    >>> for island in islands(PCA(2), X, y, random_state=0):
    ...     print(island.size, island.holds, island)
    100 1 (50), 2 (50) This island is stable (1.00).
    50 0 (50) This island is stable (1.00).
    """
    estimator = with_transform(estimator, owner=OWNER)
    rng = check_random_state(random_state)
    data = _checked(X, y, groups)
    seed = drawn_seed(rng)
    if embedding is None:
        labels = data.classes[data.codes] if len(data.classes) else None
        model = seeded_clone(estimator, seed)
        with expected_ignored():
            Z = own_map(model, data.X, labels, data.units, owner=OWNER)
    else:
        Z = matrix_argument(OWNER, "embedding", embedding, n_rows=len(data.X))
    n_units = int(data.units.max()) + 1
    if n_units < FEWEST_UNITS:
        why = (
            f"only {n_units} independent rows (or groups); at least {FEWEST_UNITS} are "
            "needed"
        )
        return IslandReport((), np.full(len(Z), NONE), 0, len(Z), why)

    rows = np.arange(len(Z))
    if max_samples is not None and len(rows) > max_samples:
        rows = some_units(data.codes, data.units, max_samples, rng)
    smallest = max(SMALLEST, len(rows) // PART)
    island = density_groups(Z[rows], smallest)
    of_sample = island if len(rows) == len(Z) else nearest_group(Z[rows], island, Z)
    if island.max() == NONE:
        return IslandReport((), of_sample, 0, len(rows))

    part = data.take(rows)
    halves = (part.drawn(1, HALF, rng) for _ in range(n_resamples))
    fits = [fit for half in halves for fit in part.fits(half, rng)]
    with Progress(OWNER, len(fits), verbose, callback) as bar:

        def report(i, matches):
            return bar.step(i + 1, fit=i + 1, stability=_mean(matches))

        matching = partial(_matches, estimator, island, smallest)
        shared = share_threads(estimator)
        found = in_turn(matching, fits, report, n_jobs, share_threads=shared)
    matches = np.array(found)
    order = np.argsort(-np.bincount(of_sample), kind="stable")
    is_cut = _are_cut(part, island, rng)
    islands = tuple(
        Island(
            members := np.flatnonzero(of_sample == i),
            _mean(matches[:, i]),
            _class_counts(data, members),
            is_cut[i],
        )
        for i in order
    )
    of_sample = np.argsort(order)[of_sample]
    return IslandReport(islands, of_sample, len(matches), len(rows))


def _checked(X: Any, y: Any, groups: Any) -> Problem:
    """Return samples with units; without labels, all have the same class."""
    X = checked_rows(X, owner=OWNER)
    classes, codes = np.empty(0), np.zeros(len(X), dtype=np.intp)
    if y is not None:
        classes, codes = check_labels(y, len(X), owner=OWNER)
    units = units_of(X, groups, codes=codes, owner=OWNER).of_row
    return Problem(X, codes, units, classes, np.arange(len(X)), owner=OWNER)


def _class_counts(data: Problem, members: Ints) -> dict[Any, int]:
    """Return the number of members in each class, most frequent class first."""
    counts = np.bincount(data.codes[members], minlength=len(data.classes))
    order = [c for c in np.argsort(-counts, kind="stable") if counts[c]]
    names = data.classes.tolist()
    return {names[c]: int(counts[c]) for c in order if names}


def _matches(estimator: Any, island: Ints, smallest: int, fit: Fit) -> Floats:
    """Fit the map to a half; return how well the other half reproduces the islands."""
    _, Z, Z_new = fit.placed(estimator)
    others = nearest_group(Z, density_groups(Z, int(IN_HALVES * smallest)), Z_new)
    return best_matches(island[fit.split.unseen], others, island.max() + 1)


def _are_cut(data: Problem, island: Ints, rng: RandomState) -> list[bool]:
    """Return, for each island, whether it has neighbors but no gap to any of them."""
    numbers = np.arange(island.max() + 1)
    gaps = find_gaps(data.X, island, data.units, numbers, rng)
    touching = [[gap.kind for gap in gaps if i in gap.classes] for i in numbers]
    return [bool(kinds) and not {"gap", "too few"} & set(kinds) for kinds in touching]


def _mean(matches: Floats) -> float:
    """Return the mean, ignoring NaN (a half without samples of the island)."""
    known = matches[~np.isnan(matches)]
    return float(known.mean()) if len(known) else 0.0


NONE = -1  # group number of points outside all groups


def density_groups(Z: Array, smallest: int) -> Ints:
    """Return the group of each point of a map; `NONE` if there is only one group."""
    # HDBSCAN (Campello et al., 2013) finds groups of at least ``smallest`` points;
    # points between groups join the nearest group.
    # This import is slow.
    from sklearn.cluster import HDBSCAN

    nowhere = np.full(len(Z), NONE, dtype=np.intp)
    extent = np.ptp(Z, axis=0).max(initial=0.0)
    if len(Z) < 2 * smallest or extent == 0.0:
        return nowhere
    Z = (Z - Z.min(axis=0)) / extent  # squares of large values could overflow
    model = HDBSCAN(min_cluster_size=smallest, allow_single_cluster=True, copy=True)
    cluster = model.fit_predict(Z)
    return nearest_group(Z, cluster, Z) if cluster.max() > 0 else nowhere


def nearest_group(Z: Array, groups: Ints, Z_new: Array) -> Ints:
    """Return, for each new point, the group of the nearest point that has a group."""
    known = np.flatnonzero(groups != NONE)
    if not len(known):
        return np.full(len(Z_new), NONE, dtype=np.intp)
    near = NearestNeighbors(n_neighbors=1).fit(Z[known])
    return groups[known][near.kneighbors(Z_new, return_distance=False)[:, 0]]


def best_matches(groups: Ints, others: Ints, n_groups: int) -> Floats:
    """Return the agreement of each group with the most similar group in ``others``."""
    # The agreement is the Jaccard index of two groups or of their complements, if that
    # is lower: two groups of nearly all samples always have a high Jaccard index. NaN
    # means that a group has no samples here.
    n = len(groups)
    n_others = int(others.max(initial=NONE)) + 1
    # The last row and column count samples without a group.
    both = np.zeros((n_groups + 1, n_others + 1))
    np.add.at(both, (groups, others), 1)
    sizes, other_sizes = both.sum(axis=1), both.sum(axis=0)
    inside, one, other = (
        part[:n_groups, :n_others]
        for part in (both, *np.broadcast_arrays(sizes[:, None], other_sizes))
    )
    outside = n - one - other + inside
    agree = np.minimum(_ratio(inside, n - outside), _ratio(outside, n - inside))
    best = agree.max(axis=1, initial=0.0)
    best[sizes[:n_groups] == 0] = np.nan
    return best


def _ratio(part: Array, total: Array) -> Floats:
    return np.divide(part, total, out=np.zeros_like(part), where=total > 0)
