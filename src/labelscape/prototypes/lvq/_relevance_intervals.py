"""Confidence intervals of relevances, from refits to rows drawn with replacement."""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import InputError
from labelscape._core.params import arguments, optional, seed, whole
from labelscape._core.rows.any_rows import rows_of
from labelscape._core.rows.kinds import as_numpy, check_in_memory
from labelscape._core.rows.rows import Rows, equal_steps
from labelscape._core.threads import ignored
from labelscape._core.types import Array, Floats, Ints
from labelscape._resampling.chance import LEVEL, unit_weights
from labelscape._resampling.refits import drawn_seed
from labelscape._resampling.units import unit_classes, units_of, units_per_class

OWNER = "relevance_intervals"
N_BOOTSTRAPS = 50
# Intervals use at most this many rows, and bytes, but at least some rows of each class.
MOST_ROWS, MOST_BYTES, FEWEST = 2000, 2**25, 10


class RelevanceIntervals:
    """Adds the method ``relevance_intervals``, with fits to resampled rows."""

    random_state: Any

    @arguments(n_bootstraps=whole(10), random_state=optional(seed()))
    def relevance_intervals(
        self, X, y, groups=None, *, n_bootstraps=N_BOOTSTRAPS, random_state=None
    ) -> Array:
        """Return the 95% interval of each relevance, from fits to resampled rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The training samples; at most about 2,000 of them are used.
        y : array-like of shape (n_samples,)
            Class labels of the samples.
        groups : array-like of shape (n_samples,), optional
            The group of each sample, such as a patient. Samples of a group are drawn
            together. Equal rows are always drawn together.
        n_bootstraps : int, default=50
            Number of fits.
        random_state : int, RandomState instance or None, default=None
            Seed of the draws and fits; by default the seed of the model.

        Returns
        -------
        ndarray of shape (n_features, 2)
            The low and the high end of each interval.

        See Also
        --------
        relevance_report : The intervals as a table, with bounds of each relevance.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from labelscape.prototypes import GMLVQ
        >>> X, y = load_iris(return_X_y=True)
        >>> model = GMLVQ(random_state=0).fit(X, y)
        >>> low, high = model.relevance_intervals(X, y, n_bootstraps=10).T
        >>> bool((low <= model.relevances_).all() and (model.relevances_ <= high).all())
        True
        """
        rows = training_rows(self, X, y, owner=OWNER)
        units = row_units(rows, groups, OWNER)
        which, factors = some_rows(rows)
        weights = rows.weights * factors[rows.codes]
        rows = replace(rows, weights=weights).chosen(which)
        rng = check_random_state(
            self.random_state if random_state is None else random_state
        )
        return relevance_intervals(
            self, rows, units[which], rng, n_bootstraps=n_bootstraps, owner=OWNER
        )


def training_rows(model: Any, X: Any, y: Any, *, owner: str) -> Rows:
    """Check X and y, and return them as rows in memory, as in the fit of the model."""
    check_is_fitted(model)
    check_in_memory(X, owner=owner, name="X")
    X = as_numpy(X)
    model._check_new(X)
    weighted = None if model.class_weight is None else model._class_factors
    rows = rows_of(
        clone(model),
        X,
        as_numpy(y),
        class_factors=weighted,
        allow_nan=model.missing == "ignore",
        accept_sparse=True,
    )
    if not np.array_equal(rows.labels, as_numpy(model.classes_)):
        raise InputError(
            f"y must have the classes of the model, {model.classes_.tolist()}, got "
            f"{rows.labels.tolist()}.",
            owner=owner,
            parameter="y",
        )
    nuisance = getattr(model, "nuisance_", None)
    if nuisance is None or not len(nuisance.directions):
        return rows
    return replace(rows, X=nuisance.remove(rows.X).astype(rows.dtype))


def some_rows(rows: Rows) -> tuple[Ints, Floats]:
    """Return all rows or some of each class, and the factor of each class's weights."""
    share = min(MOST_ROWS, MOST_BYTES // (8 * rows.shape[1])) / len(rows)
    chosen, factors = [], np.ones(len(rows.labels))
    for c in range(len(rows.labels)):
        members = np.flatnonzero(rows.codes == c)
        kept = equal_steps(len(members), max(FEWEST, int(share * len(members))))
        chosen.append(members[kept])
        factors[c] = len(members) / len(kept)
    return np.sort(np.concatenate(chosen)), factors


def relevance_intervals(
    model: Any,
    rows: Rows,
    units: Ints,
    rng: np.random.RandomState,
    *,
    n_bootstraps: int,
    owner: str,
) -> Floats:
    """Return the 95% interval (low, high) of each relevance of a model, (d, 2).

    The ends are quantiles of relevances in models fitted to resampled units. The
    ends are moved outward by the distance from the mean of the refits to the model's
    relevance, an estimate of bias. The interval includes the model's own relevance.
    """
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
