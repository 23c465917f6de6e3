"""The report of an audit: suspects, classes, and findings of the table."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.metrics import confusion_matrix
from sklearn.utils import check_random_state

from labelscape._core.errors import PYTHON, InputError, Wording
from labelscape._core.labels import checked_labels, is_label, label_array
from labelscape._core.params import check_argument, several, whole
from labelscape._core.types import Array, Bools, Floats, Ints
from labelscape.quality.audit.batches import Batches, Swap
from labelscape.quality.audit.class_difference import (
    MOST_ROWS,
    ClassDifference,
    class_difference,
)
from labelscape.quality.audit.evidence import AuditedTable, Suspect
from labelscape.quality.audit.groups import HiddenGroups
from labelscape.quality.audit.suspects import Discoveries
from labelscape.quality.records import (
    Finding,
    Light,
    MixedPair,
    Printed,
    State,
    as_text,
    closest_pairs,
    data_frame,
    mixed_pairs,
    same_as,
)

SHOWN = 10  # number of suspects to print
# Number of confused pairs of classes to list, and to compare.
MOST_CONFUSED, MOST_COMPARED = 3, 3
ASSUMED = (
    "The method assumes that label errors are random within a class, and that some "
    "rows of each class are clearly separated from the other classes."
)
# A larger share of errors on held-out rows is called overlap.
OVERLAPPING = 0.15
RANKED = "The ranking shows which rows to look at first."
LOOK = "Rows to look at first (hints, not suspects):"

LABELS_MEASURED = (
    "Each label is judged by models that were fitted to other rows. Rows are ranked by "
    "how strongly these models contradict their labels. The list of suspects is as "
    "long as possible while the estimated share of false alarms stays within the "
    f"chosen rate. {ASSUMED} If labels were moved along the border of two classes that "
    "have no gap between them, no method can see it."
)
CONFUSED_MEASURED = (
    "The share of rows of the two classes that are predicted as the other class, by "
    "models fitted to other rows; both classes have the same weight."
)
FEATURES = "Best separating features"
FEATURES_MEASURED = (
    "For the classes that are hardest to separate, up to three features are chosen "
    "one after the other. The percentage is the accuracy of a linear model of these "
    "features for held-out rows, which were not used to choose the features. Both "
    "classes have the same weight (chance 50%)."
)
# The line of a summary without an audit.
NOT_CHECKED = Light(
    "Labels",
    "none",
    "",
    'not checked. Run "labelscape audit DATA" (or tick "Check labels" in the app).',
    measured=LABELS_MEASURED,
)


@dataclass(frozen=True, eq=False, repr=False)
class AuditReport(Printed):
    """Labels that look wrong, confused classes, and other problems of a table.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The classes, each in its usual spelling.
    given : ndarray of shape (n,)
        The labels as given.
    rate : float
        The maximum expected share of false alarms among the suspects.
    ranking : ndarray of int of shape (n,)
        The indices of all rows, the most suspicious row first.
    suspects : ndarray of int
        The rows whose labels look wrong, which are the first rows of ``ranking``.
    likely : ndarray of shape (n,)
        The most likely label of each row.
    chance_wrong : ndarray of shape (n,)
        The estimated chance that the label of a row is wrong. ``expected_false`` is the
        mean chance that a suspect's label is right. Without suspects, chances are
        computed with the larger of ``share_wrong`` and 1%, so that they only order the
        rows; texts and files then show ranks instead.
    share_wrong : float
        The estimated share of wrong labels in the table: the lower end of its interval.
    expected_false : float
        The expected share of false alarms among the suspects.
    can_tell : bool
        Whether wrong labels can be distinguished from hard samples. If not, there are
        no suspects, and the first of ``lights`` says why: labels have no signal,
        classes overlap, or labels may have been moved from one class to another.
    has_signal : bool
        Whether models recognize the classes of held-out rows better than chance.
    probabilities : ndarray of shape (n, n_classes)
        Class probabilities of each row, by models that were fitted to other rows.
    records : list of Suspect
        For each suspect: both labels with their probabilities, neighbors of both
        classes, and features that contradict the label.
    look_first : list of Suspect
        The next rows of ``ranking`` after the suspects, at most 20. If there are no
        suspects, check these rows first. Their share of false alarms is not limited.
    findings : list of Finding
        Other problems in the table.
    hidden_groups : list of HiddenGroups
        Classes that seem to consist of two subgroups, with their rows and differences.
    typical : ndarray of int of shape (n_classes,)
        The most typical row of each class (its medoid).
    outliers : ndarray of int
        The rows that are far from all others, the farthest first.
    batch : Batches or None
        The batch effect, if batches were given.
    swaps : list of Swap
        Class names that look swapped in one batch or group.
    confusion : ndarray of int of shape (n_classes, n_classes)
        Counts of held-out samples by class (row) and predicted class (column).
    class_differences : dict of (class, class) to ClassDifference
        Differences between the two classes of a pair, for at most three pairs that are
        hardest to separate, if features separate them better than chance.
    """

    table: AuditedTable
    rate: float
    discoveries: Discoveries
    probabilities: Floats
    _first: list[Suspect]
    findings: list[Finding]
    hidden_groups: list[HiddenGroups]
    typical: Ints
    outliers: Ints
    batch: Batches | None = None
    swaps: list[Swap] = field(default_factory=list)
    class_differences: dict[tuple[Any, Any], ClassDifference] = field(
        default_factory=dict
    )
    _has_few: Bools | None = None

    classes = same_as("table.classes")
    given = same_as("table.given")
    _codes = same_as("table.codes")
    ranking = same_as("discoveries.ranking")
    chance_wrong = same_as("discoveries.chance_wrong")
    share_wrong = same_as("discoveries.share")
    expected_false = same_as("discoveries.expected_false")
    can_tell = same_as("discoveries.can_tell")
    has_signal = same_as("discoveries.has_signal")

    @property
    def feature_names(self) -> list[str]:
        """Names of the features."""
        return self.table.names

    @property
    def suspects(self) -> Ints:
        """Rows whose labels look wrong."""
        return self.ranking[: self.discoveries.n_flagged]

    @property
    def records(self) -> list[Suspect]:
        """Evidence against the labels of the suspects."""
        return self._first[: self.discoveries.n_flagged]

    @property
    def look_first(self) -> list[Suspect]:
        """Evidence against the labels of the first rows after the suspects."""
        return self._first[self.discoveries.n_flagged :]

    @property
    def likely(self) -> Array:
        """Most likely label of each row."""
        return self.classes[self.probabilities.argmax(axis=1)]

    @property
    def assumed(self) -> str:
        """The assumptions of the list of suspects; empty without suspects."""
        return ASSUMED if self.records else ""

    @property
    def confusion(self) -> Ints:
        """Counts of held-out samples by class and predicted class."""
        predicted = self.probabilities.argmax(axis=1)
        numbers = np.arange(len(self.classes))
        return confusion_matrix(self._codes, predicted, labels=numbers)

    @cached_property
    def pairs(self) -> list[MixedPair]:
        """The pairs of confused classes, the most confused first.

        Classes with too few independent rows are omitted.
        """
        return mixed_pairs(
            self.confusion,
            self.classes,
            is_left_out=self._has_few,
            answers=(self._codes, self.probabilities.argmax(axis=1)),
        )

    def compare_classes(self, a: Any, b: Any) -> ClassDifference:
        """Return the features that separate two classes, and their accuracy.

        Suspects are not used, because wrong labels reduce differences.

        Parameters
        ----------
        a, b : labels
            Two classes.

        Returns
        -------
        ClassDifference
            All features in order, and the accuracy of one, two and three features.
        """
        codes = [_code_of(self.classes, *one) for one in ((a, "a"), (b, "b"))]
        if codes[0] == codes[1]:
            raise InputError(
                f"both classes are {a!r}. Pass two different classes.",
                owner="compare_classes",
                parameter="b",
            )
        rng = check_random_state(0)
        trusted = np.ones(len(self._codes), dtype=bool)
        trusted[self.suspects] = False
        rows = [
            rng.permutation(np.flatnonzero((self._codes == code) & trusted))
            for code in codes
        ]
        rows = [members[: MOST_ROWS // 2] for members in rows]
        both = np.sort(np.concatenate(rows))
        units = self.table.units
        inner = units.inside(self._codes)
        own = units.of_row if inner is None else inner
        return class_difference(
            self.table.X[both],
            np.isin(both, rows[0]),
            np.unique(own[both], return_inverse=True)[1],
            self.feature_names,
            (str(a), str(b)),
            rng,
        )

    def with_differences(self) -> "AuditReport":
        """Return the report with the differences of the classes.

        These are the classes that are hardest to separate, hardest first. Pairs that
        features do not separate better than chance are omitted.
        """
        labels = self.classes.tolist()
        differences: dict[tuple[Any, Any], ClassDifference] = {}
        n_classes = len(labels)
        given = np.zeros((n_classes, n_classes))
        np.add.at(given, self._codes, self.probabilities)
        given /= np.maximum(np.bincount(self._codes, minlength=n_classes), 1)[:, None]
        for a, b in closest_pairs(given + given.T):
            if len(differences) == MOST_COMPARED:
                break
            try:
                difference = self.compare_classes(labels[a], labels[b])
            except InputError:  # too few samples to hold any out
                continue
            if difference.is_better_than_chance:
                differences[labels[a], labels[b]] = difference
        return replace(self, class_differences=differences)

    def repaired(self, y: Any) -> Array:
        """Return a copy of the labels in which suspects have their likely label.

        Parameters
        ----------
        y : array-like of shape (n,)
            The labels that were audited.

        Returns
        -------
        y : ndarray of shape (n,)
            The corrected labels.
        """
        labels = label_array(y, owner="repaired")
        if labels.shape != (len(self._codes),):
            raise InputError(
                f"y must contain the {len(self._codes):,} labels that were audited, "
                f"got an array of shape {labels.shape}.",
                owner="repaired",
                parameter="y",
            )
        labels, likely = checked_labels(labels, owner="repaired"), self.likely
        try:
            # A longer name must not be cut to the length of the names in y.
            kind = np.result_type(labels, likely)
        except TypeError:
            raise InputError(
                f"y must contain labels of the same type as in the audit, such as "
                f"{likely.tolist()[0]!r}, got {labels.tolist()[0]!r}.",
                owner="repaired",
                parameter="y",
            ) from None
        repaired = labels.astype(kind, copy=True)
        repaired[self.suspects] = likely[self.suspects]
        return repaired

    def without(self, rows: Sequence[int]) -> "AuditReport":
        """Return the report with checked rows moved to the end of the ranking.

        Parameters
        ----------
        rows : sequence of int
            The numbers of the checked rows.

        Returns
        -------
        AuditReport
        """
        check_argument("without", "rows", rows, several("row numbers", whole(0)))
        is_decided = np.isin(self.ranking, list(rows))
        ranking = self.ranking[np.argsort(is_decided, kind="stable")]
        n_left = int((~is_decided[: self.discoveries.n_flagged]).sum())
        right = 1.0 - self.chance_wrong[ranking[:n_left]]
        left = replace(
            self,
            discoveries=self.discoveries._replace(
                ranking=ranking,
                n_flagged=n_left,
                expected_false=float(right.mean()) if n_left else 0.0,
            ),
            _first=[one for one in self._first if one.row not in set(rows)],
        )
        return left.with_differences()

    def to_frame(self) -> Any:
        """Return all rows as a pandas data frame, the most suspicious first.

        Returns
        -------
        pandas.DataFrame
            With columns ``row``, ``given``, ``likely``, ``p_given``, ``p_likely``,
            ``chance_wrong`` (missing without suspects) and ``suspect``.
        """
        rows, is_listed = self.ranking, self.discoveries.n_flagged > 0
        return data_frame(
            {
                "row": rows.tolist(),
                "given": self.given[rows].tolist(),
                "likely": self.likely[rows].tolist(),
                "p_given": self.probabilities[rows, self._codes[rows]],
                "p_likely": self.probabilities[rows].max(axis=1),
                "chance_wrong": np.where(is_listed, self.chance_wrong[rows], np.nan),
                "suspect": np.arange(len(rows)) < self.discoveries.n_flagged,
            }
        )

    @property
    def lights(self) -> tuple[Light, ...]:
        """Three lines of a summary: labels, confused classes, separating features."""
        return (
            self._labels_light,
            Light("Most confused", "none", "", self._confused, "", CONFUSED_MEASURED),
            Light(FEATURES, "none", "", self._best_features, "", FEATURES_MEASURED),
        )

    @property
    def _labels_light(self) -> Light:
        n, n_rows = len(self.suspects), len(self._codes)
        state: State = "none"
        detail = ""
        if not self.has_signal:
            figure = (
                f"cannot be checked, because models predict the classes of {n_rows:,} "
                "held-out rows no better than chance."
            )
        elif not self.can_tell:
            state, figure = self._why_not()
        elif not n:
            state, figure = "good", "none look wrong."
        else:
            state = "fair"
            figure = (
                f"{n:,} of {n_rows:,} {'looks' if n == 1 else 'look'} wrong (at most "
                f"{self.rate:.0%} of these are expected to be false alarms)."
            )
            detail = f"estimated share of false alarms {self.expected_false:.0%}"
        return Light("Labels", state, "", figure, detail, LABELS_MEASURED)

    def _why_not(self) -> tuple[State, str]:
        """Return why no label can be listed, and none called right."""
        doubts = self.discoveries.doubts
        if doubts is None:
            return "none", (
                "cannot be checked, because all classes have too few independent rows."
            )
        if doubts.error > OVERLAPPING:
            return "none", (
                "cannot be checked, because the classes overlap too much (models are "
                f"right for {1 - doubts.error:.0%} of held-out rows). {RANKED}"
            )
        crossing = self.discoveries.crossing
        if crossing is not None:
            given, inside = self.classes[[crossing.given, crossing.inside]].tolist()
            return "fair", (
                f"none can be listed at the chosen rate, but {crossing.n_rows:,} of "
                f"{crossing.n_used:,} rows are labeled {given} and lie among the rows "
                f"of {inside}, beyond a gap between the two classes: they may have "
                f"been moved from {inside} to {given}. {RANKED}"
            )
        given, likely = self.classes[[doubts.given, doubts.likely]].tolist()
        return "fair", (
            f"none can be listed at the chosen rate, but {doubts.share:.1%} of the "
            "held-out rows look like another class to at least one of three models, "
            f"most often rows of {given} like {likely} ({doubts.share_given:.1%} of "
            f"the rows of {given}): the classes overlap, or labels were moved from one "
            f"to the other. {RANKED}"
        )

    @property
    def _confused(self) -> str:
        pairs = [
            f"{pair.a} and {pair.b} ({pair.share:.1%}{' of their rows' * (not i)})"
            for i, pair in enumerate(self.pairs[:MOST_CONFUSED])
        ]
        return f"{', '.join(pairs) or 'no two classes'}."

    @property
    def _best_features(self) -> str:
        pairs = [
            f"{', '.join(one.best[-1])} for {a} and {b} ({one.accuracy[-1]:.0%}"
            f"{' accuracy on held-out rows' * (not i)})"
            for i, ((a, b), one) in enumerate(self.class_differences.items())
        ]
        none = "none that are better than chance"
        if self.has_signal:
            none = "up to three features are no better than chance, but more are"
        return f"{'; '.join(pairs) or none}."

    @property
    def summary(self) -> str:
        """The result for the labels, in one sentence."""
        return self._labels_light.figure

    _between = "\n\n"

    def words(self, wording: Wording = PYTHON) -> str:
        """Return the report as text, in the wording of the user interface."""
        return as_text(self._parts_shown(wording), self._between)

    def _parts_shown(self, wording: Wording = PYTHON) -> list[Any]:
        labels, *others = self.lights
        detail = f" {labels.detail.capitalize()}." * bool(labels.detail)
        suspects = [_table(self.records), ASSUMED] if self.records else []
        first = [LOOK, _table(self.look_first)] if self.look_first else []
        typical = [self._typical_words()] if len(self.typical) else []
        findings = [finding.words(wording) for finding in self.findings]
        lines = [str(light) for light in others]
        return [f"{labels}{detail}", *suspects, *first, *lines, *typical, *findings]

    def look_first_words(self) -> str:
        """Return the first rows after the suspects, as text; empty if none."""
        if not (rows := self.look_first):
            return ""
        return as_text([LOOK, _table(rows)], "\n")

    def _typical_words(self) -> str:
        pairs = list(zip(self.classes.tolist(), self.typical.tolist(), strict=True))
        named = ", ".join(f"{name} (row {row})" for name, row in pairs[:SHOWN])
        return f"Most typical row of each class: {named}{', …' * (len(pairs) > SHOWN)}."


def _table(records: list[Suspect]) -> tuple[Any, ...]:
    has_chances = records[0].chance_wrong is not None
    header = ["row", "given", "likely", "chance wrong" if has_chances else "rank"]
    rows = [
        [
            *(str(one.row), str(one.given), str(one.likely)),
            str(rank) if one.chance_wrong is None else f"{one.chance_wrong:.2f}",
        ]
        for rank, one in enumerate(records[:SHOWN], 1)
    ]
    more = len(records) - SHOWN
    if more > 0:
        rows.append(["…", f"and {more:,} more", "", ""])
    return header, rows, (1, 2)


def _code_of(classes: Array, label: Any, name: str) -> int:
    """Return the index of a class."""
    labels = classes.tolist()
    is_name = isinstance(label, Hashable) and getattr(label, "shape", ()) == ()
    if not (is_name and is_label(label) and label in labels):
        some = ", ".join(repr(one) for one in labels[:8])
        raise InputError(
            f"{name} must be one of the classes ({some}{', …' * (len(labels) > 8)}), "
            f"got {label!r}.",
            owner="compare_classes",
            parameter=name,
        )
    return labels.index(label)
