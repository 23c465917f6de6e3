"""CrossFit: class probabilities from models fitted to other samples."""

import copy
from dataclasses import replace
from typing import ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import ConstantFeatures, check_X
from labelscape._core.columns import is_wide, n_selected, selected_features
from labelscape._core.errors import InputTypeError
from labelscape._core.estimator import reports_to_callbacks
from labelscape._core.labels import check_labels
from labelscape._core.learned import (
    Attribute,
    Learned,
    classes,
    indices,
    numbers,
    optional,
    part,
    whole_numbers,
)
from labelscape._core.numerics import as_numbers, checked_probabilities
from labelscape._core.params import (
    COMMON,
    Rule,
    check_params,
    either,
    one_of,
    several,
    whole,
)
from labelscape._core.rows.any_rows import rows_of
from labelscape._core.rows.chunks import gathered_column
from labelscape._core.rows.kinds import check_in_memory, is_chunked
from labelscape._core.rows.rows import Rows
from labelscape._core.threads import ignored, map_blocks
from labelscape._core.types import Array
from labelscape._resampling.refits import seeded_clone
from labelscape._resampling.trial import dealt_folds
from labelscape._resampling.units import row_hashes, units_of
from labelscape.crossfit.random_features import (
    ProbabilityClassifier,
    RandomFeatureClassifier,
)
from labelscape.prototypes import GMLVQ
from labelscape.prototypes._internal import are_samples

# The ensemble of "auto". Prototypes find the few relevant directions among many, and
# random features can follow borders of any shape. The ensemble of both is better than
# either model, and than ensembles with neighbors, trees or logistic regression
# (docs/cross_fitting.md).
PROTOTYPES, RANK, STEPS = 4, 20, 80
LEAST_CHANCE = 1e-3  # the loss replaces lower probabilities of the true class by this
MORE_STEPS = 10  # iterations for prototypes whose last fit had nearly the same labels


def _is_classifier(value):
    able = hasattr(value, "fit") and hasattr(value, "predict_proba")
    return able and not isinstance(value, type)


CLASSIFIER = Rule("a classifier with fit and predict_proba", _is_classifier)
SEVERAL = several("classifiers", CLASSIFIER)
ENSEMBLE = either(
    one_of("auto"),
    CLASSIFIER,
    Rule(SEVERAL.wanted, lambda value: SEVERAL.holds(value) and len(value) > 0),
)


def _check_models(name, value, fit):
    if type(value) is not list or not value:
        fit.refuse(name, "a list of models for each fold", value)
    columns = fit.model._columns
    if columns is not None:
        fit = replace(fit, sizes=fit.sizes | {"features": np.shape(columns)[-1]})
    for i, members in enumerate(value):
        if type(members) is not list or not members:
            fit.refuse(f"{name}[{i}]", "a list of models", members)
        for member in members:
            part("predict_proba").check(f"{name}[{i}]", member, fit)
            if not _answers_of(member, fit.sizes["classes"]):
                wanted = "models whose classes are indices of classes_"
                fit.refuse(f"{name}[{i}]", wanted, member)


def _answers_of(member, n_classes):
    known = getattr(member, "classes_", None)
    if not (isinstance(known, np.ndarray) and known.dtype.kind in "iu" and known.size):
        return False
    return 0 <= known.min() <= known.max() < n_classes


def _check_folds(name, value, fit):
    whole_numbers("samples").check(name, value, fit)
    n_folds = len(fit.model.models_)
    if value.max() >= n_folds:
        fit.refuse(name, f"numbers of {n_folds} folds", value)


def _check_columns(name, value, fit):
    n_folds = len(fit.model.models_)
    indices(n_folds, "selected", of="features").check(name, value, fit)


class CrossFit(ProbabilityClassifier):
    """Class probabilities of each sample from models fitted without that sample.

    The samples are split into folds. The samples of each fold are predicted by models
    fitted to the other folds, and new samples by the mean of all models. So no label
    influences the prediction of its own sample.

    Parameters
    ----------
    estimator : "auto", classifier or list of classifiers, default="auto"
        Unfitted classifiers, whose probabilities are averaged. "auto" averages a
        prototype model (:class:`~labelscape.prototypes.GMLVQ`) and a smooth kernel
        model (:class:`RandomFeatureClassifier`).
    n_folds : int, default=5
        Number of folds; fewer if there are fewer independent samples or groups.
    random_state : int, RandomState or None, default=None
        Seed of the folds, and of classifiers without a seed.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    fold_ : ndarray of shape (n_samples,)
        The fold of each sample; ``models_[fold]`` were fitted without it.
    models_ : list of lists
        The fitted classifiers of each fold.
    probabilities_ : ndarray of shape (n_samples, n_classes)
        Probabilities of each sample from the models fitted without it. Model files do
        not contain these probabilities: call ``out_of_fold_proba(X)`` after loading.
    columns_ : ndarray of shape (n_folds, n_selected)
        The features that the models of each fold use, selected on its training samples.
        Only for "auto" with over 500 features, and more features than samples.
    n_features_in_ : int
        Number of features in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features in ``fit``, if X had names of columns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.crossfit import CrossFit
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CrossFit(random_state=0).fit(X, y)
    >>> bool((model.classes_[model.probabilities_.argmax(axis=1)] == y).mean() > 0.9)
    True
    """

    _training_data = ("probabilities_",)
    _rules: ClassVar = COMMON | {"estimator": ENSEMBLE, "n_folds": whole(2)}
    _learned: ClassVar[Learned] = {
        "classes_": classes(),
        "models_": Attribute(_check_models),
        "fold_": Attribute(_check_folds),
        "probabilities_": numbers("samples", "classes", low=0, high=1),
        "columns_": optional(Attribute(_check_columns)),
    }

    def __init__(self, estimator="auto", n_folds=5, *, random_state=None) -> None:
        self.estimator = estimator
        self.n_folds = n_folds
        self.random_state = random_state

    @reports_to_callbacks
    def fit(self, X, y, groups=None) -> Self:
        """Fit the models of all folds.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Their class labels.
        groups : array-like of shape (n_samples,), default=None
            Group of each sample, such as a patient. Samples of a group are held out
            together, and so are copies of a sample.

        Returns
        -------
        self : CrossFit
            The fitted models.
        """
        check_params(self)
        owner = type(self).__name__
        if is_chunked(X) and not isinstance(self.estimator, str):
            for member in self._members(None):
                if not getattr(member, "_takes_chunks", False):
                    raise InputTypeError(  # a fit would load all chunks
                        f"{type(member).__name__} cannot learn from chunks. Use "
                        "models of labelscape.prototypes or "
                        "RandomFeatureClassifier, or pass a part of X with "
                        ".compute().",
                        owner=owner,
                        parameter="estimator",
                    )
        rows = rows_of(self, X, y, min_samples=2)
        self.classes_ = rows.labels
        random_state = check_random_state(self.random_state)
        units = self._units(rows, groups)
        self.fold_ = dealt_folds(
            rows.codes, units, self.n_folds, random_state, owner=owner
        )
        self._check_folds(rows.codes)
        seed = random_state.randint(2**31 - 1)
        folds = range(self.fold_.max() + 1)
        self.__dict__.pop("columns_", None)  # from an earlier fit
        is_wide_table = not rows.is_chunked and is_wide(*rows.shape)
        if isinstance(self.estimator, str) and is_wide_table:
            count = n_selected(len(self.classes_))
            seen = (rows.subset(self.fold_ != k) for k in folds)
            self.columns_ = np.array([selected_features(*part, count) for part in seen])
        self._learn(rows, lambda k: self._fitted(rows, k, seed), folds)
        return self

    def _units(self, rows, groups):
        """Return the unit of each row: copies and groups are held out together."""
        owner = type(self).__name__
        if not rows.is_chunked:
            return units_of(rows.X, groups, codes=rows.codes, owner=owner).of_row
        # Copies are detected by a hash of each sample.
        hashes = np.concatenate(rows.each(_hashed, *rows.ranges))
        groups = gathered_column(groups, owner=owner, name="groups")
        return units_of(rows.codes, groups, owner=owner, hashes=hashes).of_row

    @property
    def _columns(self):
        return getattr(self, "columns_", None)

    def _seen(self, rows, k, classes=None):
        """Return samples and codes of all other folds, restricted to some classes."""
        mask = self.fold_ != k
        if classes is not None:
            mask &= np.isin(rows.codes, classes)
        X, codes = rows.subset(mask)
        return (X if self._columns is None else X[:, self._columns[k]]), codes

    def refit(self, X, y) -> Self:
        """Fit again to changed labels of the same samples, starting from the last fit.

        The folds stay the same. Prototypes continue from their last positions for 10
        iterations, and random features keep their width. Other models are fitted again.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples of the last fit, in the same order.
        y : array-like of shape (n_samples,)
            Labels of the samples, all from the classes of the last fit.

        Returns
        -------
        self : CrossFit
            The fitted models.
        """
        check_is_fitted(self)
        X = self._fitted_samples("refit", X, "fit")
        classes, codes = check_labels(y, len(X), owner=type(self).__name__)
        if not np.array_equal(classes, self.classes_):
            raise self._error(
                f"refit needs labels of the {len(self.classes_)} classes of the last "
                "fit, with every class at least once. For other classes, call fit.",
                "y",
            )
        self._check_folds(codes)
        rows = Rows(X, classes, codes, np.ones(len(X)))
        self._learn(rows, lambda k: self._refitted(rows, k), range(len(self.models_)))
        return self

    def _keeping_better(self, X, y):
        """Keep all classifiers, or only one if its held-out loss is lower."""
        codes = np.searchsorted(self.classes_, np.asarray(y).ravel())
        weights = 1.0 / np.bincount(codes)[codes]  # all classes have the same weight
        tried = [self]
        for alone in zip(*self.models_, strict=True):
            tried.append(copy.copy(self))
            tried[-1].models_ = [[model] for model in alone]
            tried[-1].probabilities_ = _out_of_fold(X, self.fold_, tried[-1])

        def loss(one):
            right = one.probabilities_[np.arange(len(codes)), codes]
            return -weights @ np.log(np.maximum(right, LEAST_CHANCE))

        return min(tried, key=loss)

    def _learn(self, rows, fitted, folds):
        """Store the models that a function returns for each fold, and predictions."""

        def models_of(k):
            return [self._without_samples(model, rows, k) for model in fitted(k)]

        # Features constant in some of the samples may vary in others.
        with ignored(ConstantFeatures):
            self.models_ = _applied(models_of, folds, rows)
        parts = rows.each(_out_of_fold, self, along=(self.fold_,))
        self.probabilities_ = np.concatenate(parts)

    def _probabilities(self, X):
        """Return the class probabilities of new samples, as a mean over all folds."""
        return np.mean([self._by_fold(k, X) for k in range(len(self.models_))], axis=0)

    def out_of_fold_proba(self, X) -> Array:
        """Return the held-out class probabilities of the fitted samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples of the last fit, in the same order.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            The values of ``probabilities_``.
        """
        X = self._fitted_samples("out_of_fold_proba", X, "predict_proba")
        return _out_of_fold(X, self.fold_, self)

    def _fitted_samples(self, method, X, instead):
        """Return X if it has one row for each sample of the fit."""
        check_in_memory(X, owner=type(self).__name__, name="X")
        X = check_X(self, X, reset=False)
        if len(X) != len(self.fold_):
            raise self._error(
                f"{method} takes the {len(self.fold_)} samples of the fit, got "
                f"{len(X)}. Use {instead} for new samples.",
                "X",
            )
        return X

    def _check_folds(self, codes):
        """Raise an error if leaving out a fold leaves fewer than two classes."""
        for k in range(self.fold_.max() + 1):
            if len(np.unique(codes[self.fold_ != k])) < 2:
                raise self._error(
                    "cross-fitting needs two classes with at least two independent "
                    "samples each. Equal samples, or samples of a group, count as one.",
                    "y",
                )

    def _fitted(self, rows, k, seed):
        """Return the models of a fold, fitted to all other folds."""
        members, seen = self._members(rows.codes[self.fold_ != k]), self._seen(rows, k)
        return _applied(lambda one: seeded_clone(one, seed).fit(*seen), members, rows)

    def _refitted(self, rows, k):
        """Return models of a fold, fitted again to changed labels of other folds."""
        X, codes = self._seen(rows, k)
        kinds = [type(model) for model in self.models_[k]]  # "auto" may choose one
        members = [one for one in self._members(codes) if type(one) in kinds]
        pairs = zip(self.models_[k], members, strict=True)
        return [_moved_on(model, member, X, codes) for model, member in pairs]

    def _without_samples(self, model, rows, k):
        """Return a copy of an "auto" model without prototypes that are samples."""
        if not (isinstance(self.estimator, str) and isinstance(model, GMLVQ)):
            return model
        counts = dict(model.prototypes_per_class)  # type: ignore[arg-type]
        while (held := are_samples(model)).any():
            for c in np.unique(model.prototype_labels_[held]).tolist():
                counts[c] = min(counts[c] - 1, 1)
            counts = {c: n for c, n in counts.items() if n}
            if len(counts) < 2:
                break  # too few classes would remain; `save` warns about the samples
            model = clone(model).set_params(prototypes_per_class=counts)
            model.fit(*self._seen(rows, k, list(counts)))
        return model

    def _members(self, codes):
        if isinstance(self.estimator, str):
            sizes = dict(zip(*np.unique(codes, return_counts=True), strict=True))
            prototypes = {
                int(c): int(np.clip(n // 3, 1, PROTOTYPES)) for c, n in sizes.items()
            }
            columns = self._columns
            n_features = self.n_features_in_ if columns is None else len(columns[0])
            rank = min(RANK, n_features)
            return [
                GMLVQ(prototypes, n_components=rank, max_iter=STEPS),
                RandomFeatureClassifier(),
            ]
        given = self.estimator
        return given if isinstance(given, list | tuple) else [given]

    def _by_fold(self, k, X):
        """Return the mean probabilities (n, C) of the models of a fold."""
        p = np.zeros((len(X), len(self.classes_)))
        if not len(X):
            return p
        if self._columns is not None:
            X = X[:, self._columns[k]]
        for model in self.models_[k]:
            source = f"CrossFit: the estimator ({type(model).__name__})"
            answers = as_numbers(
                model.predict_proba(X), wanted="probabilities", source=source
            )
            answers = checked_probabilities(answers, source=source)
            if np.array_equal(model.classes_, np.arange(len(self.classes_))):
                p += answers
            else:  # no other fold has this class
                p[:, model.classes_.astype(int)] += answers
        return p / len(self.models_[k])


def _out_of_fold(rows, fold, model):
    """Return held-out probabilities (n, C)."""
    X = rows.X if isinstance(rows, Rows) else rows
    p = np.empty((len(X), len(model.classes_)))
    for k in np.unique(fold):
        p[fold == k] = model._by_fold(k, X[fold == k])
    return p


def _applied(function, items, rows):
    """Return the results for all items, each in a thread if rows are in memory."""
    # Each item uses chunks of all workers, so items are computed one after another.
    return list((map if rows.is_chunked else map_blocks)(function, items))


def _hashed(rows, low, high):
    return row_hashes(rows.X, low, high)


def _moved_on(model, member, X, codes):
    """Return a model fitted to changed labels, from its last fit if possible."""
    if isinstance(model, RandomFeatureClassifier):
        return copy.copy(model).refit(X, codes)
    seed = {"random_state"} & set(member.get_params())
    usual = member.get_params() | {name: model.get_params()[name] for name in seed}
    if not isinstance(model, GMLVQ):
        return clone(member).set_params(**usual).fit(X, codes)
    steps = {"warm_start": True, "max_iter": MORE_STEPS}
    moved = copy.copy(model).set_params(**usual | steps).fit(X, codes)
    return moved.set_params(**usual)
