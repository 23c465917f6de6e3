"""What an audit found: suspects first, then classes, then the table."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelscape._core.checks import (
    checked_labels,
    is_label,
    label_array,
    missing_extra,
)
from labelscape._core.errors import PYTHON, InputError, Wording
from labelscape._core.tables import html_table, text_table
from labelscape.auditing._batch import Batches
from labelscape.auditing._discoveries import Discoveries
from labelscape.auditing._evidence import Suspect
from labelscape.auditing._groups import HiddenGroups
from labelscape.auditing._parting import MOST_ROWS, Parting, parting
from labelscape.auditing.findings.record import Finding, counted

# So many suspects and pairs of classes are printed.
SHOWN, PAIRS = 10, 5
# So many pairs of classes are told apart without being asked about.
PARTED = 3
ASSUMED = (
    "Assumes that errors strike rows at random within a class, and that somewhere the "
    "classes are clearly separated."
)
LOOK = "Look at these first (not promised):"


class MixedPair(NamedTuple):
    """Two classes that models mix up, of objects that they did not see.

    Attributes
    ----------
    a, b : object
        The classes.
    share : float
        Share of their objects that is taken for the other, each class counting the
        same.
    """

    a: Any
    b: Any
    share: float


@dataclass(frozen=True, eq=False, repr=False)
class AuditReport:
    """Which labels seem to be wrong, which classes are mixed up, what else is odd.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The classes, each in its usual spelling.
    given : ndarray of shape (n,)
        The labels as they were given.
    rate : float
        The share of false alarms that was allowed among the suspects.
    ranking : ndarray of int of shape (n,)
        The numbers of all rows, the most suspicious first.
    suspects : ndarray of int
        The rows whose labels seem to be wrong: the first of ``ranking``.
    likely : ndarray of shape (n,)
        The label of each row that fits best.
    chance_wrong : ndarray of shape (n,)
        The estimated chance that the label of a row is wrong. Where a list is promised,
        it is a careful estimate: the suspects' chances to be right add up to
        ``expected_false``. Otherwise it is the best guess.
    share_wrong : float
        The estimated share of wrong labels in the table: a careful one, rather too
        small than too large.
    expected_false : float
        The estimated share of false alarms among the suspects: their mean chance to be
        labeled correctly.
    can_tell : bool
        Whether wrong labels can be told from hard objects. Where classes overlap too
        much, or labels carry no signal, they can't: then nothing is suspected.
    has_signal : bool
        Whether models recognize the classes of held-out rows better than chance.
    probabilities : ndarray of shape (n, n_classes)
        What models that never saw a row say of its class.
    records : list of Suspect
        Of each suspect: both labels with their probabilities, neighbours of both
        classes, features against its label.
    look_first : list of Suspect
        The same of the rows that come next in ``ranking``: where to look first if there
        are no suspects. Nothing is promised of them.
    findings : list of Finding
        What is odd about the table.
    hidden_groups : list of HiddenGroups
        Classes that seem to be two groups, with their rows and what parts them.
    typical : ndarray of int of shape (n_classes,)
        The row in the middle of each class.
    rim : ndarray of int
        The rows that are far from everything, the farthest first.
    batch : Batches or None
        Whether batches can be told, if they were given.
    confusion : ndarray of int of shape (n_classes, n_classes)
        Of unseen objects: the class (row), and what models take it for (column).
    partings : dict of (class, class) to Parting
        What separates the three pairs of classes that are hardest to separate, of those
        that features part better than chance.
    """

    classes: NDArray[Any]
    rate: float
    discoveries: Discoveries
    probabilities: NDArray[np.float64]
    _first: list[Suspect]
    findings: list[Finding]
    feature_names: list[str]
    given: NDArray[Any]
    _codes: NDArray[np.intp] = field()
    _X: NDArray[Any] = field()
    _units: NDArray[np.intp] = field()
    hidden_groups: list[HiddenGroups] = field(default_factory=list)
    typical: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=int))
    rim: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=int))
    batch: Batches | None = None
    _has_few: NDArray[np.bool_] | None = None

    @property
    def ranking(self) -> NDArray[np.intp]:
        """The numbers of all rows, the most suspicious first."""
        return self.discoveries.ranking

    @property
    def suspects(self) -> NDArray[np.intp]:
        """The rows whose labels seem to be wrong."""
        return self.ranking[: self.discoveries.n_flagged]

    @property
    def records(self) -> list[Suspect]:
        """What speaks against the labels of the suspects."""
        return self._first[: self.discoveries.n_flagged]

    @property
    def look_first(self) -> list[Suspect]:
        """The rows that come after the suspects: where to look, nothing promised."""
        return self._first[self.discoveries.n_flagged :]

    @property
    def likely(self) -> NDArray[Any]:
        """The label of each row that fits best."""
        return self.classes[self.probabilities.argmax(axis=1)]

    @property
    def chance_wrong(self) -> NDArray[np.float64]:
        """The estimated chance that the label of a row is wrong."""
        return self.discoveries.chance_wrong

    @property
    def share_wrong(self) -> float:
        """The estimated share of wrong labels in the table."""
        return self.discoveries.share

    @property
    def expected_false(self) -> float:
        """The estimated share of false alarms among the suspects."""
        return self.discoveries.expected_false

    @property
    def can_tell(self) -> bool:
        """Whether wrong labels can be told from hard objects."""
        return self.discoveries.can_tell

    @property
    def has_signal(self) -> bool:
        """Whether models recognize the classes of held-out rows better than chance."""
        return self.discoveries.has_signal

    @property
    def confusion(self) -> NDArray[np.intp]:
        """Of unseen objects: the class, and what models take it for."""
        n_classes = len(self.classes)
        taken_for = self.probabilities.argmax(axis=1)
        pairs = np.bincount(self._codes * n_classes + taken_for, minlength=n_classes**2)
        return pairs.reshape(n_classes, n_classes)

    @property
    def pairs(self) -> list[MixedPair]:
        """The classes that are mixed up, the worst pair first.

        Classes of too few units to be judged are left out.
        """
        counts = self.confusion
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        mixed = (shares + shares.T) / 2.0
        if self._has_few is not None:
            mixed[self._has_few] = mixed[:, self._has_few] = 0.0
        a, b = np.triu_indices(len(mixed), 1)
        order = np.argsort(-mixed[a, b], kind="stable")
        labels = self.classes.tolist()
        return [
            MixedPair(labels[a[i]], labels[b[i]], float(mixed[a[i], b[i]]))
            for i in order
            if mixed[a[i], b[i]] > 0
        ]

    def parts(self, a: Any, b: Any) -> Parting:
        """Return what parts one class from another: features, and how far they get.

        Suspects are left out: what is labelled wrongly blurs every difference.

        Parameters
        ----------
        a, b : labels
            Two classes.

        Returns
        -------
        Parting
            Features in order, and how well the best one, two and three tell held-out
            objects apart.
        """
        rng = check_random_state(0)
        trusted = np.ones(len(self._codes), dtype=bool)
        trusted[self.suspects] = False
        rows = []
        for name, label in (("a", a), ("b", b)):
            code = _code_of(self.classes, label, name)
            members = np.flatnonzero((self._codes == code) & trusted)
            if len(np.unique(self._units[members])) < 2:
                raise InputError(
                    f"class {label!r} has fewer than two objects that are not "
                    "suspected, too few to hold any out.",
                    owner="parts",
                    parameter=name,
                )
            rows.append(rng.permutation(members)[: MOST_ROWS // 2])
        if a == b:
            raise InputError(
                f"both classes are {a!r}. Name two different ones.",
                owner="parts",
                parameter="b",
            )
        both = np.sort(np.concatenate(rows))
        return parting(
            self._X[both],
            np.isin(both, rows[0]),
            np.unique(self._units[both], return_inverse=True)[1],
            self.feature_names,
            (str(a), str(b)),
            rng,
        )

    @property
    def usual(self) -> NDArray[Any]:
        """The labels as they were given, each class in its usual spelling."""
        return self.classes[self._codes]

    @cached_property
    def partings(self) -> dict[tuple[Any, Any], Parting]:
        """What separates the classes that are hardest to separate, the closest first.

        Pairs that no features part better than chance are left out.
        """
        labels = self.classes.tolist()
        found: dict[tuple[Any, Any], Parting] = {}
        for a, b in self._closest():
            if len(found) == PARTED:
                break
            try:
                parted = self.parts(labels[a], labels[b])
            except InputError:  # too few objects to hold any out
                continue
            if parted.is_better_than_chance:
                found[labels[a], labels[b]] = parted
        return found

    def _closest(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of classes by what models give objects of one for the other."""
        n_classes = len(self.classes)
        given = np.zeros((n_classes, n_classes))
        np.add.at(given, self._codes, self.probabilities)
        given /= np.maximum(np.bincount(self._codes, minlength=n_classes), 1)[:, None]
        a, b = np.triu_indices(n_classes, 1)
        order = np.argsort(-(given + given.T)[a, b], kind="stable")
        yield from zip(a[order].tolist(), b[order].tolist(), strict=True)

    def repaired(self, y: Any) -> NDArray[Any]:
        """Return labels in which those of the suspects are replaced by likely ones.

        Parameters
        ----------
        y : array-like of shape (n,)
            The labels that were audited.

        Returns
        -------
        y : ndarray of shape (n,)
            A copy of them.
        """
        labels = label_array(y, owner="repaired")
        if labels.shape != (len(self._codes),):
            raise InputError(
                f"y must hold the {len(self._codes):,} labels that were audited, got "
                f"an array of shape {labels.shape}.",
                owner="repaired",
                parameter="y",
            )
        labels, likely = checked_labels(labels, owner="repaired"), self.likely
        try:
            # A longer name must not be cut to the length of those in y.
            kind = np.result_type(labels, likely)
        except TypeError:
            raise InputError(
                f"y must hold labels of the kind that was audited, such as "
                f"{likely.tolist()[0]!r}, got {labels.tolist()[0]!r}.",
                owner="repaired",
                parameter="y",
            ) from None
        mended = labels.astype(kind, copy=True)
        mended[self.suspects] = likely[self.suspects]
        return mended

    def without(self, rows: Sequence[int]) -> "AuditReport":
        """Return the report with rows, of which a person has decided, ranked last.

        Parameters
        ----------
        rows : sequence of int
            Their numbers.

        Returns
        -------
        AuditReport
        """
        is_decided = np.isin(self.ranking, rows)
        ranking = self.ranking[np.argsort(is_decided, kind="stable")]
        n_left = int((~is_decided[: self.discoveries.n_flagged]).sum())
        right = 1.0 - self.chance_wrong[ranking[:n_left]]
        return replace(
            self,
            discoveries=self.discoveries._replace(
                ranking=ranking,
                n_flagged=n_left,
                expected_false=float(right.mean()) if n_left else 0.0,
            ),
            _first=[one for one in self._first if one.row not in set(rows)],
        )

    def to_frame(self) -> Any:
        """Return all rows as a pandas data frame, the most suspicious first.

        Returns
        -------
        pandas.DataFrame
            With columns ``row``, ``given``, ``likely``, ``p_given``, ``p_likely``,
            ``chance_wrong`` and ``suspect``.
        """
        try:
            import pandas as pd
        except ImportError:
            missing_extra("pandas", "dev", "to_frame()")
        return pd.DataFrame(self.columns())

    def columns(self) -> dict[str, list[Any]]:
        """Return the columns of `to_frame` as lists."""
        rows = self.ranking
        own = self.probabilities[rows, self._codes[rows]]
        return {
            "row": rows.tolist(),
            "given": self.given[rows].tolist(),
            "likely": self.likely[rows].tolist(),
            "p_given": own.tolist(),
            "p_likely": self.probabilities[rows].max(axis=1).tolist(),
            "chance_wrong": self.chance_wrong[rows].tolist(),
            "suspect": (np.arange(len(rows)) < self.discoveries.n_flagged).tolist(),
        }

    @property
    def summary(self) -> str:
        """What was found about the labels, in a sentence or two."""
        n, n_rows = len(self.suspects), len(self._codes)
        if not self.has_signal:
            return (
                "The labels carry no signal: models recognize the classes of "
                f"{n_rows:,} held-out rows no better than chance, so no label can be "
                "judged."
            )
        if not self.can_tell:
            return (
                "The classes overlap too much to tell wrong labels from hard rows; the "
                "ranking shows where to look first."
            )
        if not n:
            return (
                f"No more labels look wrong among {n_rows:,} than hard objects explain."
            )
        verb = "seems" if n == 1 else "seem"
        return (
            f"{counted(n, 'label')} of {n_rows:,} {verb} to be wrong. Of those, about "
            f"{self.expected_false:.0%} are false alarms ({self.rate:.0%} are allowed)."
        )

    def words(self, wording: Wording = PYTHON) -> str:
        """Return the report as text, in the language of a host."""
        parts = [self.summary]
        if self.records:
            parts += [text_table(*_table(self.records), left=(1, 2)), ASSUMED]
        if self.look_first:
            parts.append(self.look_first_words())
        if mixed := self._mixed_words():
            parts.append(mixed)
        if len(self.typical):
            parts.append(self._typical_words())
        parts += [finding.words(wording) for finding in self.findings]
        return "\n\n".join(parts)

    def __str__(self) -> str:
        return self.words()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        table = html_table(*_table(self.records)) if self.records else ""
        if self.records:
            table += f"<p>{ASSUMED}</p>"
        if self.look_first:
            table += f"<p>{LOOK}</p>{html_table(*_table(self.look_first))}"
        middle = self._typical_words() if len(self.typical) else ""
        later = [self._mixed_words(), middle, *map(str, self.findings)]
        words = "".join(f"<p>{escape(line)}</p>" for line in later if line)
        return f"<p>{escape(self.summary)}</p>{table}{words}"

    def look_first_words(self) -> str:
        """Return the rows that come after the suspects, as text."""
        return f"{LOOK}\n{text_table(*_table(self.look_first), left=(1, 2))}"

    def _mixed_words(self) -> str:
        worst = ", ".join(
            f"{pair.a} and {pair.b} ({pair.share:.1%})" for pair in self.pairs[:PAIRS]
        )
        return f"Mixed up most by models that did not see them: {worst}." * bool(worst)

    def _typical_words(self) -> str:
        pairs = list(zip(self.classes.tolist(), self.typical.tolist(), strict=True))
        named = ", ".join(f"{name} (row {row})" for name, row in pairs[:SHOWN])
        return f"In the middle of each class: {named}{', …' * (len(pairs) > SHOWN)}."


def _table(records: list[Suspect]) -> tuple[list[str], list[list[str]]]:
    header = ["row", "given", "likely", "chance wrong"]
    rows = [
        [str(one.row), str(one.given), str(one.likely), f"{one.chance_wrong:.2f}"]
        for one in records[:SHOWN]
    ]
    more = len(records) - SHOWN
    if more > 0:
        rows.append(["…", f"and {more:,} more", "", ""])
    return header, rows


def _code_of(classes: NDArray[Any], label: Any, name: str) -> int:
    """Return the number of a class."""
    labels = classes.tolist()
    is_name = isinstance(label, Hashable) and getattr(label, "shape", ()) == ()
    if not (is_name and is_label(label) and label in labels):
        some = ", ".join(repr(one) for one in labels[:8])
        raise InputError(
            f"{name} must be one of the classes ({some}{', …' * (len(labels) > 8)}), "
            f"got {label!r}.",
            owner="parts",
            parameter=name,
        )
    return labels.index(label)
