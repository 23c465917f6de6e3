"""How far to trust a map: quality, honesty, islands, and the audit of its labels."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import PYTHON, InputError, Setting, Wording
from labelscape._resampling.voters import balanced_accuracy
from labelscape.quality import (
    MEASURES,
    ClassifierVerdict,
    HonestyReport,
    IslandReport,
    Neighborhoods,
    QualityReport,
    Verdict,
    honesty,
    report,
    shepard_pairs,
)
from labelscape.quality._internal import (
    both_spaces,
    judge_classifier,
    neighborhoods,
)
from labelscape.quality.audit import AuditReport, ClassDifference, Finding, Suspect
from labelscape.scene._classes import Classes
from labelscape.scene._inputs import Unwrapped
from labelscape.scene.scene import (
    Audit,
    Curve,
    Distortion,
    Honesty,
    HonestyRow,
    Islands,
    LightState,
    Quality,
    QualityRow,
    SceneIsland,
    SceneMap,
    Shepard,
    Singles,
    TableFinding,
)
from labelscape.scene.subject import Data, Trust

# What a map preserves: the report, its curve, and a Shepard diagram.

# Of more points than this, a random sample is measured.
MOST_MEASURED = 2000
# Every point has its own distortion up to this many, and if all pairs have no more
# values than that: each pair is looked at.
MOST_DISTORTED, MOST_WORK = 20_000, 80_000_000_000
MOST_PAIRS = 2000
MOST_SIZES = 200
N_NEIGHBORS = 12


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
        whether Z is all of the map that it describes. Without distortion for too many
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
            rows_of(found), note + found.footnote, curve_of(found), shepard
        )
        counted = found.points if known is None or is_all else None
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
            # What `pointwise_distortion` says of neighbors, without the stress that
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
            MEASURES[name].label,
            float(value),
            float(found.original[name]) if name in found.original else None,
            MEASURES[name].meaning,
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
    """Return a report as a scene of these classes holds it."""
    known = {classes.name(label): n for label, n in report.by_class.items()}
    return replace(
        shown_verdict(report.verdict),
        rows=tuple(_rows(report)),
        notes=tuple(report.notes),
        by_class=tuple(known.get(name) for name in classes.names),
        pairs=tuple(
            replace(pair, a=classes.name(pair.a), b=classes.name(pair.b))
            for pair in report.pairs
        ),
        k=report.k,
    )


def shown_verdict(verdict: Verdict | ClassifierVerdict) -> Honesty:
    """Return a verdict as a scene holds it."""
    return Honesty(
        verdict=str(verdict),
        finding=verdict.finding,
        reason=verdict.reason,
        real=verdict.real,
        kept=verdict.kept,
        lights=verdict.lights,
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
        judge_classifier(
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


def judged_map(shown: SceneMap, trust: Trust, why: str, classes: Classes) -> SceneMap:
    """Return a map with its certificate, or with the reason why it has none."""
    known, right = trust.honesty, None
    if isinstance(known, HonestyReport):
        honesty = shown_honesty(known, classes)
        notes = (*honesty.notes, trust.note) if trust.note else honesty.notes
        honesty = replace(honesty, notes=notes)
        right = known.points.share.astype(np.float32)
    elif isinstance(known, ClassifierVerdict):
        honesty = shown_verdict(known)
    else:
        honesty = untested(trust.note or why)
    islands = None if trust.islands is None else shown_islands(trust.islands)
    return replace(shown, honesty=honesty, judged_right=right, islands=islands)


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
    thing: Any, subject: Unwrapped, data: Data, seed: int
) -> HonestyReport:
    """Measure a map again, with new fits to parts of the data."""
    X, y = data.X, data.y
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
        data.groups,
        max_samples=MOST_OBJECTS,
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
    """Return the islands of a map as a scene holds them."""
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


# At most this many pairs of classes that are mixed up are listed.
MOST_MIXED = 10
Naming = Callable[[Any], str]


def shown_audit(
    report: AuditReport,
    classes: Classes,
    n_points: int,
    wording: Wording = PYTHON,
    feature_names: Sequence[str] = (),
) -> Audit:
    """Return an audit for a scene of these classes.

    ``wording`` says settings of the reader as the host calls them, and
    ``feature_names`` are what the view calls the features of the audit.
    """
    if len(report.given) != n_points:
        raise InputError(
            f"the audit is about {len(report.given):,} rows, and there are "
            f"{n_points:,} points. Audit the same rows in the same order.",
            owner="build_scene",
            parameter="audit",
        )
    known = report.feature_names
    names = {}
    if len(known) == len(feature_names):
        names = dict(zip(known, feature_names, strict=True))

    def called(feature: str) -> str:
        return names.get(feature, feature)

    def suspects(listed: list[Suspect]) -> tuple[Suspect, ...]:
        return tuple(_suspect(one, classes.name, called) for one in listed)

    return Audit(
        rate=report.rate,
        expected_false=float(report.expected_false),
        share_wrong=float(report.share_wrong),
        summary=report.summary,
        suspects=suspects(report.records),
        pairs=tuple(
            replace(pair, a=classes.name(pair.a), b=classes.name(pair.b))
            for pair in report.pairs[:MOST_MIXED]
        ),
        class_differences=tuple(
            _difference(classes.name(a), classes.name(b), one, called)
            for (a, b), one in report.class_differences.items()
        ),
        findings=tuple(_finding(one, wording, called) for one in report.findings),
        taken_for=classes.codes(report.likely),
        can_tell=report.can_tell,
        look_first=suspects(report.look_first),
        assumed=report.assumed,
    )


def _suspect(one: Suspect, named: Naming, called: Naming) -> Suspect:
    against = tuple(replace(each, feature=called(each.feature)) for each in one.against)
    return replace(
        one, given=named(one.given), likely=named(one.likely), against=against
    )


def _difference(
    a: str, b: str, one: ClassDifference, called: Naming
) -> ClassDifference:
    """Return what separates two classes, with the features in order of choice."""
    effects = {effect.feature: effect for effect in one.effects}
    chosen = one.best[-1] if one.best else ()
    return replace(
        one,
        a=a,
        b=b,
        effects=tuple(replace(effects[name], feature=called(name)) for name in chosen),
        best=tuple(tuple(map(called, names)) for names in one.best),
    )


def _finding(finding: Finding, wording: Wording, called: Naming) -> TableFinding:
    finding = replace(
        finding,
        subjects=tuple(map(called, finding.subjects)),
        column=called(finding.column),
    )
    return TableFinding(
        code=finding.code,
        words=finding.words(wording),
        subjects=finding.subjects,
        sure=finding.sure,
        count=finding.count,
        rows=finding.rows,
        remedy=() if finding.remedy is None else _plain(finding.remedy),
    )


def _plain(remedy: Setting) -> tuple[str, ...]:
    """Return an option and its values as texts."""
    values = remedy.value if isinstance(remedy.value, list) else [remedy.value]
    return (remedy.parameter, *map(str, values))
