"""How far to trust a map: what it preserves, and how much of it is real."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError
from labelscape.quality import (
    HonestyReport,
    QualityReport,
    honesty,
    report,
    shepard_pairs,
)
from labelscape.quality._internal import (
    MEANINGS,
    Neighborhoods,
    both_spaces,
    footnote,
    neighborhoods,
    neighborhoods_of,
)
from labelscape.scene._inputs import Subject
from labelscape.scene.scene import (
    Curve,
    Distortion,
    Honesty,
    Quality,
    QualityRow,
    Shepard,
    Singles,
)

# What a map preserves: the report, its curve, and a Shepard diagram.

# Of more points than this, a random sample is measured.
MOST_MEASURED = 2000
# Every point has its own distortion up to this many, and if all pairs have no more
# values than that: each pair is looked at.
MOST_DISTORTED, MOST_WORK = 20_000, 80_000_000_000
MOST_PAIRS = 2000
MOST_SIZES = 200
N_NEIGHBORS = 12

LABELS = {
    "trustworthiness": "Trustworthiness",
    "continuity": "Continuity",
    "auc_log_rnx": "Neighbourhoods of all sizes",
    "sammon_stress": "Sammon stress",
    "sammon_stress_unscaled": "Sammon stress, unscaled",
    "spearman_rho": "Rank correlation of distances",
    "pearson_r": "Correlation of distances",
    "class_trustworthiness": "Trustworthiness between classes",
    "class_continuity": "Continuity within classes",
    "label_trustworthiness": "Label trustworthiness",
    "label_continuity": "Label continuity",
    "knn_accuracy": "Nearest neighbour agrees",
    "neighbourhood_hit": "Neighbours of the same class",
}


class Measured:
    """The data that maps are compared with.

    Parameters
    ----------
    X : ndarray of shape (n, d), or of dissimilarities (n, n)
        As the map sees them.
    codes : ndarray of shape (n,) or None
        Class of each point, if all have one.
    metric : {"euclidean", "precomputed"}
        What X holds.
    seed : int
        Draws points and pairs.
    """

    def __init__(
        self, X: NDArray[Any], codes: NDArray[Any] | None, metric: str, seed: int
    ) -> None:
        self.metric, self.seed, self.n = metric, seed, len(X)
        self.X, self.codes = X, codes
        self.has_gaps = not np.isfinite(X).all()
        several = codes is not None and len(np.unique(codes)) > 1
        self.labels = codes if several else None

    @property
    def why_not(self) -> str | None:
        """Why the map cannot be compared with the data, in a sentence."""
        if self.n < 4:
            return "There are too few points to measure what the map preserves."
        if self.has_gaps:
            return (
                "Values are missing in the data, so their distances are not known and "
                "the map cannot be compared with them."
            )
        return None

    def trust(
        self, Z: Singles, known: QualityReport | None, *, is_all: bool = True
    ) -> tuple[Quality, Distortion | None]:
        """Return the quality of a map, and how badly each point is shown.

        ``known`` is the report of the map where there is one, and ``is_all`` says
        whether Z is the whole map that it tells of. Without distortion for too many
        points.
        """
        if self.why_not is not None:
            return Quality((), self.why_not, None, None), None
        X, shown, labels = self._sample(Z)
        found, note = known, ""
        if found is None:
            found = report(
                X, shown, labels, N_NEIGHBORS, self.metric, random_state=self.seed
            )
            if len(shown) < self.n:
                note = f"A sample of {MOST_MEASURED} of {self.n} points: "
        pairs = shepard_pairs(
            X, shown, self.metric, max_pairs=MOST_PAIRS, random_state=self.seed
        )
        shepard = Shepard(*(side.astype(np.float32) for side in pairs))
        quality = Quality(
            rows_of(found), note + footnote(found), curve_of(found), shepard
        )
        counted = neighborhoods_of(found) if known is None or is_all else None
        return quality, self._distortion(Z, counted)

    def _sample(self, Z: Singles) -> tuple[NDArray[Any], Singles, NDArray[Any] | None]:
        """Return what is measured of data, map and labels: all, or some of many."""
        if self.n <= MOST_MEASURED:
            return self.X, Z, self.labels
        rng = np.random.default_rng(self.seed)
        some = np.sort(rng.choice(self.n, MOST_MEASURED, replace=False))
        is_square = self.metric == "precomputed"
        X = self.X[np.ix_(some, some)] if is_square else self.X[some]
        return X, Z[some], None if self.labels is None else self.labels[some]

    def _distortion(
        self, Z: Singles, counted: Neighborhoods | None
    ) -> Distortion | None:
        """Return how badly each point is shown; ``counted`` is what a report found."""
        if self.n > MOST_DISTORTED or self.n * self.X.size > MOST_WORK:
            return None
        k = min(N_NEIGHBORS, self.n - 2)
        if counted is None or len(counted.queries) < self.n or counted.k != k:
            # What `pointwise_distortion` tells of neighbours, without the stress that
            # takes as long again.
            original, shown = both_spaces(self.X, Z, self.metric, owner="build_scene")
            one_class = np.zeros(self.n, dtype=np.int64)
            everyone = np.arange(self.n)
            counted = neighborhoods(original, shown, one_class, k, everyone)
        false, torn = (
            np.clip(counted.penalty_unit * (within + between), 0.0, 1.0)
            for within, between in (
                (counted.false_within, counted.false_between),
                (counted.tears_within, counted.tears_between),
            )
        )
        return Distortion(false.astype(np.float32), torn.astype(np.float32))


def rows_of(found: QualityReport) -> tuple[QualityRow, ...]:
    """Return the measures of a report, with words for each."""
    return tuple(
        QualityRow(
            name,
            LABELS[name],
            float(value),
            float(found.original[name]) if name in found.original else None,
            MEANINGS[name],
        )
        for name, value in found.scores.items()
    )


def curve_of(found: QualityReport) -> Curve:
    """Return R_NX at some sizes, evenly on the logarithmic axis it is drawn on."""
    r_nx = np.asarray(found.curves.r_nx)
    k = np.unique(np.geomspace(1, len(r_nx), MOST_SIZES).round().astype(np.uint32))
    return Curve(k, r_nx[k - 1].astype(np.float32))


# How much of the separation on a map is real: the report in the scene's words.

# Honesty fits the map 25 times; this many objects are enough to judge it.
MOST_OBJECTS = 3000


def shown_honesty(report: HonestyReport) -> Honesty:
    """Return a report as it stands in a scene."""
    names = ("seen", "unseen", "gap", "original", "null", "p_value")
    numbers = {name: float(getattr(report, name)) for name in names}
    return Honesty(
        verdict=str(report.verdict),
        level=report.level,
        real=report.verdict.real,
        kept=report.verdict.kept,
        finding=report.verdict.finding,
        reason=report.verdict.reason,
        k=int(report.k),
        chance=report.chance,
        **numbers,
    )


def measured_honesty(
    thing: Any, subject: Subject, X: Any, y: Any, seed: int
) -> HonestyReport:
    """Measure a map again, with new fits to parts of the data."""
    if y is None:
        raise InputError(
            "honesty=True needs labels. Pass them as y.", owner="build_scene"
        )
    estimator = subject.estimator
    if not hasattr(estimator, "transform") and not hasattr(estimator, "embedding_"):
        what = "An array" if estimator is None else subject.name
        raise InputError(
            f"honesty=True fits the map again. {what} makes none; pass "
            "a HonestyReport that you have, or leave honesty out.",
            owner="build_scene",
        )
    X, y = np.asarray(X), np.asarray(y)
    if len(X) > MOST_OBJECTS:
        rng = np.random.default_rng(seed)
        some = np.sort(rng.choice(len(X), MOST_OBJECTS, replace=False))
        X, y = X[some], y[some]
    report: HonestyReport = honesty(thing, X, y, random_state=seed)
    return report
