"""What every prototype classifier can do: decide, say how sure it is, explain."""

import itertools
import warnings
from typing import ClassVar

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from labelscape._core.arguments import labels_argument
from labelscape._core.checks import (
    check_intact,
    check_sample_weight,
    check_X,
    numbers_in,
)
from labelscape._core.chunks.lazy import lazy, score_of_chunks
from labelscape._core.chunks.recognition import is_chunked
from labelscape._core.errors import InputError, ParameterError
from labelscape._core.fits.estimator import Estimator
from labelscape._core.fits.learned import (
    Learned,
    classes,
    labels,
    numbers,
    optional,
    truths,
)
from labelscape._core.points.arrays import (
    as_numpy,
    device_of,
    namespace_of,
    to_numpy,
)
from labelscape._core.points.following import brought_back, following
from labelscape._core.probabilities import array_softmax, softmax
from labelscape._core.rules import finite
from labelscape.prototypes.explain._columns import check_categories
from labelscape.prototypes.explain._counterfactual import (
    smallest_change,
    smallest_change_local,
)
from labelscape.prototypes.explain._explanation import Explanation, contributions
from labelscape.prototypes.explain._whole_categories import (
    smallest_change_of_columns,
    smallest_change_of_columns_local,
)


def relative_lead(d):
    """Return ``(d_0 - d_1) / (d_0 + d_1)`` for distances d (n, 2) to two classes.

    0 where both are 0. A class that has no prototype yet is infinitely far away.
    """
    xp = namespace_of(d) or np
    total = xp.sum(d, axis=1)
    with np.errstate(invalid="ignore"):
        lead = d[:, 0] - d[:, 1]
    lead = xp.where(xp.isinf(total), xp.sign(lead), lead)
    return lead / xp.where((total == 0.0) | xp.isinf(total), 1.0, total)


def prototype_classes(model):
    """Return the class index of each prototype of a fitted model, (l,)."""
    owner = np.searchsorted(model.classes_, model.prototype_labels_)
    is_intact = owner.shape == (len(model.prototypes_),)
    is_intact = is_intact and owner.max(initial=0) < len(model.classes_)
    check_intact(is_intact, "classes_, prototypes_ and prototype_labels_")
    return owner


def class_scores(d):
    """Return the decision function as one column per class, from class distances."""
    if d.shape[1] > 2:
        return -d
    lead = relative_lead(d) / 2.0
    return (namespace_of(d) or np).stack([-lead, lead], axis=1)


class PrototypeClassifier(ClassifierMixin, Estimator):
    """Base of all prototype classifiers.

    A fitted model has ``classes_``, ``prototypes_`` (l, N), sorted by class, and
    ``prototype_labels_``. A subclass says how it measures (`_metric`), and may say how
    sure a decision is (`_confidences`).
    """

    _learned: ClassVar[Learned] = {
        "classes_": classes(),
        "prototypes_": numbers("prototypes", "features"),
        "prototype_labels_": labels("prototypes", ordered=True),
        "temperature_": finite(above=0.0),
        "_is_object": optional(truths("prototypes")),
    }

    def _held_objects(self):
        """Return where prototypes are objects, as of classes of one object they may."""
        is_object = as_numpy(getattr(self, "_is_object", False))
        return ("prototypes_",) if np.any(is_object) else ()

    def __sklearn_is_fitted__(self):
        # A fit that failed half-way leaves n_features_in_, but no prototypes.
        return hasattr(self, "prototypes_")

    @property
    def metric_(self):
        """How the model measures: a record with factors, images and distances."""
        check_is_fitted(self)
        return brought_back(self)._metric()

    @lazy
    @following
    def predict(self, X):
        """Return the class of the nearest prototype for each object.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Objects.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels. Ties go to the prototype with the lowest index.
        """
        return self._labels_of(self._by_blocks(X, nearest_of_all))

    def score(self, X, y, sample_weight=None):
        """Return the share of objects whose class is predicted.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Objects.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each of them counts.

        Returns
        -------
        float
            Between 0 and 1.
        """
        if is_chunked(X):
            return score_of_chunks(self, X, y, sample_weight)
        owner, predicted = type(self).__name__, to_numpy(self.predict(X))
        y, sample_weight = as_numpy(y), as_numpy(sample_weight)
        labels = labels_argument(owner, "y", y, size=len(predicted))
        weights = check_sample_weight(sample_weight, len(predicted), owner=owner)
        return float(np.average(labels == predicted, weights=weights))

    @lazy
    @following
    def decision_function(self, X):
        """Return how far each class is ahead.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Objects.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            With ``d_c`` the distance to the nearest prototype of class c: for two
            classes ``(d_0 - d_1) / (d_0 + d_1)``, between -1 and 1 and positive for
            ``classes_[1]``; for more classes ``-d_c``, one column each.
        """
        d = self._by_blocks(X, self._class_distances)
        return -d if len(self.classes_) > 2 else relative_lead(d)

    @lazy
    @following
    def predict_proba(self, X):
        """Return class probabilities: a softmax of the decision function.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Objects.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            ``softmax(decision_function(X) / temperature_)``, for two classes the
            logistic function, with the temperature that fits the labels of the
            training set best, and a little doubt: as if one object of it more had
            been decided wrongly. See the guide for how well it is calibrated.
        """
        check_is_fitted(self)
        return self._probabilities(self._check_new(X))

    def explain(
        self,
        x,
        *,
        target=None,
        fixed=None,
        lower=None,
        upper=None,
        scale=None,
        categories=(),
        feature_names=None,
    ):
        """Explain the decision for one object.

        Parameters
        ----------
        x : array-like of shape (n_features,)
            The object.
        target : label, optional
            Ask for the smallest change that leads to this class; any other class if
            None.
        fixed : array-like of bool or of indices, optional
            Features that the change must leave alone.
        lower, upper : float or array-like of shape (n_features,), optional
            Limits of the changed object.
        scale : array-like of shape (n_features,), optional
            Units in which the size of a change is measured, one per feature.
        categories : sequence of Categories, default=()
            Columns of categories, as ``Table.categories`` has them: a change takes
            such a column to another of its categories or leaves it alone, and the
            table that is printed has one line for it.
        feature_names : sequence of str, default=None
            Names of the features for that table. If not given, the names that the
            model was fitted to, or those that ``x`` has as a row of a data frame.

        Returns
        -------
        Explanation
            A record that prints as a small table.
        """
        check_is_fitted(self)
        self = brought_back(self)
        row = self._one_object(x)
        categories = check_categories(categories, row.shape[1])
        names = self._names(feature_names, x)
        x = row[0].astype(np.float64)
        metric, owner = self._metric(), prototype_classes(self)
        D = metric.distances(x[None, :])[0]
        nearest = {
            int(c): int(np.flatnonzero(owner == c)[D[owner == c].argmin()])
            for c in np.unique(owner)
        }
        # As `predict` decides it, in the precision of x: at a tie, bits matter.
        decided = int(owner[metric.by_blocks(row, nearest_of_all)[0]])
        foreign = [p for c, p in nearest.items() if c != decided]
        if not foreign:
            raise InputError(
                "explain compares classes, and so far only "
                f"{self.classes_.tolist()[decided]!r} has prototypes. Learn from "
                "objects of other classes first.",
                owner=type(self).__name__,
            )
        change, exact = self._smallest_change(
            x,
            metric,
            categories,
            own=decided,
            target=self._class_index(target),
            fixed=fixed,
            lower=lower,
            upper=upper,
            scale=scale,
        )
        flips = change is not None
        labels = self.classes_.tolist()
        return Explanation(
            x=x,
            prediction=self.classes_[decided],
            confidence=float(self._confidences(x[None, :])[0]),
            nearest={labels[c]: p for c, p in nearest.items()},
            distances={labels[c]: float(D[p]) for c, p in nearest.items()},
            contributions=_lead_by_feature(
                metric, x, D, nearest[decided], min(foreign, key=D.__getitem__)
            ),
            counterfactual=change.point if flips else None,
            counterfactual_distance=change.distance if flips else np.inf,
            counterfactual_prediction=(
                self._decided(change.point[None, :])[0] if flips else None
            ),
            exact=exact,
            feature_names=names,
            categories=categories,
        )

    def _one_object(self, x):
        """Return one object as a checked matrix of one row."""
        x = as_numpy(x)
        with numbers_in(x, owner=type(self).__name__, name="x"):
            row = np.asarray(x, dtype=object if isinstance(x, str) else None)
        row = np.atleast_2d(row)
        if len(row) != 1:
            raise InputError(
                "x must be one object, got an array of shape "
                f"{row.shape}. Explain one row at a time.",
                owner=type(self).__name__,
                parameter="x",
            )
        with warnings.catch_warnings():
            # A row of a table is no table: it has lost the names of its columns.
            warnings.filterwarnings("ignore", "X does not have valid feature names")
            return check_X(self, row, reset=False)

    def _names(self, given, x):
        """Return what the features are called; None if nobody knows."""
        n_features = self.n_features_in_
        if given is not None:
            if isinstance(given, str) or np.shape(given) != (n_features,):
                wanted = f"{n_features} names, one for each feature"
                raise ParameterError("explain", "feature_names", given, wanted)
            return [str(name) for name in given]
        known = getattr(self, "feature_names_in_", None)
        return _names_of_row(x, n_features) if known is None else known

    def _metric(self):
        """Return the `PrototypeMetric` of the fitted model."""
        raise NotImplementedError

    def _confidences(self, X):
        """Return how sure the decision for each object is, from 0 to 1."""
        return self._probabilities(X).max(axis=1)

    def _probabilities(self, X):
        d = self._metric().by_blocks(X, self._class_distances)
        scores = class_scores(d) / self.temperature_
        return softmax(scores) if namespace_of(d) is None else array_softmax(scores)

    def _decided(self, X):
        """Return the classes of checked objects, as `predict` decides them."""
        return self._labels_of(self._metric().by_blocks(X, nearest_of_all))

    def _labels_of(self, nearest):
        """Return the labels of prototypes; words can only be NumPy's."""
        xp, labels = namespace_of(nearest), self.prototype_labels_
        if xp is None or labels.dtype.kind not in "biuf":
            return labels[to_numpy(nearest)]
        return xp.take(xp.asarray(labels, device=device_of(nearest)), nearest)

    def _smallest_change(self, x, metric, categories, **wishes):
        """Return the smallest change that flips the decision, and if it is sure."""
        owner = prototype_classes(self)
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

    def _class_index(self, label):
        if label is None:
            return None
        is_list = isinstance(label, list | tuple)
        is_one = not is_list and (np.isscalar(label) or np.ndim(label) == 0)
        matches = np.flatnonzero(self.classes_ == label) if is_one else ()
        if not len(matches):
            raise InputError(
                "target must be one of the classes "
                f"{list(self.classes_)}, got {label!r}.",
                owner=type(self).__name__,
                parameter="target",
            )
        return int(matches[0])

    def _class_distances(self, D):
        """Return the distance to the nearest prototype of each class."""
        if namespace_of(D) is not None:
            return _least_of_classes(D, prototype_classes(self), len(self.classes_))
        from labelscape.prototypes._class_kernels import least_of_classes

        d = np.full((len(D), len(self.classes_)), np.inf, dtype=D.dtype)
        least_of_classes(D, prototype_classes(self), d)
        return d

    def _by_blocks(self, X, reduce):
        """Apply ``reduce`` to the distances of block after block of objects."""
        check_is_fitted(self)
        X = self._check_new(X)
        return self._metric().by_blocks(X, reduce)

    def _check_new(self, X):
        return check_X(self, X, reset=False, accept_sparse=True)


def _names_of_row(x, n_features):
    """Return the names that a row of a data frame brings along, else None."""
    is_row = hasattr(x, "index") and hasattr(x, "to_numpy")
    names = getattr(x, "columns", x.index if is_row else ())
    is_named = len(names) == n_features and all(isinstance(n, str) for n in names)
    return list(names) if is_named else None


def stand_on_objects(prototypes, X, largest=None):
    """Return which prototypes are objects, up to rounding (k,): a file gives them away.

    Values that an object lacks speak for neither. ``largest`` is the size of each
    feature, if X is not all there is.
    """
    if largest is None:
        largest = np.fmax.reduce(np.abs(X), axis=0, initial=0.0)
    close = 16 * np.finfo(X.dtype).eps * largest
    return np.array([_is_among(w, X, close) for w in prototypes])


def _is_among(w, X, close):
    rows = np.arange(len(X))
    for j, limit in enumerate(close):
        rows = rows[~(np.abs(X[rows, j] - w[j]) > limit)]
        if not len(rows):
            return False
    return True


def nearest_of_all(D):
    """Return the nearest prototype of each object, by its distances D (n, l)."""
    return (namespace_of(D) or np).argmin(D, axis=1)


def _least_of_classes(D, owner, n_classes):
    """Return what the compiled loop does, for arrays of other libraries."""
    xp = namespace_of(D)
    # Prototypes are sorted by class; a class may have none yet.
    first = np.searchsorted(owner, np.arange(n_classes + 1)).tolist()
    columns = [
        xp.min(D[:, start:stop], axis=1) if stop > start else D[:, 0] + xp.inf
        for start, stop in itertools.pairwise(first)
    ]
    return xp.stack(columns, axis=1)


def _local_slopes(factors, W):
    """Return a function from a point to its distances and their slopes."""

    def slopes(z):
        images = [factor @ (z - w) for factor, w in zip(factors, W, strict=True)]
        return (
            np.array([image @ image for image in images]),
            np.array(
                [2 * f.T @ image for f, image in zip(factors, images, strict=True)]
            ),
        )

    return slopes


def _lead_by_feature(metric, x, D, own, foreign):
    """Return what each feature adds to the lead of the own prototype, d_K - d_J."""
    terms = contributions(
        x - metric.prototypes[own],
        x - metric.prototypes[foreign],
        metric.factor(own),
        metric.factor(foreign),
    )
    if metric.is_squared:
        return terms
    # Differences of squares become differences of distances:
    # d_K - d_J = (d_K^2 - d_J^2) / (d_K + d_J).
    total = D[[own, foreign]].sum()
    return terms / total if total > 0.0 else np.zeros_like(x)
