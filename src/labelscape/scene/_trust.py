"""How far to trust a map: what it preserves, and how much of it is real."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError
from labelscape.quality import (
    HonestyReport,
    IslandReport,
    QualityReport,
    Verdict,
    honesty,
    report,
    shepard_pairs,
)
from labelscape.quality._internal import (
    MEANINGS,
    ClassifierVerdict,
    Neighborhoods,
    balanced_accuracy,
    both_spaces,
    footnote,
    judged_classifier,
    neighborhoods,
    neighborhoods_of,
)
from labelscape.scene._classes import Classes
from labelscape.scene._inputs import Subject
from labelscape.scene.scene import (
    Curve,
    Distortion,
    Honesty,
    HonestyRow,
    Islands,
    Light,
    LightState,
    MixedPair,
    Quality,
    QualityRow,
    SceneIsland,
    SceneMap,
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
    """The data that maps are compared with."""

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
    """Return the curves at some sizes, evenly on the logarithmic axis they have."""
    curves = found.curves
    most = len(curves.r_nx)
    k = np.unique(np.geomspace(1, most, MOST_SIZES).round().astype(np.uint32))
    drawn = (curves.r_nx, curves.trustworthiness, curves.continuity)
    return Curve(k, *(np.asarray(values)[k - 1].astype(np.float32) for values in drawn))


# How far to believe a map or a picture: certificates in the scene's words.

# This many objects are enough to judge a map.
MOST_OBJECTS = 3000
GIVEN_PLACES = "the places were given, so the map can not be fitted again"
NOT_MEASURED = "honesty was not measured"
HOW_TO_TEST = "To test it, say which objects it has not seen: explore(..., held_out=…)."

ROWS = {
    "seen": "On the map, objects it was fitted to",
    "unseen": "On the map, objects it has not seen",
    "gap": "Gap: separation that new objects lack",
    "original": "In the data, the same unseen objects",
}


def shown_honesty(report: HonestyReport, classes: Classes) -> Honesty:
    """Return a report as it stands in a scene of these classes."""
    names = _names(report.by_class, classes)
    known = dict(zip(names, report.by_class.values(), strict=True))
    return replace(
        shown_verdict(report.verdict),
        rows=tuple(_rows(report)),
        notes=tuple(report.notes),
        by_class=tuple(known.get(name) for name in classes.names),
        pairs=tuple(_mixed(pair, classes) for pair in report.pairs),
        k=report.k,
    )


def _mixed(pair: Any, classes: Classes) -> MixedPair:
    a, b = _names([pair.a, pair.b], classes)
    return MixedPair(a, b, pair.share)


def _names(labels: Iterable[Any], classes: Classes) -> list[str]:
    return [classes.names[code] for code in classes.codes(list(labels)).tolist()]


def shown_verdict(verdict: Verdict | ClassifierVerdict) -> Honesty:
    """Return a verdict as it stands in a scene."""
    return Honesty(
        verdict=str(verdict),
        finding=verdict.finding,
        reason=verdict.reason,
        real=verdict.real,
        kept=verdict.kept,
        lights=tuple(Light(*light) for light in verdict.lights),
    )


def shown_classifier(
    truth: NDArray[Any],
    answers: NDArray[Any],
    contradicts: NDArray[Any] | None,
    held_out: NDArray[np.bool_] | None,
    units: NDArray[np.intp],
    seed: int,
) -> Honesty:
    """Return how far to believe a classifier and its picture.

    ``truth`` and ``answers`` are class indices of all points, -1 for none.
    """
    known = truth >= 0
    some = known if held_out is None else known & held_out
    if held_out is None or not some.any():
        verdict = ClassifierVerdict(
            "untested", None, why=_why_not(truth, answers, some)
        )
        notes = (HOW_TO_TEST,) if held_out is None else ()
        return replace(shown_verdict(verdict), notes=notes)
    return shown_verdict(
        judged_classifier(
            truth[some],
            answers[some],
            None if contradicts is None else contradicts[some] == 0,
            units[some],
            np.random.RandomState(seed % 2**32),
        )
    )


def _why_not(
    truth: NDArray[Any], answers: NDArray[Any], some: NDArray[np.bool_]
) -> str:
    if not some.any():
        return "no held-out object has a class"
    right = balanced_accuracy(answers[some], truth[some], int(truth.max()) + 1)
    return (
        f"no objects are known to be held out, and {right:.0%} right answers may "
        "be for those that it was trained on"
    )


def untested(why: str) -> Honesty:
    """Return that nothing was measured, and why."""
    return shown_verdict(Verdict("untested", None, why=why))


def judged_map(
    shown: SceneMap, report: HonestyReport | None, why: str, classes: Classes
) -> SceneMap:
    """Return a map with its certificate, or with the reason why it has none."""
    if report is None:
        return replace(shown, honesty=untested(why))
    return replace(
        shown,
        honesty=shown_honesty(report, classes),
        judged_right=report.points.share.astype(np.float32),
    )


def _rows(report: HonestyReport) -> Iterator[HonestyRow]:
    if report.unseen is None:
        return
    intervals = {"unseen": report.unseen_interval, "gap": report.gap_interval}
    null = {
        "seen": report.null_seen,
        "unseen": report.null_unseen,
        "gap": report.null,
    }
    for name, label in ROWS.items():
        low, high = intervals.get(name) or (None, None)
        value = getattr(report, name)
        yield HonestyRow(name, label, value, low, high, null.get(name))


def measured_honesty(
    thing: Any, subject: Subject, X: Any, y: Any, groups: Any, seed: int
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
    # What the view calls them, unless the map is given something else.
    names = subject.names if len(subject.names) == np.shape(X)[1] else None
    report: HonestyReport = honesty(
        thing,
        X,
        y,
        groups,
        max_objects=MOST_OBJECTS,
        feature_names=names,
        random_state=seed,
    )
    return report


# The islands of a map.

ISLAND_LIGHTS: dict[str, LightState] = {
    "stable": "good",
    "doubtful": "fair",
    "falls apart": "bad",
}


def shown_islands(report: IslandReport) -> Islands:
    """Return the islands of a map as they stand in a scene."""
    islands = tuple(
        SceneIsland(
            state=ISLAND_LIGHTS[island.verdict],
            answer=island.verdict,
            words=str(island),
            holds=island.holds,
            stability=island.stability,
            members=island.members.astype(np.uint32),
        )
        for island in report
    )
    sentences = (report.finding, report.note)
    return Islands(islands, tuple(words for words in sentences if words))
