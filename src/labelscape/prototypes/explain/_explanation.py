"""The explanation of one decision: a record that prints as a small table."""

from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.columns.categories import Categories
from labelscape._core.tables import html_table, text_table

# A printed explanation fits on one screen, whatever the data.
CLASSES_SHOWN = 6
FEATURES_SHOWN = 8
LONGEST_NAME = 24


def distance_terms(v, Omega=None):
    r"""Return what each feature adds to the squared distance :math:`|\Omega v|^2`.

    The terms are :math:`v_j (\Lambda v)_j` with :math:`\Lambda = \Omega^T \Omega`
    (prototype_views B). Where features work together a term may be negative.

    Shapes: v (N,), Omega (M, N).
    """
    if Omega is None:
        return v * v
    if np.ndim(Omega) == 1:
        return (Omega * v) ** 2
    return v * ((Omega @ v) @ Omega)


def contributions(v_own, v_foreign, Omega=None, Omega_foreign=None):
    """Return what each feature adds to the lead of the own prototype, d_K - d_J.

    Shapes: v_own, v_foreign (N,), Omega (M, N).
    """
    Omega_foreign = Omega if Omega_foreign is None else Omega_foreign
    return distance_terms(v_foreign, Omega_foreign) - distance_terms(v_own, Omega)


class Column(NamedTuple):
    """A column of the table, and its part in a decision."""

    # The feature, or the column of categories.
    name: str
    # What the object has there; None for an imputed value between categories.
    value: Any
    # What it adds to the lead of the decision, all of its features together.
    contribution: float
    # What it has after the smallest change; None where there is no change.
    after: Any


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why an object got its class, and what would have to change for another one."""

    # (N,) The object.
    x: np.ndarray
    # Its class.
    prediction: Any
    # How sure the classifier is, from 0 to 1.
    confidence: float
    # Class to index of its nearest prototype.
    nearest: dict[Any, int]
    # Class to distance from that prototype, as the classifier measures it.
    distances: dict[Any, float]
    # (N,) What each feature adds to the difference between the distances to the best
    # foreign and to the own prototype: positive where it speaks for the decision.
    contributions: np.ndarray
    # (N,) The object after the smallest change that flips the decision; None if no
    # allowed change does.
    counterfactual: np.ndarray | None
    # Length of that change; infinite if there is none.
    counterfactual_distance: float
    # Its class after the change.
    counterfactual_prediction: Any
    # Whether no smaller change exists. Otherwise (models with local metrics, very many
    # columns of categories) it is only known that none is near the one found.
    exact: bool
    # Names for the printed table.
    feature_names: Any = None
    # Columns of categories, which change as a whole.
    categories: tuple[Categories, ...] = ()

    @property
    def columns(self):
        """The columns of the table in its order, each with its part in the decision.

        A `Column` has ``name``, ``value``, ``contribution`` and ``after``; a column of
        categories is one, with the contributions of its features summed.
        """
        change = self._change()
        column_of = {int(c.features[0]): c for c in self.categories}
        inside = {int(j) for c in self.categories for j in c.features}
        return tuple(
            self._category(column_of[j], change)
            if j in column_of
            else self._number(j, change)
            for j in range(len(self.x))
            if j in column_of or j not in inside
        )

    def _change(self):
        """Return what changes, without crumbs; None if no change was found."""
        if self.counterfactual is None:
            return None
        change = self.counterfactual - self.x
        # The step over the border leaves crumbs in features that hardly count.
        change[np.abs(change) < 1e-6 * np.abs(change).max()] = 0.0
        return change

    def _number(self, j, change):
        after = None if change is None else float(self.x[j] + change[j])
        value, share = float(self.x[j]), float(self.contributions[j])
        return Column(self._feature(j), value, share, after)

    def _category(self, column, change):
        share = float(self.contributions[column.features].sum())
        after = None if change is None else _word(column, self.counterfactual)
        return Column(column.name, _word(column, self.x), share, after)

    def __str__(self):
        return "\n\n".join(
            [
                self._headline(),
                _text(*self._class_table()),
                _text(*self._feature_table()),
                self._verdict(),
            ]
        )

    __repr__ = __str__

    def _repr_html_(self):
        return (
            f"<div><p><strong>{escape(self._headline())}</strong></p>"
            f"{_html(*self._class_table())}{_html(*self._feature_table())}"
            f"<p>{escape(self._verdict())}</p></div>"
        )

    def _headline(self):
        return f"{_name(self.prediction)}, confidence {self.confidence:.4g}"

    def _class_table(self):
        """Return header, rows and a last line: the nearest classes, own class first."""
        order = sorted(
            self.distances, key=lambda c: (c != self.prediction, self.distances[c])
        )
        rows = [
            [_name(c), f"{self.distances[c]:.4g}", str(self.nearest[c])]
            for c in order[:CLASSES_SHOWN]
        ]
        left = len(order) - len(rows)
        more = f"and {left:,} more, farther away" if left else None
        return ["class", "distance", "prototype"], rows, more

    def _feature_table(self):
        """Return header, rows and a last line: the columns that count most."""
        columns = self.columns
        shares = np.array([column.contribution for column in columns])
        order = np.argsort(-np.abs(shares), kind="stable")
        first = "column" if self.categories else "feature"
        header = [first, "value", "contribution"]
        rows = [
            [_name(c.name), _cell(c.value), _signed(c.contribution)]
            for c in (columns[i] for i in order[:FEATURES_SHOWN])
        ]
        if self.counterfactual is not None:
            header.append("change")
            for row, i in zip(rows, order, strict=False):
                row.append(_change_cell(columns[i]))
        left = order[FEATURES_SHOWN:]
        more = None
        if len(left):
            rest = _signed(shares[left].sum())
            more = f"and {len(left):,} more, contributing {rest} together"
        return header, rows, more

    def _feature(self, j):
        names = self.feature_names
        return f"feature {j}" if names is None else str(names[j])

    def _verdict(self):
        if self.counterfactual is None:
            return (
                "No allowed change flips the decision."
                if self.exact
                else "No allowed change that flips the decision was found."
            )
        smallest = "The smallest" if self.exact else "The locally smallest"
        return (
            f"{smallest} change that flips the decision, of length "
            f"{self.counterfactual_distance:.4g}, makes it "
            f"{_name(self.counterfactual_prediction)}."
        )


def _name(label):
    """Return a label on one line, shortened in its middle: ends tell names apart."""
    name = " ".join(str(label).split())
    half = (LONGEST_NAME - 1) // 2
    return name if len(name) <= LONGEST_NAME else f"{name[:half]}…{name[-half:]}"


def _word(column, x):
    """Return the category of an object, None for one between them."""
    k = int(column.of(x[None])[0])
    return None if k < 0 else column.words[k]


def _cell(value):
    """Return what a column holds, as a table shows it."""
    if value is None:
        return "(imputed)"
    return _name(value) if isinstance(value, str) else f"{value:.4g}"


def _change_cell(column):
    """Return what a change makes of a column: another category, or so much more."""
    value, after = column.value, column.after
    if isinstance(after, str):
        return "0" if after == value else f"→ {_name(after)}"
    return "0" if after is None else _signed(after - value)


def _signed(number):
    return "0" if number == 0 else f"{number:+.4g}"


def _text(header, rows, more):
    table = text_table(header, rows)
    return table if more is None else f"{table}\n{more}"


def _html(header, rows, more):
    foot = "" if more is None else f"<p>{escape(more)}</p>"
    return html_table(header, rows) + foot
