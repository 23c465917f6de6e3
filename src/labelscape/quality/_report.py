"""All measures of a map in one table, each with the words that explain it."""

from dataclasses import dataclass, field
from html import escape

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.checks import missing_extra
from labelscape._core.docs import shared_parameters
from labelscape._core.errors import InputError
from labelscape._core.points.spaces import METRIC_TEXTS
from labelscape._core.rules import check_argument, either, number, one_of, whole
from labelscape._core.tables import html_table, text_table
from labelscape.quality._coranking import RankCurves, rank_pass
from labelscape.quality._distances import (
    MAX_PAIRS,
    all_or_some_pairs,
    pearson_of,
    sammon_of,
    spearman_of,
)
from labelscape.quality._intervals import half_widths, interval, precise, reach
from labelscape.quality._label_scores import separation_lost
from labelscape.quality._neighborhoods import (
    Neighborhoods,
    chosen_queries,
    class_codes,
    neighborhoods,
)
from labelscape.quality._spaces import both_spaces

# With more points than this the rank measures look at a sample of neighbourhoods.
MANY_POINTS = 5000
# A sample that grows until it is precise enough begins here.
FEWEST_POINTS = 500
# All ranks of so many pairs are sorted for the curves; of more, those of fewer points.
MOST_SORTED = 100_000_000

TOLERANCE = either(number(above=0), one_of(None))

MEANINGS = {
    "trustworthiness": "neighbours on the map are neighbours in the data",
    "continuity": "neighbours in the data stay neighbours on the map",
    "auc_log_rnx": "neighbourhoods of all sizes, 0 = random",
    "sammon_stress": "errors of distances, 0 = none (map at its best size)",
    "sammon_stress_unscaled": "the same for the map as it is",
    "spearman_rho": "order of all distances",
    "pearson_r": "distances in proportion",
    "class_trustworthiness": "no false neighbours of another class",
    "class_continuity": "no class torn apart",
    "label_trustworthiness": "classes not pushed together",
    "label_continuity": "classes not torn further apart than they are",
    "knn_accuracy": "nearest neighbour has the same class",
    "neighbourhood_hit": "share of neighbours of the same class",
}


@dataclass(frozen=True, eq=False, repr=False)
class QualityReport:
    """What a map preserves and what it does not.

    Every measure is an attribute. Those that make sense in the original space as well
    have a twin ``..._original``: a map far above it shows separation that is not there.

    Attributes
    ----------
    n, n_neighbors, n_queries : int
        Number of points, neighbourhood size, number of neighbourhoods looked at.
    n_sorted : int
        Number of points whose ranks of all sizes were looked at, for ``curves`` and
        ``auc_log_rnx``: fewer where there are many pairs.
    pairs_sampled : bool
        Whether the distance measures are from a random sample of pairs.
    scores : dict
        Measure to value on the map.
    original : dict
        Measure to value in the original space.
    curves : RankCurves
        Rank measures for all neighbourhood sizes.
    intervals : dict
        Where the ranks are from random points: within what a measure of all points is,
        as (low, high), with 99 in 100. Measures that are no mean over points have none.
    """

    n: int
    n_neighbors: int
    n_queries: int
    pairs_sampled: bool
    scores: dict
    original: dict
    curves: RankCurves
    # What each point looked at adds to the rank measures, for whoever shows the points.
    _points: Neighborhoods | None = None
    intervals: dict = field(default_factory=dict)
    n_sorted: int | None = None

    def __getattr__(self, name):
        # Only reached for names that are no field.
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self.scores:
            return self.scores[name]
        if (
            name.endswith("_original")
            and name.removesuffix("_original") in self.original
        ):
            return self.original[name.removesuffix("_original")]
        raise AttributeError(
            f"This report has no {name!r}. It has: {', '.join(self.scores)}."
        )

    def __str__(self):
        return f"{text_table(*self._table(), left=(0, 3))}\n{self._footnote()}"

    __repr__ = __str__

    def _repr_html_(self):
        return f"{html_table(*self._table())}<p>{escape(self._footnote())}</p>"

    def to_frame(self):
        """Return the table as a pandas data frame: one row per measure.

        Returns
        -------
        pandas.DataFrame
            With columns ``map``, ``original`` and ``meaning``.
        """
        try:
            import pandas as pd
        except ImportError:
            missing_extra("pandas", "dev", "to_frame()")
        return pd.DataFrame(
            {
                "map": self.scores,
                "original": {name: self.original.get(name) for name in self.scores},
                "meaning": {name: MEANINGS[name] for name in self.scores},
            }
        )

    def _table(self):
        header = ["measure", "map", "data", "meaning"]
        rows = [
            [
                name.replace("_", " "),
                f"{value:.3f}",
                f"{self.original[name]:.3f}" if name in self.original else "",
                MEANINGS[name],
            ]
            for name, value in self.scores.items()
        ]
        return header, rows

    def _footnote(self):
        text = f"{self.n} points, neighbourhoods of {self.n_neighbors}"
        if self.n_queries < self.n:
            text += f"; ranks from {self.n_queries} random points"
        if self.n_sorted is not None and self.n_sorted < self.n_queries:
            text += f", neighbourhoods of all sizes from {self.n_sorted}"
        if self.pairs_sampled:
            text += "; distances from random pairs"
        return f"{self._reach()}{text}."

    @property
    def within(self):
        """How far a measure of all points may be from that of random ones; or 0."""
        known = self.intervals.items()
        reaches = (reach(self.scores[name], ends) for name, ends in known)
        return max(reaches, default=0.0)

    def _reach(self):
        if not self.intervals:
            return ""
        return f"The whole is shown within ± {self.within:.2g}: "


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
    tolerance=None,
):
    """Return all measures of a map's quality in one table.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
        Objects.
    embedding : array-like of shape (n, q)
        Their map.
    y : array-like of shape (n,), optional
        Class labels; they add the class-aware measures.
    n_neighbors : int, default=12
        Neighbourhood size, at most n - 2 (and lowered to that for few objects).
    {metric}
    n_samples : int, optional
        Number of neighbourhoods for the rank measures: all up to 5000 points, 5000
        random ones beyond.
    max_pairs : int, default=20,000,000
        Number of pairs for the distance measures where there are more.
    random_state : int, RandomState instance or None, default=0
        Seed of the samples.
    tolerance : float, optional
        Look at more and more neighbourhoods, until measures that are means over points
        are known this well: each of ``intervals`` reaches no farther from its measure.

    Returns
    -------
    QualityReport
        Prints as a table; every measure is an attribute.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.quality import report
    >>> X, y = load_iris(return_X_y=True)
    >>> found = report(X, X[:, 2:], y)
    >>> round(found.knn_accuracy, 3), round(found.knn_accuracy_original, 3)
    (0.953, 0.96)
    """
    owner = "report"
    original, shown = both_spaces(X, embedding, metric, owner=owner)
    n = original.n
    if n < 3:
        raise InputError(f"a report needs at least 3 objects, got {n}.", owner=owner)
    check_argument(owner, "n_neighbors", n_neighbors, whole(1))
    check_argument(owner, "tolerance", tolerance, TOLERANCE)
    k = min(int(n_neighbors), n - 2)
    codes = None if y is None else class_codes(y, n, owner=owner)
    first = min(n, MANY_POINTS if tolerance is None else FEWEST_POINTS)
    queries = chosen_queries(
        n, first if n_samples is None else n_samples, random_state, owner=owner
    )
    spaces = (original, shown)
    found, curves, n_sorted = _ranks(spaces, k, codes, queries, tolerance, random_state)
    pairs = all_or_some_pairs(original, shown, max_pairs, random_state, owner=owner)
    scores = {
        "trustworthiness": found.score(found.false_within, found.false_between),
        "continuity": found.score(found.tears_within, found.tears_between),
        "auc_log_rnx": curves.auc_log_rnx,
        "sammon_stress": sammon_of(pairs),
        "sammon_stress_unscaled": sammon_of(pairs, scaled=False),
        "spearman_rho": spearman_of(pairs),
        "pearson_r": pearson_of(pairs),
    }
    in_data = {}
    if codes is not None:
        lost = separation_lost(original, shown, codes)
        scores |= {
            "class_trustworthiness": found.score(found.false_between),
            "class_continuity": found.score(found.tears_within),
            "label_trustworthiness": float(1.0 - np.maximum(0.0, lost).mean()),
            "label_continuity": float(1.0 - np.maximum(0.0, -lost).mean()),
            "knn_accuracy": float(found.first_map.mean()),
            "neighbourhood_hit": float(found.same_map.mean() / k),
        }
        in_data = {
            "knn_accuracy": float(found.first_original.mean()),
            "neighbourhood_hit": float(found.same_original.mean() / k),
        }
    m = len(found.queries)
    widths = half_widths(found, codes is not None) if m < n else {}
    ends = {name: interval(scores[name], width) for name, width in widths.items()}
    return QualityReport(
        n, k, m, pairs.sampled, scores, in_data, curves, found, ends, n_sorted
    )


def _ranks(spaces, k, codes, queries, tolerance, random_state):
    """Return the neighbourhoods of a sample, curves, and of how many points these are.

    The sample grows as long as it is not precise.
    """
    n, has_classes = spaces[0].n, codes is not None
    labels = codes if has_classes else np.zeros(n, dtype=np.int64)
    most = max(1, MOST_SORTED // n)
    curves = None

    def count(some):
        nonlocal curves
        if len(some) > most:
            curves = None
            return neighborhoods(*spaces, labels, k, some)
        curves, found = rank_pass(*spaces, some, labels, k)
        return found

    rng = check_random_state(random_state)
    found = precise(count, queries, n, has_classes, tolerance, rng)
    if curves is not None:
        return found, curves, len(found.queries)
    few = np.sort(rng.permutation(found.queries)[:most])
    return found, rank_pass(*spaces, few)[0], most
