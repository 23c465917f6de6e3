"""The explanation of one prediction: a record that prints as a small table."""

from dataclasses import dataclass, replace
from html import escape
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.checks import check_X, numbers_in
from labelscape._core.columns import Categories
from labelscape._core.errors import InputError, ParameterError
from labelscape._core.numerics import distance_terms
from labelscape._core.output import html_table, shortened, text_table
from labelscape._core.rows.answers import numpy_copy
from labelscape._core.rows.kinds import as_numpy
from labelscape._core.threads import ignored
from labelscape.prototypes._distances import nearest_of_all, prototype_classes
from labelscape.prototypes.explain._categories import (
    smallest_change_of_columns,
    smallest_change_of_columns_local,
)
from labelscape.prototypes.explain._counterfactual import (
    smallest_change,
    smallest_change_local,
)

# A printed explanation fits on one screen, for any data.
CLASSES_SHOWN = 6
FEATURES_SHOWN = 8


class ExplainedColumn(NamedTuple):
    """A column of the table, and its contribution to a prediction."""

    name: str  # the feature, or the categorical column
    # Its value in the sample; None for an imputed value between categories.
    value: Any
    # Its contribution to the prediction, summed over all of its features.
    contribution: float
    after: Any  # its value after the smallest change; None without one


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why a sample got its class, and which change would lead to another class."""

    x: np.ndarray  # (N,) the sample
    prediction: Any  # its class
    confidence: float  # confidence of the classifier, from 0 to 1
    nearest: dict[Any, int]  # index of the nearest prototype of each class
    # Distance to that prototype for each class, in the units of the classifier.
    distances: dict[Any, float]
    # (N,) Contribution of each feature to the distance from the best foreign prototype
    # minus the distance from the own one: positive where it supports the decision.
    contributions: np.ndarray
    # (N,) The sample after the smallest change that flips the prediction; None if no
    # allowed change does.
    counterfactual: np.ndarray | None
    counterfactual_distance: float  # length of the change; infinite without one
    counterfactual_prediction: Any  # its class after the change
    # Whether no smaller change exists. If False (models with local metrics, or very
    # many categorical columns), a smaller change may exist far from this one.
    exact: bool
    feature_names: Any = None  # names for the printed table
    # Categorical columns, whose features change together.
    categories: tuple[Categories, ...] = ()

    @property
    def columns(self):
        """The columns of the table in its order, as `ExplainedColumn`.

        The contribution of a categorical column is the sum over its features.
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
        """Return the changes without rounding errors; None if there is no change."""
        if self.counterfactual is None:
            return None
        change = self.counterfactual - self.x
        # The step over the border changes unimportant features by rounding errors.
        change[np.abs(change) < 1e-6 * np.abs(change).max()] = 0.0
        return change

    def _number(self, j, change):
        after = None if change is None else float(self.x[j] + change[j])
        value, share = float(self.x[j]), float(self.contributions[j])
        names = self.feature_names
        name = f"feature {j}" if names is None else str(names[j])
        return ExplainedColumn(name, value, share, after)

    def _category(self, column, change):
        share = float(self.contributions[column.features].sum())
        after = None if change is None else _word(column, self.counterfactual)
        return ExplainedColumn(column.name, _word(column, self.x), share, after)

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
        return f"{shortened(self.prediction)}, confidence {self.confidence:.4g}"

    def _class_table(self):
        """Return header, rows and last line of the classes, the predicted one first."""
        order = sorted(
            self.distances, key=lambda c: (c != self.prediction, self.distances[c])
        )
        rows = [
            [shortened(c), f"{self.distances[c]:.4g}", str(self.nearest[c])]
            for c in order[:CLASSES_SHOWN]
        ]
        left = len(order) - len(rows)
        more = f"and {left:,} more, farther away" if left else None
        return ["class", "distance", "prototype"], rows, more

    def _feature_table(self):
        """Return header, rows and last line of the columns that contribute most."""
        columns = self.columns
        shares = np.array([column.contribution for column in columns])
        order = np.argsort(-np.abs(shares), kind="stable")
        first = "column" if self.categories else "feature"
        header = [first, "value", "contribution"]
        rows = [
            [shortened(c.name), _cell(c.value), _signed(c.contribution)]
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
            more = f"and {len(left):,} more, with a total of {rest}"
        return header, rows, more

    def _verdict(self):
        if self.counterfactual is None:
            return (
                "No allowed change flips the decision."
                if self.exact
                else "No allowed change that flips the decision was found."
            )
        smallest = "The smallest" if self.exact else "The locally smallest"
        return (
            f"{smallest} change that flips the decision has length "
            f"{self.counterfactual_distance:.4g} and changes it to "
            f"{shortened(self.counterfactual_prediction)}."
        )


def _word(column, x):
    """Return the category of a sample; None if its values match no category."""
    k = int(column.of(x[None])[0])
    return None if k < 0 else column.words[k]


def _cell(value):
    """Return a value as the table shows it."""
    if value is None:
        return "(imputed)"
    return shortened(value) if isinstance(value, str) else f"{value:.4g}"


def _change_cell(column):
    """Return a change as the table shows it: another category, or a difference."""
    value, after = column.value, column.after
    if isinstance(after, str):
        return "0" if after == value else f"→ {shortened(after)}"
    return "0" if after is None else _signed(after - value)


def _signed(number):
    return "0" if number == 0 else f"{number:+.4g}"


def _text(header, rows, more):
    table = text_table(header, rows)
    return table if more is None else f"{table}\n{more}"


def _html(header, rows, more):
    foot = "" if more is None else f"<p>{escape(more)}</p>"
    return html_table(header, rows) + foot


def explained(model, x, *, categories, feature_names, **wishes):
    """Return the `Explanation` of a prediction; ``wishes`` are limits of the change."""
    row = _one_sample(model, x)
    categories = check_categories(categories, row.shape[1])
    names = _names(model, feature_names, x)
    return explained_rows(model, row, categories, names, **wishes)[0]


def explained_rows(
    model, X, categories=(), feature_names=None, *, target=None, **wishes
):
    """Return the `Explanation` of each row of X (n, N), which has been checked."""
    model = numpy_copy(model)
    metric, owner = model._metric(), prototype_classes(model)
    rows = X.astype(np.float64)
    D = metric.distances(rows)
    # Computed as in `predict`, in the precision of X: at a tie, the last bits matter.
    decided = owner[metric.by_blocks(X, nearest_of_all)]
    confidences = model._confidences(rows)
    wishes["target"] = _class_index(model, target)
    of_class = {int(c): np.flatnonzero(owner == c) for c in np.unique(owner)}
    labels = model.classes_.tolist()
    explanations = []
    for x, d, own, confidence in zip(rows, D, decided, confidences, strict=True):
        nearest = {c: int(P[d[P].argmin()]) for c, P in of_class.items()}
        foreign = [p for c, p in nearest.items() if c != own]
        if not foreign:
            raise InputError(
                f"explain compares classes, but only {labels[own]!r} has prototypes so "
                "far. Train with samples of other classes first.",
                owner=type(model).__name__,
            )
        change, exact = _smallest_change(
            x, metric, owner, categories, own=int(own), **wishes
        )
        after = None
        if change is not None:
            closest = metric.distances(change.point[None, :])[0].argmin()
            after = model.classes_[owner[closest]]
        explanations.append(
            Explanation(
                x=x,
                prediction=model.classes_[own],
                confidence=float(confidence),
                nearest={labels[c]: p for c, p in nearest.items()},
                distances={labels[c]: float(d[p]) for c, p in nearest.items()},
                contributions=_lead_by_feature(
                    metric, x, d, nearest[int(own)], min(foreign, key=d.__getitem__)
                ),
                counterfactual=None if change is None else change.point,
                counterfactual_distance=np.inf if change is None else change.distance,
                counterfactual_prediction=after,
                exact=exact,
                feature_names=feature_names,
                categories=categories,
            )
        )
    return explanations


def _one_sample(model, x):
    """Return one sample as a checked matrix of one row."""
    x = as_numpy(x)
    with numbers_in(x, owner=type(model).__name__, name="x"):
        row = np.asarray(x, dtype=object if isinstance(x, str) else None)
    row = np.atleast_2d(row)
    if len(row) != 1:
        raise InputError(
            "x must be one sample, got an array of shape "
            f"{row.shape}. Explain one row at a time.",
            owner=type(model).__name__,
            parameter="x",
        )
    with ignored(UserWarning):  # a single row has no column names
        return check_X(model, row, reset=False)


def _names(model, given, x):
    """Return the names of the features; None if they are unknown."""
    n_features = model.n_features_in_
    if given is not None:
        if isinstance(given, str) or np.shape(given) != (n_features,):
            wanted = f"{n_features} names, one for each feature"
            raise ParameterError("explain", "feature_names", given, wanted)
        return [str(name) for name in given]
    known = getattr(model, "feature_names_in_", None)
    return _names_of_row(x, n_features) if known is None else known


def _smallest_change(x, metric, owner, categories, **wishes):
    """Return the smallest change that flips the prediction, and whether it is exact."""
    if metric.kind == "precomputed":
        raise InputError(
            "explain needs features, but with metric='precomputed' there are none. "
            "Look at members_, medoids_ and hardest_ instead.",
            owner="PushAndGrow",
        )
    W = metric.prototypes.astype(np.float64)

    def classify(Z):
        return owner[metric.distances(Z).argmin(axis=1)]

    wishes["classify"] = classify
    if metric.kind == "local":
        slopes = _local_slopes(metric.factors, W)
        if categories:
            return smallest_change_of_columns_local(
                x, W, owner, slopes, categories, **wishes
            )
        return smallest_change_local(x, W, owner, slopes, **wishes), False
    wishes["Omega"] = metric.shared
    if categories:
        return smallest_change_of_columns(x, W, owner, categories, **wishes)
    change = smallest_change(x, W, owner, **wishes)
    return change, change is None or change.exact


def _class_index(model, label):
    if label is None:
        return None
    is_list = isinstance(label, list | tuple)
    is_one = not is_list and (np.isscalar(label) or np.ndim(label) == 0)
    matches = np.flatnonzero(model.classes_ == label) if is_one else np.zeros(0)
    if not len(matches):
        raise InputError(
            f"target must be one of the classes {list(model.classes_)}, got {label!r}.",
            owner=type(model).__name__,
            parameter="target",
        )
    return int(matches[0])


def _names_of_row(x, n_features):
    """Return the column names of a row of a data frame; None for other rows."""
    is_row = hasattr(x, "index") and hasattr(x, "to_numpy")
    names = getattr(x, "columns", x.index if is_row else ())
    is_named = len(names) == n_features and all(isinstance(n, str) for n in names)
    return list(names) if is_named else None


def _local_slopes(factors, W):
    """Return a function from a point to its distances and their gradients."""

    def slopes(z):
        images = [factor @ (z - w) for factor, w in zip(factors, W, strict=True)]
        of_each = [2 * f.T @ image for f, image in zip(factors, images, strict=True)]
        return np.array([image @ image for image in images]), np.array(of_each)

    return slopes


def _lead_by_feature(metric, x, D, own, foreign):
    """Return each feature's contribution to d_K - d_J, the difference of distances."""
    of_own, of_foreign = (
        distance_terms(x - metric.prototypes[p], metric.factor(p))
        for p in (own, foreign)
    )
    terms = of_foreign - of_own
    if metric.is_squared:
        return terms
    # Differences of squares become differences of distances:
    # d_K - d_J = (d_K^2 - d_J^2) / (d_K + d_J).
    total = D[[own, foreign]].sum()
    return terms / total if total > 0.0 else np.zeros_like(x)


def check_categories(categories, n_features):
    """Return categorical columns as a tuple, after a check against the features."""
    is_sequence = isinstance(categories, list | tuple)
    if not is_sequence or not all(isinstance(one, Categories) for one in categories):
        wanted = "a list of Categories, such as Table.categories"
        raise ParameterError("explain", "categories", categories, wanted)
    categories = tuple(_checked_column(column, n_features) for column in categories)
    features = np.concatenate([np.empty(0, int), *(c.features for c in categories)])
    uses = np.bincount(features, minlength=n_features)
    if (uses > 1).any():
        raise InputError(
            f"Feature {uses.argmax()} is in two columns of categories, or twice "
            "in one. Give each column once.",
            parameter="categories",
        )
    return categories


def _checked_column(column, n_features):
    """Return a categorical column, after a check of its codes."""
    j, codes = np.asarray(column.features), np.asarray(column.codes)
    fine = (
        j.ndim == 1
        and j.dtype.kind in "iu"
        and codes.dtype.kind in "biuf"
        and codes.shape == (len(column.words), len(j))
        and codes.size > 0
        and np.isfinite(codes).all()
    )
    if not fine:
        raise InputError(
            f"The codes of the column {column.name!r} must be finite numbers, with a "
            "row for each category and a column for each of its features.",
            parameter="categories",
        )
    if not (j.min() >= 0 and j.max() < n_features):
        raise InputError(
            f"The column {column.name!r} uses features {j.min()} to {j.max()}, "
            f"but the model has {n_features} features. Give the categories of the "
            "training table.",
            parameter="categories",
        )
    return replace(column, features=j.astype(np.intp), codes=codes.astype(np.float64))
