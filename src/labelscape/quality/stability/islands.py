"""Islands: which groups on a map are there for objects that it has not seen.

A map may tear one cloud into pieces, and another map of it elsewhere. Here the map is
fitted to halves of the units, and an island is looked for on each of these maps.
"""

from typing import Any, NamedTuple

import numpy as np
from joblib import delayed
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array

from labelscape._core.arguments import arguments, matrix_argument
from labelscape._core.checks import check_finite, check_labels, numbers_in
from labelscape._core.fits.progress import Progress
from labelscape._core.rules import COMMON, either, one_of, whole
from labelscape.quality._refits import (
    in_turn,
    new_places,
    own_map,
    seeded_clone,
    with_transform,
)
from labelscape.quality.certificate.splits import Split, draw_split, some_units
from labelscape.quality.certificate.units import units_of
from labelscape.quality.stability.density import NONE, density_groups, nearest_group
from labelscape.quality.stability.matching import best_matches
from labelscape.quality.stability.report import Island, IslandReport

OWNER = "islands"
# Of fewer units, halves show nothing.
FEWEST_UNITS = 20
# An island has one of so many objects, and so many at least: smaller ones can be seen
# everywhere, and halves have too few of them to tell.
PART, SMALLEST = 40, 15
# A half has half of an island, sometimes less: it is found by this share of its size.
IN_HALVES = 0.4

_RULES = {
    "n_resamples": whole(1, limit=10_000),
    "max_objects": either(whole(2 * FEWEST_UNITS), one_of(None)),
    **COMMON,
}


@arguments(**_RULES)
def islands(
    estimator,
    X,
    y=None,
    groups=None,
    *,
    embedding=None,
    n_resamples=10,
    max_objects=3000,
    n_jobs=None,
    random_state=None,
    verbose=False,
    callback=None,
):
    """Find the islands of a map, and how far each stays together on other maps.

    Parameters
    ----------
    estimator : map with ``fit``
        Fitted again to halves of the data. A map without ``transform`` gets that of
        :class:`~labelscape.embeddings.KernelMap`.
    X : array-like of shape (n, d)
        Objects. Rows that are equal stay together in all halves.
    y : array-like of shape (n,), optional
        Class labels, for a map that needs them; each half has its share of each class.
    groups : array-like of shape (n,), optional
        What each row belongs to: a patient, a plate, a document. Rows of one group stay
        together in all halves. A row without a value (None, NaN) stands alone.
    embedding : array-like of shape (n, q), optional
        The map whose islands are looked for; by default the estimator is fitted to all
        objects.
    n_resamples : int, default=10
        Number of halves that the map is fitted to.
    max_objects : int or None, default=3000
        Of more objects than this, units are drawn at random: islands are found among
        these, and halves are halves of these. The others go with the nearest.
    n_jobs : int, optional
        Number of processes; -1 for all cores.
    random_state : int, RandomState instance or None, default=None
        Seed of the halves, and of the estimator where it has none of its own. The
        result does not depend on ``n_jobs``.
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each fit with a dict (``fit``, ``stability``, the mean over the
        islands). Returning True begins no further fits.

    Returns
    -------
    IslandReport
        The islands, the largest first. Each has its ``members``, ``stability``,
        ``verdict`` and ``classes``, and prints as a sentence.

    Notes
    -----
    Islands are density clusters of the map (HDBSCAN). A map of one piece has none.

    For each half of the units the map is fitted to it, islands are found there in
    the same way, and the objects of the *other* half are placed on it, without their
    labels. Among these the island is compared with its best match by the Jaccard index;
    or what is outside of both, if that agrees less. The stability is the mean over the
    halves (clusterwise stability, Hennig 2007). Unseen objects, because a map by labels
    draws islands of any labels for those that it was fitted to.

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
    >>> found = islands(PCA(2), X, y, random_state=0)
    >>> for island in found:
    ...     print(island.size, island.holds, island)
    100 1 (50), 2 (50) This island is stable (1.00).
    50 0 (50) This island is stable (1.00).
    """
    estimator = with_transform(estimator, owner=OWNER)
    rng = check_random_state(random_state)
    data = _data(X, y, groups)
    Z = _whole_map(estimator, data, embedding, _seed(rng))
    n_units = int(data.units.max()) + 1
    if n_units < FEWEST_UNITS:
        why = f"there are {n_units} independent units, fewer than {FEWEST_UNITS}"
        return IslandReport((), np.full(len(Z), NONE), 0, len(Z), why)

    rows = np.arange(len(Z))
    if max_objects is not None and len(rows) > max_objects:
        rows = some_units(data.codes, data.units, max_objects, rng)
    smallest = max(SMALLEST, len(rows) // PART)
    found = density_groups(Z[rows], smallest)
    of_object = found if len(rows) == len(Z) else nearest_group(Z[rows], found, Z)
    if found.max() == NONE:
        return IslandReport((), of_object, 0, len(rows))

    part = data.take(rows)
    plan = [
        (draw_split(part.codes, part.units, 0.5, rng), _seed(rng))
        for _ in range(n_resamples)
    ]
    with Progress(OWNER, len(plan), verbose, callback) as bar:
        orders = (
            delayed(_matches)(estimator, part, *fit, found, smallest) for fit in plan
        )

        def told(i, matches):
            return bar.step(i + 1, fit=i + 1, stability=_mean(matches))

        matches = np.array(list(in_turn(orders, n_jobs, told)))
    return _reported(of_object, matches, data, len(rows))


class _Data(NamedTuple):
    """Objects with their classes and units; the same class for all without labels."""

    X: NDArray[Any]
    codes: NDArray[np.intp]
    units: NDArray[np.intp]
    classes: NDArray[Any] | None

    @property
    def labels(self) -> NDArray[Any] | None:
        return None if self.classes is None else self.classes[self.codes]

    def take(self, rows: NDArray[np.intp]) -> "_Data":
        _, units = np.unique(self.units[rows], return_inverse=True)
        return _Data(self.X[rows], self.codes[rows], units, self.classes)


def _data(X: Any, y: Any, groups: Any) -> _Data:
    with numbers_in(X, owner=OWNER):
        X = check_array(X, dtype=[np.float64, np.float32], ensure_all_finite=False)
    check_finite(X, owner=OWNER)
    classes, codes = None, np.zeros(len(X), dtype=np.intp)
    if y is not None:
        classes, codes = check_labels(y, len(X), owner=OWNER)
    return _Data(
        X, codes, units_of(X, groups, codes=codes, owner=OWNER).of_row, classes
    )


def _whole_map(estimator: Any, data: _Data, given: Any, seed: int) -> Any:
    """Return the map of all objects: what was given, or of a new fit."""
    if given is not None:
        return matrix_argument(OWNER, "embedding", given, n_rows=len(data.X))
    model = seeded_clone(estimator, seed)
    return own_map(model, data.X, data.labels, data.units, owner=OWNER)


def _matches(
    estimator: Any,
    data: _Data,
    split: Split,
    seed: int,
    found: NDArray[np.intp],
    smallest: int,
) -> NDArray[np.float64]:
    """Fit the map to a half; return how far the other half keeps to the islands."""
    fitted, unseen = split
    half = data.take(fitted)
    model = seeded_clone(estimator, seed)
    Z = own_map(model, half.X, half.labels, half.units, owner=OWNER)
    Z_new = new_places(model, data.X[unseen], owner=OWNER)
    others = density_groups(Z, int(IN_HALVES * smallest))
    return best_matches(found[unseen], nearest_group(Z, others, Z_new), found.max() + 1)


def _reported(
    of_object: NDArray[np.intp], matches: NDArray[np.float64], data: _Data, judged: int
) -> IslandReport:
    """Return the islands by their size, with the mean of their matches."""
    sizes = np.bincount(of_object)
    order = np.argsort(-sizes, kind="stable")
    islands = tuple(
        Island(
            members := np.flatnonzero(of_object == i),
            _mean(matches[:, i]),
            _counts(data, members),
        )
        for i in order
    )
    return IslandReport(islands, np.argsort(order)[of_object], len(matches), judged)


def _mean(matches: NDArray[np.float64]) -> float:
    """Return the mean of what is known: a half may have no object of an island."""
    known = matches[~np.isnan(matches)]
    return float(known.mean()) if len(known) else 0.0


def _counts(data: _Data, members: NDArray[np.intp]) -> dict[Any, int]:
    """Return how many objects of each class there are, the most frequent first."""
    if data.classes is None:
        return {}
    counts = np.bincount(data.codes[members], minlength=len(data.classes))
    order = [c for c in np.argsort(-counts, kind="stable") if counts[c]]
    names = data.classes.tolist()
    return {names[c]: int(counts[c]) for c in order}


def _seed(rng: Any) -> int:
    return int(rng.randint(np.iinfo(np.int32).max))
