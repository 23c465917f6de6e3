"""All measures of a map in one table, each with its meaning."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.errors import InputError
from labelscape._core.estimator import shared_parameters
from labelscape._core.params import check_argument, whole
from labelscape._core.points.spaces import METRIC_TEXTS
from labelscape._resampling.chance import half_width, interval_around, reach
from labelscape.quality.measures import MEASURES, MapAndData, point_scores
from labelscape.quality.measures.curves import RankCurves, rank_pass
from labelscape.quality.measures.distances import MAX_PAIRS, all_or_some_pairs
from labelscape.quality.measures.neighborhoods import (
    Neighborhoods,
    both_spaces,
    chosen_queries,
    class_codes,
    neighborhoods,
)
from labelscape.quality.records import Printed, data_frame

MANY_POINTS = 5000  # with more points, rank measures use a sample of neighborhoods
# Maximum number of ranks to sort for the curves. Larger data use fewer points.
MOST_SORTED = 100_000_000


@dataclass(frozen=True, eq=False, repr=False)
class QualityReport(Printed):
    """All measures of the quality of a map.

    Every measure is an attribute. Measures that are also defined for the data have a
    second attribute, ``..._original``, with the value for the data. If the value on the
    map is much higher, the map shows separation that is not in the data.

    Attributes
    ----------
    n, n_neighbors, n_queries : int
        Number of points, neighborhood size, and number of neighborhoods that were used.
    n_sorted : int
        Number of points used for ``curves`` and ``auc_log_rnx``; fewer than
        ``n_queries`` if ``n * n_queries`` exceeds 100,000,000.
    pairs_sampled : bool
        Whether the distance measures are computed from a random sample of pairs.
    scores : dict
        Value on the map, by name of the measure.
    original : dict
        Value in the data, by name of the measure.
    curves : RankCurves
        Rank measures for all neighborhood sizes.
    intervals : dict
        99% intervals (low, high) of measures that are estimated from random points.
        Measures that are not means over points have no interval.
    points : Neighborhoods
        The neighbor counts of each point that was used.
    """

    n: int
    n_neighbors: int
    n_queries: int
    pairs_sampled: bool
    scores: dict[str, float]
    original: dict[str, float]
    curves: RankCurves
    points: Neighborhoods | None = None
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    n_sorted: int | None = None

    def __getattr__(self, name):
        # Only called for names that are not fields.
        if name.startswith("_"):
            raise AttributeError(name)
        twins = {f"{key}_original": value for key, value in self.original.items()}
        values = self.scores | twins
        if name in values:
            return values[name]
        raise AttributeError(
            f"This report has no {name!r}. It has: {', '.join(self.scores)}."
        )

    def _parts_shown(self):
        return [self._table(), self.footnote]

    def to_frame(self) -> Any:
        """Return the table as a pandas data frame: one row per measure.

        Returns
        -------
        pandas.DataFrame
            With columns ``map``, ``original`` and ``meaning``.
        """
        return data_frame(
            {
                "map": self.scores,
                "original": {name: self.original.get(name) for name in self.scores},
                "meaning": {name: MEASURES[name].meaning for name in self.scores},
            }
        )

    def _table(self):
        header = ["measure", "map", "data", "meaning"]
        rows = [
            [
                name.replace("_", " "),
                f"{value:.3f}",
                f"{self.original[name]:.3f}" if name in self.original else "",
                MEASURES[name].meaning,
            ]
            for name, value in self.scores.items()
        ]
        return header, rows, (0, 3)

    @property
    def footnote(self):
        """A sentence with the numbers of points and pairs that were used."""
        text = f"{self.n} points, {self.n_neighbors} neighbors each"
        if self.n_queries < self.n:
            text += f"; ranks from {self.n_queries} random points"
        if self.n_sorted is not None and self.n_sorted < self.n_queries:
            text += f", neighborhoods of all sizes from {self.n_sorted}"
        if self.pairs_sampled:
            text += "; distances from random pairs"
        if self.intervals:
            text = f"With all points, values may differ by ± {self.within:.2g}: {text}"
        return f"{text}."

    @property
    def within(self):
        """Largest distance from a value to an end of its interval; 0 if not known."""
        known = self.intervals.items()
        reaches = (reach(self.scores[name], ends) for name, ends in known)
        return max(reaches, default=0.0)


@shared_parameters(METRIC_TEXTS)
def report(
    X,
    embedding,
    y=None,
    n_neighbors=12,
    metric="euclidean",
    *,
    n_samples=None,
    max_pairs=MAX_PAIRS,
    random_state=0,
) -> QualityReport:
    """Compute all measures of the quality of a map.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
        Samples.
    embedding : array-like of shape (n, q)
        The map of the samples.
    y : array-like of shape (n,), optional
        Class labels, for the measures that use them.
    n_neighbors : int, default=12
        Neighborhood size; n - 2 is used if it is smaller.
    {metric}
    n_samples : int, optional
        Number of neighborhoods for the rank measures. By default all, but at most 5000.
    max_pairs : int, default=20,000,000
        Maximum number of pairs for the distance measures.
    random_state : int, RandomState instance or None, default=0
        Seed of the random samples of points and pairs.

    Returns
    -------
    QualityReport
        The report is printed as a table; every measure is an attribute.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import report
    >>> X, y = load_iris(return_X_y=True)
    >>> quality = report(X, X[:, 2:], y)
    >>> round(quality.knn_accuracy, 3), round(quality.knn_accuracy_original, 3)
    (0.953, 0.96)
    """
    owner = "report"
    original, mapped = both_spaces(X, embedding, metric, owner=owner)
    n = original.n
    if n < 3:
        raise InputError(f"a report needs at least 3 samples, got {n}.", owner=owner)
    check_argument(owner, "n_neighbors", n_neighbors, whole(1))
    k = min(int(n_neighbors), n - 2)
    codes = None if y is None else class_codes(y, n, owner=owner)
    first = min(n, MANY_POINTS) if n_samples is None else n_samples
    queries = chosen_queries(n, first, random_state, owner=owner)
    counted, curves, n_sorted = _ranks(
        original, mapped, k, codes, queries, random_state
    )
    pairs = all_or_some_pairs(original, mapped, max_pairs, random_state, owner=owner)
    compared = MapAndData(original, mapped, codes, counted, curves, pairs)
    measures = [m for m in MEASURES.values() if codes is not None or not m.needs_labels]
    scores = {measure.name: measure.value(compared) for measure in measures}
    m = len(counted.queries)
    intervals: dict[str, tuple[float, float]] = {}
    if m < n:
        for name, values in point_scores(counted, codes is not None).items():
            intervals[name] = interval_around(scores[name], half_width(values, n))
    return QualityReport(
        n=n,
        n_neighbors=k,
        n_queries=m,
        pairs_sampled=pairs.sampled,
        scores=scores,
        original={m.name: m.in_data(compared) for m in measures if m.in_data},
        curves=curves,
        points=counted,
        intervals=intervals,
        n_sorted=n_sorted,
    )


def _ranks(original, mapped, k, codes, queries, random_state):
    """Return neighborhoods, rank curves, and the number of points in the curves."""
    labels = np.zeros(original.n, dtype=np.int64) if codes is None else codes
    most = max(1, MOST_SORTED // original.n)
    if len(queries) <= most:
        curves, counted = rank_pass(original, mapped, queries, labels, k)
        return counted, curves, len(queries)
    counted = neighborhoods(original, mapped, labels, k, queries)
    rng = check_random_state(random_state)
    few = np.sort(rng.permutation(queries)[:most])
    return counted, rank_pass(original, mapped, few)[0], most
