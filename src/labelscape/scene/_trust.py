"""Tests of a map in a scene: quality, honesty, islands, and the audit of labels."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from labelscape._core.errors import PYTHON, Wording
from labelscape._core.types import Array, Bools, Ints
from labelscape._resampling.voters import balanced_accuracy
from labelscape.quality import (
    MEASURES,
    ClassifierVerdict,
    HonestyReport,
    IslandReport,
    Neighborhoods,
    QualityReport,
    Verdict,
    certify,
    honesty,
    report,
    shepard_pairs,
)
from labelscape.quality._internal import both_spaces, judge_classifier, neighborhoods
from labelscape.quality.audit import (
    AuditReport,
    ClassDifference,
    Finding,
    MixedPair,
    Suspect,
)
from labelscape.scene import scene as records
from labelscape.scene._inputs import Unwrapped
from labelscape.scene.scene import LightState, Singles, scene_error
from labelscape.scene.subject import Classes, Data, Subject, Trust

# Quality of a map: the report, its curves, and a Shepard diagram.

MOST_MEASURED = 2000  # with more points, a random sample is measured
# Maximum number of points n, and of n * n * n_features, to compute the distortion of
# each point.
MOST_DISTORTED, MOST_WORK = 20_000, 80_000_000_000
MOST_PAIRS = 2000
MOST_SIZES = 200
N_NEIGHBORS = 12


class Measured:
    """The data with which maps are compared."""

    def __init__(self, X: Array, codes: Array | None, metric: str, seed: int) -> None:
        self.X, self.metric, self.seed, self.n = X, metric, seed, len(X)
        several = codes is not None and len(np.unique(codes)) > 1
        self.labels = codes if several else None
        # Reasons why maps cannot be compared with the data.
        self.why_not = ""
        if self.n < 4:
            self.why_not = "There are too few points to measure what the map preserves."
        elif not np.isfinite(X).all():
            self.why_not = (
                "Some values are missing, so distances in the data are not known, and "
                "the map cannot be compared with the data."
            )

    def quality_of(
        self, Z: Singles, known: QualityReport | None, *, is_all: bool = True
    ) -> tuple[records.Quality, records.Distortion | None]:
        """Return the quality of a map, and the distortion of each point if computed."""
        # ``known`` is a report of this map. ``is_all`` is False if the map has more
        # dimensions than Z.
        if self.why_not:
            return records.Quality((), self.why_not, None, None), None
        X, sample, labels, note = self.X, Z, self.labels, ""
        if self.n > MOST_MEASURED:
            rng = np.random.default_rng(self.seed)
            some = np.sort(rng.choice(self.n, MOST_MEASURED, replace=False))
            X = X[np.ix_(some, some)] if self.metric == "precomputed" else X[some]
            sample, labels = Z[some], None if labels is None else labels[some]
            note = f"A sample of {MOST_MEASURED} of {self.n} points: "
        if known is None:
            measured = report(
                X, sample, labels, N_NEIGHBORS, self.metric, random_state=self.seed
            )
        else:
            measured, note = known, ""
        pairs = shepard_pairs(
            X, sample, self.metric, max_pairs=MOST_PAIRS, random_state=self.seed
        )
        quality = records.Quality(
            rows=tuple(
                records.QualityRow(
                    name,
                    MEASURES[name].label,
                    float(value),
                    measured.original.get(name),
                    MEASURES[name].meaning,
                )
                for name, value in measured.scores.items()
            ),
            note=note + measured.footnote,
            curve=curve_of(measured),
            shepard=records.Shepard(*(side.astype(np.float32) for side in pairs)),
        )
        counted = measured.points if known is None or is_all else None
        return quality, self._distortion(Z, counted)

    def _distortion(
        self, Z: Singles, counted: Neighborhoods | None
    ) -> records.Distortion | None:
        """Return each point's distortion; ``counted`` is used if it has all points."""
        if self.n > MOST_DISTORTED or self.n * self.X.size > MOST_WORK:
            return None
        k = min(N_NEIGHBORS, self.n - 2)
        if counted is None or len(counted.queries) < self.n or counted.k != k:
            # As in `pointwise_distortion`, but without the stress, which would double
            # the time.
            original, on_map = both_spaces(self.X, Z, self.metric, owner="build_scene")
            one_class = np.zeros(self.n, dtype=np.int64)
            everyone = np.arange(self.n)
            counted = neighborhoods(original, on_map, one_class, k, everyone)
        false, torn = (
            np.clip(counted.penalty_unit * (within + between), 0.0, 1.0)
            for within, between in (
                (counted.false_within, counted.false_between),
                (counted.tears_within, counted.tears_between),
            )
        )
        return records.Distortion(false.astype(np.float32), torn.astype(np.float32))


def curve_of(measured: QualityReport) -> records.Curve:
    """Return the curves at up to 200 sizes, evenly spaced on a logarithmic axis."""
    curves = measured.curves
    most = len(curves.r_nx)
    k = np.unique(np.geomspace(1, most, MOST_SIZES).round().astype(np.uint32))
    drawn = (curves.r_nx, curves.trustworthiness, curves.continuity)
    return records.Curve(
        k, *(np.asarray(values)[k - 1].astype(np.float32) for values in drawn)
    )


# Certificates of maps and classifiers, as records of a scene.

# maximum number of samples in the test of a map
MOST_TESTED = 3000
GIVEN_POSITIONS = "the positions were given, so the map cannot be fitted again"
NOT_MEASURED = "the test was not requested"
HOW_TO_TEST = "To test the classifier, pass held-out rows: explore(..., held_out=…)."

ROWS = {
    "seen": "On the map, fitted rows",
    "unseen": "On the map, held-out rows",
    "gap": "Gap between fitted and held-out rows",
    "original": "In the data, the same held-out rows",
}


def scene_honesty(verdict: Verdict | ClassifierVerdict, **more: Any) -> records.Honesty:
    """Convert a verdict to a record of a scene; ``more`` are its other fields."""
    return records.Honesty(
        verdict=str(verdict),
        finding=verdict.finding,
        reason=verdict.reason,
        real=verdict.real,
        kept=verdict.kept,
        lights=verdict.lights,
        **more,
    )


def certificate(report: HonestyReport, note: str, classes: Classes) -> records.Honesty:
    """Convert a report to a record of a scene, with the class names of the scene."""
    known = {classes.name(label): n for label, n in report.by_class.items()}
    return scene_honesty(
        report.verdict,
        rows=tuple(_rows(report)),
        notes=(*report.notes, note) if note else tuple(report.notes),
        by_class=tuple(known.get(name) for name in classes.names),
        pairs=_named(report.pairs, classes),
        k=report.k,
    )


def _named(pairs: Sequence[MixedPair], classes: Classes) -> tuple[MixedPair, ...]:
    """Return pairs of classes with the class names of the scene."""
    return tuple(
        replace(pair, a=classes.name(pair.a), b=classes.name(pair.b)) for pair in pairs
    )


def classifier_honesty(
    truth: Array,
    answers: Array,
    contradicts: Array | None,
    held_out: Bools | None,
    units: Ints,
    seed: int,
) -> records.Honesty:
    """Test a classifier on held-out rows; the class index -1 means no class."""
    known = truth >= 0
    some = known if held_out is None else known & held_out
    if held_out is None or not some.any():
        why = "no held-out row has a class"
        if some.any():
            right = balanced_accuracy(answers[some], truth[some], int(truth.max()) + 1)
            why = (
                f"the classifier is right for {right:.0%} of the rows, but it may have "
                "been trained on them, because held-out rows were not given"
            )
        notes = (HOW_TO_TEST,) if held_out is None else ()
        return scene_honesty(ClassifierVerdict("untested", None, why=why), notes=notes)
    return scene_honesty(
        judge_classifier(
            truth[some],
            answers[some],
            None if contradicts is None else contradicts[some] == 0,
            units[some],
            np.random.RandomState(seed % 2**32),
        )
    )


def untested(why: str) -> records.Honesty:
    """Return a certificate that states why the map was not tested."""
    return scene_honesty(Verdict("untested", None, why=why))


def with_certificate(
    drawn: records.SceneMap, trust: Trust, why: str, classes: Classes
) -> records.SceneMap:
    """Return a map with its certificate, or with the reason why it has none."""
    known, right, errors = trust.honesty, None, None
    if isinstance(known, HonestyReport):
        honesty = certificate(known, trust.note, classes)
        right = known.points.share.astype(np.float32)
        if known.place_errors is not None:
            errors = records.PlaceErrors(
                known.place_errors.astype(np.float32),
                known.misplaced.astype(np.uint32),
            )
    elif isinstance(known, ClassifierVerdict):
        honesty = scene_honesty(known)
    else:
        honesty = untested(trust.note or why)
    islands = None if trust.islands is None else scene_islands(trust.islands)
    return replace(
        drawn,
        honesty=honesty,
        judged_right=right,
        place_errors=errors,
        islands=islands,
    )


def _rows(report: HonestyReport) -> Iterator[records.HonestyRow]:
    if report.unseen is None:
        return
    intervals = {"unseen": report.unseen_interval, "gap": report.gap_interval}
    null = {"seen": report.null_seen, "unseen": report.null_unseen, "gap": report.null}
    for name, label in ROWS.items():
        low, high = intervals.get(name) or (None, None)
        value = getattr(report, name)
        yield records.HonestyRow(name, label, value, low, high, null.get(name))


def with_measured_honesty(
    trust: Trust, subject: Subject, main: Unwrapped, data: Data, seed: int
) -> Trust:
    """Return the test results; if requested, the certificate is computed first."""
    X, y = data.X, data.y
    wanted = trust.honesty is True or (trust.honesty is None and not trust.note)
    if wanted and _can_be_certified(main, y):
        measured = certify(main.X, subject.model_or_map, y, data.groups, seed)
        return replace(trust, honesty=measured)
    if trust.honesty is not True:
        return trust
    if y is None:
        raise scene_error("honesty=True needs labels. Pass them as y.")
    estimator = main.estimator
    if not hasattr(estimator, "transform") and not hasattr(estimator, "embedding_"):
        what = "An array" if estimator is None else main.name
        raise scene_error(
            f"honesty=True fits the map again. {what} cannot be fitted; pass a "
            "HonestyReport, or leave honesty out."
        )
    # The names in the view, if they are names of the columns of X.
    names = main.names if len(main.names) == np.shape(X)[1] else None
    measured = honesty(
        subject.model_or_map,
        X,
        y,
        data.groups,
        max_samples=MOST_TESTED,
        feature_names=names,
        random_state=seed,
    )
    return replace(trust, honesty=measured)


def _can_be_certified(main: Unwrapped, y: Any) -> bool:
    """Return whether the user passed positions, data and classes of all rows."""
    X = main.X
    if main.estimator is not None or main.is_precomputed or X is None or y is None:
        return False
    if not X.size or not np.isfinite(X).all():
        return False
    labels = np.asarray(y, dtype=object).ravel().tolist()
    is_known = all(label is not None and label == label for label in labels)
    return is_known and len(labels) == len(X) and len(set(labels)) > 1


# The islands of a map.

ISLAND_LIGHTS: dict[str, LightState] = {
    "stable": "good",
    "doubtful": "fair",
    "falls apart": "bad",
}


def scene_islands(report: IslandReport) -> records.Islands:
    """Convert the islands of a map to a record of a scene."""
    islands = tuple(
        records.SceneIsland(
            state="bad" if island.is_cut else ISLAND_LIGHTS[island.verdict],
            answer="part of a continuous group" if island.is_cut else island.verdict,
            words=str(island),
            holds=island.holds,
            stability=island.stability,
            members=island.members.astype(np.uint32),
        )
        for island in report
    )
    return records.Islands(islands, tuple(filter(None, (report.finding, report.note))))


# Maximum number of confused pairs of classes in the list.
MOST_MIXED = 10
Naming = Callable[[Any], str]


def scene_audit(
    report: AuditReport | None,
    classes: Classes,
    n_points: int,
    wording: Wording = PYTHON,
    feature_names: Sequence[str] = (),
) -> records.Audit | None:
    """Convert an audit to a record of a scene; None if there is no audit."""
    # ``wording`` has the names of options in Python or on the command line,
    # ``feature_names`` the names of features in the view.
    if report is None:
        return None
    if len(report.given) != n_points:
        raise scene_error(
            f"the audit is about {len(report.given):,} rows, but there are "
            f"{n_points:,} points. Audit the same rows in the same order.",
            "audit",
        )
    names: dict[str, str] = {}
    if len(report.feature_names) == len(feature_names):
        names = dict(zip(report.feature_names, feature_names, strict=True))

    def called(feature: str) -> str:
        return names.get(feature, feature)

    def suspects(listed: Sequence[Suspect]) -> tuple[Suspect, ...]:
        return tuple(
            replace(
                one,
                given=classes.name(one.given),
                likely=classes.name(one.likely),
                against=tuple(
                    replace(each, feature=called(each.feature)) for each in one.against
                ),
            )
            for one in listed
        )

    return records.Audit(
        rate=report.rate,
        expected_false=float(report.expected_false),
        share_wrong=float(report.share_wrong),
        summary=report.summary,
        suspects=suspects(report.records),
        pairs=_named(report.pairs[:MOST_MIXED], classes),
        class_differences=tuple(
            _difference(classes.name(a), classes.name(b), one, called)
            for (a, b), one in report.class_differences.items()
        ),
        findings=tuple(_finding(one, wording, called) for one in report.findings),
        taken_for=classes.codes(report.likely),
        can_tell=report.can_tell,
        look_first=suspects(report.look_first),
        assumed=report.assumed,
        lights=report.lights,
    )


def _difference(
    a: str, b: str, one: ClassDifference, called: Naming
) -> ClassDifference:
    """Return the features that separate two classes, in the order of selection."""
    effects = {effect.feature: effect for effect in one.effects}
    chosen = one.best[-1] if one.best else ()
    return replace(
        one,
        a=a,
        b=b,
        effects=tuple(replace(effects[name], feature=called(name)) for name in chosen),
        best=tuple(tuple(map(called, names)) for names in one.best),
    )


def _finding(
    finding: Finding, wording: Wording, called: Naming
) -> records.TableFinding:
    finding = replace(
        finding,
        subjects=tuple(map(called, finding.subjects)),
        column=called(finding.column),
    )
    remedy: tuple[str, ...] = ()
    if finding.remedy is not None:
        value = finding.remedy.value
        values = value if isinstance(value, list) else [value]
        remedy = (finding.remedy.parameter, *map(str, values))
    return records.TableFinding(
        code=finding.code,
        words=finding.words(wording),
        subjects=finding.subjects,
        sure=finding.sure,
        count=finding.count,
        rows=np.asarray(finding.rows, dtype=np.uint32),
        remedy=remedy,
    )
