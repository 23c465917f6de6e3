"""Confidence intervals of relevances, from refits to rows drawn with replacement."""

from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import InputError
from labelscape._core.learned import Learned, numbers, optional
from labelscape._core.rows.rows import Rows, as_numpy
from labelscape._core.threads import ignored
from labelscape._core.types import Array, Floats, Ints
from labelscape._resampling.chance import LEVEL, unit_weights
from labelscape._resampling.refits import drawn_seed
from labelscape._resampling.units import unit_classes, units_of, units_per_class

INTERVALS = "relevance_intervals_"
N_BOOTSTRAPS = 50


class RelevanceIntervals:
    """Adds ``relevance_intervals_``, computed on first access.

    A fit stores rows for this. Copies, pickles and files do not contain these rows.
    """

    _keeps_rows: ClassVar = True
    _rebuilt: ClassVar = ("_some_rows",)
    _learned: ClassVar[Learned] = {
        "_relevance_intervals": optional(numbers("features", 2, low=0.0, high=1.0))
    }

    @property
    def relevance_intervals_(self):
        """The 95% interval (low, high) of each relevance, (n_features, 2)."""
        check_is_fitted(self)
        if "_relevance_intervals" not in vars(self):
            if "_some_rows" not in vars(self):
                name = type(self).__name__
                raise AttributeError(
                    f"{name} has no relevance_intervals_, which need training rows: "
                    "copies, files, reduced models and fits to streams, chunks or "
                    "tensors do not store rows. Access the attribute before you copy "
                    "or save the model, or call relevance_report(model, X, y)."
                )
            rng = check_random_state(self.random_state)
            try:
                intervals = relevance_intervals(self, self._some_rows, rng)
            except InputError as error:  # as for an attribute that does not exist
                raise AttributeError(str(error)) from error
            self._relevance_intervals = intervals
        return self._relevance_intervals

    def __dir__(self):
        # Notebooks show the values of all attributes in this list, so displaying a
        # model would compute the intervals.
        hidden = set() if "_relevance_intervals" in vars(self) else {INTERVALS}
        names = object.__dir__(self)
        return [k for k in names if k not in hidden and hasattr(self, k)]

    def __getstate__(self):
        state = super().__getstate__()
        return {k: v for k, v in state.items() if k not in self._rebuilt}


def relevance_intervals(
    model: Any,
    rows: Rows,
    rng: np.random.RandomState,
    *,
    groups: Any = None,
    n_bootstraps: int = N_BOOTSTRAPS,
    owner: str = INTERVALS,
) -> Floats:
    """Return the 95% interval (low, high) of each relevance of a model, (d, 2).

    The ends are quantiles of relevances in models fitted to resampled units. The
    ends are moved outward by the distance from the mean of the refits to the model's
    relevance, an estimate of bias. The interval includes the model's own relevance.
    """
    units = row_units(rows, groups, owner)
    drawn = bootstrapped(model, rows, units, n_bootstraps, rng, owner)
    own = as_numpy(model.relevances_).astype(np.float64)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    bias = np.abs(drawn.mean(axis=0) - own)
    low, high = np.minimum(low - bias, own), np.maximum(high + bias, own)
    return np.clip(np.column_stack([low, high]), 0.0, 1.0)


def row_units(rows: Rows, groups: Any, owner: str) -> Ints:
    """Return the unit of each row: rows of a group and equal rows stay together."""
    X = np.asarray(rows.block(slice(None)), dtype=np.float64)
    if (missing := np.isnan(X)).any():
        X = np.column_stack([np.where(missing, 0.0, X), missing[:, missing.any(0)]])
    return units_of(X, groups, codes=rows.codes, owner=owner).of_row


def bootstrapped(
    model: Any,
    rows: Rows,
    units: Ints,
    n_bootstraps: int,
    rng: np.random.RandomState,
    owner: str,
) -> Array:
    """Return relevances of models fitted to units drawn with replacement."""
    n_classes = len(rows.labels)
    counts = units_per_class(rows.codes, units, n_classes)
    if counts.min() < 2:
        label = rows.labels.tolist()[int(counts.argmin())]
        raise InputError(
            f"an interval needs at least 2 independent rows of each class; class "
            f"{label!r} has {counts.min()}.",
            owner=owner,
        )
    times = unit_weights(unit_classes(rows.codes, units), n_bootstraps, rng)
    drawn = []
    for repeats in times[:, units].astype(np.intp):
        which = np.repeat(np.arange(len(rows)), repeats)
        seed = drawn_seed(rng)
        if len(np.unique(rows.codes[which])) < n_classes:
            continue  # classes that share units may be missing in a draw
        refit = clone(model).set_params(
            random_state=seed,
            warm_start=False,
            verbose=False,
            callback=None,
            class_weight=None,  # the weights of rows include it
        )
        with ignored(Warning):  # the model itself raised the warning
            labels = rows.labels[rows.codes[which]]
            refit.fit(rows.X[which], labels, sample_weight=rows.weights[which])
        drawn.append(refit.relevances_)
    if not drawn:
        words = "no random sample of groups has all classes, so there is no interval."
        raise InputError(words, owner=owner)
    return np.array(drawn, dtype=np.float64)
