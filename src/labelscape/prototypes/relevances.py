"""Relevances of features: their intervals and bounds, and the kind of each feature."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.errors import InputTypeError
from labelscape._core.output import Printed, data_frame, shortened
from labelscape._core.params import arguments, seed, whole
from labelscape._core.rows.kinds import as_numpy
from labelscape._core.rows.rows import Rows, equal_steps
from labelscape._core.types import Bools, Ints
from labelscape._resampling.chance import Interval
from labelscape._resampling.units import named_features, unit_classes
from labelscape.prototypes._distances import prototype_classes
from labelscape.prototypes._relevance_bounds import (
    NEEDED,
    Bounds,
    relevance_bounds,
    unlike_classes,
)
from labelscape.prototypes.lvq._relevance_intervals import (
    N_BOOTSTRAPS,
    RelevanceIntervals,
    relevance_intervals,
    row_units,
    training_rows,
)

OWNER = "relevance_report"
# Linear programs use at most this many units, and this many features.
MOST_UNITS, MOST_FEATURES = 300, 40
SHOWN = 25
KIND_WORDS = {
    "needed": "classes are separated less well without it",
    "replaceable": "other features can replace it",
    "chance": "no better than shuffled values",
    "untested": "not among the most relevant features",
}

Kind = Literal["needed", "replaceable", "chance", "untested"]


@dataclass(frozen=True)
class FeatureRelevance:
    """The relevance of one feature.

    Attributes
    ----------
    name : str
        The feature.
    relevance : float
        Relevance of the feature in the model.
    interval : Interval
        The 95% interval of the relevance, with the ends ``low`` and ``high``.
    lower, upper : float
        Bounds of its relative weight in linear rules that separate the classes about as
        well as the best rule; NaN if not tested.
    kind : {"needed", "replaceable", "chance", "untested"}
        "needed": the classes are separated less well without it. "replaceable": other
        features can replace it. "chance": ``upper`` is as low as for shuffled
        features, and the class means of the feature do not differ. "untested": not
        among the 40 most relevant features.
    """

    name: str
    relevance: float
    interval: Interval
    lower: float
    upper: float
    kind: Kind


@dataclass(frozen=True, repr=False)
class RelevanceReport(Printed):
    """Relevances of a model with intervals, bounds and the kind of each feature.

    Attributes
    ----------
    features : tuple of FeatureRelevance
        One record per feature, in the order of the table.
    n_units : int
        Number of independent rows or groups.
    """

    features: tuple[FeatureRelevance, ...]
    n_units: int

    def to_frame(self) -> Any:
        """Return the records as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            With columns ``name``, ``relevance``, ``low``, ``high`` (the interval),
            ``lower``, ``upper`` (the bounds) and ``kind``.
        """
        rows = []
        for feature in self.features:
            row = asdict(feature)
            low, high = row.pop("interval")
            rows.append(row | {"low": low, "high": high})
        names = ["name", "relevance", "low", "high", "lower", "upper", "kind"]
        return data_frame(rows, columns=names)

    def _parts_shown(self) -> list[Any]:
        header = ["feature", "relevance", "95% interval", "bounds", "kind"]
        order = sorted(self.features, key=lambda feature: -feature.relevance)
        rows = [
            [
                shortened(one.name),
                f"{one.relevance:.3f}",
                f"{one.interval.low:.3f} to {one.interval.high:.3f}",
                "" if one.kind == "untested" else f"{one.lower:.2f} to {one.upper:.2f}",
                one.kind,
            ]
            for one in order[:SHOWN]
        ]
        parts: list[Any] = [(header, rows, (0, 4))]
        if len(order) > SHOWN:
            parts.append(f"{len(order) - SHOWN} less relevant features are not shown.")
        kinds = {row[-1] for row in rows}
        return parts + [f"{k}: {KIND_WORDS[k]}." for k in KIND_WORDS if k in kinds]


@arguments(n_bootstraps=whole(10), random_state=seed())
def relevance_report(
    model: Any,
    X: Any,
    y: Any,
    groups: Any = None,
    *,
    n_bootstraps: int = N_BOOTSTRAPS,
    random_state: Any = None,
) -> RelevanceReport:
    r"""Test how certain relevances are, and which features can replace each other.

    Parameters
    ----------
    model : GRLVQ, GMLVQ, LiRaMLVQ or LocalLiRaMLVQ
        A fitted model.
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The training samples.
    y : array-like of shape (n_samples,)
        Class labels of the samples.
    groups : array-like of shape (n_samples,), optional
        The group of each sample, such as a patient. Samples of a group are drawn
        together. Equal rows are always drawn together.
    n_bootstraps : int, default=50
        Number of fits to resampled rows.
    random_state : int, RandomState instance or None, default=None
        Seed of resampling and of shuffled features.

    Returns
    -------
    RelevanceReport
        A report that is printed as a table and has a method ``to_frame()``.

    Notes
    -----
    The model is fitted again, with its usual initialization, to groups drawn with
    replacement. The ends of an interval are the 2.5% and 97.5% quantiles, moved outward
    by the difference between the mean of these fits and the model's relevance. The
    interval always includes the model's relevance.

    The bounds do not depend on the metric of the model, only on its prototypes: they
    are the smallest and the largest value of :math:`|v_j| / |v|_1` in linear rules that
    separate the rows of a prototype from rows of other classes about as well as the
    best rule. If a feature is a copy of another, or a mixture of others, its lower
    bound is 0 and its upper bound is large. Linear programs use at most 300 groups and
    40 features.

    References
    ----------
    Göpfert, Pfannschmidt, Göpfert, Hammer: Interpretation of linear classifiers by
    means of feature relevance bounds. Neurocomputing 298 (2018).

    Frénay, Hofmann, Schulz, Biehl, Hammer: Valid interpretation of feature relevance
    for linear data mappings. IEEE CIDM (2014).

    Schulz, Mokbel, Biehl, Hammer: Inferring feature relevances from metric learning.
    IEEE SSCI (2015).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.prototypes import GMLVQ, relevance_report
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GMLVQ(random_state=0).fit(X, y)
    >>> report = relevance_report(model, X, y, n_bootstraps=10, random_state=0)
    >>> petal_width = report.features[3]
    >>> petal_width.interval.low <= petal_width.relevance <= petal_width.interval.high
    True
    """
    if not issubclass(type(model), RelevanceIntervals):
        words = f"{type(model).__name__} has no relevances of features. Use GRLVQ, "
        words += "GMLVQ or LiRaMLVQ."
        raise InputTypeError(words, owner=OWNER, parameter="model")
    rows = training_rows(model, X, y, owner=OWNER)
    rng = check_random_state(random_state)
    units = row_units(rows, groups, OWNER)
    intervals = relevance_intervals(
        model, rows, units, rng, n_bootstraps=n_bootstraps, owner=OWNER
    )
    relevances = as_numpy(model.relevances_).astype(np.float64)
    tested = np.sort(np.argsort(-intervals[:, 1], kind="stable")[:MOST_FEATURES])
    lower, upper = np.full((2, len(relevances)), np.nan)
    bounds, unlike = _bounds(model, rows, units, tested, rng)
    lower[tested], upper[tested] = bounds.lower, bounds.upper
    kinds = np.where(upper > bounds.chance, "replaceable", "chance")
    kinds[tested[unlike]] = "replaceable"
    kinds[lower > NEEDED] = "needed"
    kinds[np.isnan(upper)] = "untested"
    names = getattr(model, "feature_names_in_", None)
    columns = zip(
        named_features(X, names, len(relevances)),
        relevances.tolist(),
        [Interval(*ends) for ends in intervals.tolist()],
        lower.tolist(),
        upper.tolist(),
        kinds.tolist(),
        strict=True,
    )
    features = tuple(FeatureRelevance(*column) for column in columns)
    return RelevanceReport(features, int(units.max()) + 1)


def _bounds(
    model: Any, rows: Rows, units: Ints, tested: Ints, rng: np.random.RandomState
) -> tuple[Bounds, Bools]:
    """Return the bounds of tested features, and a mask of unequal class means."""
    # Use at most MOST_UNITS units.
    by_class = np.argsort(unit_classes(rows.codes, units), kind="stable")
    chosen = by_class[equal_steps(len(by_class), MOST_UNITS)]
    some = rows.chosen(np.isin(units, chosen))
    X = np.asarray(some.block(slice(None)), dtype=np.float64)
    owner = prototype_classes(model)
    distances = model.metric_.by_blocks(X, np.asarray).astype(np.float64)
    distances[owner != some.codes[:, None]] = np.inf
    nearest = distances.argmin(axis=1)
    sides = [
        (nearest == k, some.codes != c) for k, c in enumerate(owner) if k in nearest
    ]
    if len(owner) == 2:  # the second problem is the same as the first one
        sides = sides[:1]
    X, units = X[:, tested], units[np.isin(units, chosen)]
    bounds = relevance_bounds(X, sides, units, rng)
    return bounds, unlike_classes(X, some.codes, units)
