"""What every prototype classifier can do: decide, say how sure it is, explain."""

import warnings

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_X
from labelscape._core.errors import InputError
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.prototypes.explain._counterfactual import (
    smallest_change,
    smallest_change_local,
)
from labelscape.prototypes.explain._explanation import Explanation, contributions


def relative_lead(d):
    """Return ``(d_0 - d_1) / (d_0 + d_1)`` for distances d (n, 2) to two classes.

    0 where both are 0. A class that has no prototype yet is infinitely far away.
    """
    total = d.sum(axis=1)
    with np.errstate(invalid="ignore"):
        lead = d[:, 0] - d[:, 1]
    lead = np.where(np.isinf(total), np.sign(lead), lead)
    return lead / np.where((total == 0.0) | np.isinf(total), 1.0, total)


def class_scores(d):
    """Return the decision function as one column per class, from class distances."""
    if d.shape[1] > 2:
        return -d
    lead = relative_lead(d) / 2.0
    return np.column_stack([-lead, lead])


class PrototypeClassifier(ClassifierMixin, BaseEstimator):
    """Base of all prototype classifiers.

    A fitted model has ``classes_``, ``prototypes_`` (l, N), sorted by class, and
    ``prototype_labels_``. A subclass says how far objects are from its prototypes
    (`_distances`), by which factor of a metric (`_metric_factor`), and how sure a
    decision is (`_confidences`).
    """

    def __sklearn_is_fitted__(self):
        # A fit that failed half-way leaves n_features_in_, but no prototypes.
        return hasattr(self, "prototypes_")

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
        nearest = self._by_blocks(X, lambda D: D.argmin(axis=1))
        return self.prototype_labels_[nearest]

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
        self, x, *, target=None, fixed=None, lower=None, upper=None, scale=None
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

        Returns
        -------
        Explanation
            A record that prints as a small table.
        """
        check_is_fitted(self)
        x = self._one_object(x)
        D = self._distances(x[None, :])[0]
        own = int(D.argmin())
        owner = self._prototype_classes()
        nearest = {
            c: int(np.flatnonzero(owner == c)[D[owner == c].argmin()])
            for c in np.unique(owner)
        }
        foreign = min(
            (p for c, p in nearest.items() if c != owner[own]), key=D.__getitem__
        )
        change = self._smallest_change(
            x,
            own=int(owner[own]),
            target=self._class_index(target),
            fixed=fixed,
            lower=lower,
            upper=upper,
            scale=scale,
        )
        found = change is not None
        labels = self.classes_.tolist()
        return Explanation(
            x=x,
            prediction=self.classes_[owner[own]],
            confidence=float(self._confidences(x[None, :])[0]),
            nearest={labels[c]: p for c, p in nearest.items()},
            distances={labels[c]: float(D[p]) for c, p in nearest.items()},
            contributions=self._contributions(x, own, foreign),
            counterfactual=change.point if found else None,
            counterfactual_distance=change.distance if found else np.inf,
            counterfactual_prediction=(
                self.classes_[owner[change.prototype]] if found else None
            ),
            exact=change.exact if found else True,
            feature_names=getattr(self, "feature_names_in_", None),
        )

    def _one_object(self, x):
        """Return one object as a checked vector."""
        row = np.atleast_2d(np.asarray(x, dtype=object if isinstance(x, str) else None))
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
            return check_X(self, row, reset=False)[0].astype(np.float64)

    def _distances(self, X):
        """Return the distances of objects to all prototypes, (n, l)."""
        raise NotImplementedError

    def _metric_factor(self, prototype):
        """Return Omega with ``d = |Omega (x - w)|^2`` for a prototype, None for I."""
        raise NotImplementedError

    def _has_local_metric(self):
        return False

    def _confidences(self, X):
        """Return how sure the decision for each object is, from 0 to 1."""
        return self._probabilities(X).max(axis=1)

    def _probabilities(self, X):
        d = self._reduced(X, self._class_distances)
        return softmax(class_scores(d) / self.temperature_, axis=1)

    def _contributions(self, x, own, foreign):
        """Return what each feature adds to the lead of the own prototype."""
        return contributions(
            x - self.prototypes_[own],
            x - self.prototypes_[foreign],
            self._metric_factor(own),
            self._metric_factor(foreign),
        )

    def _smallest_change(self, x, **wishes):
        owner = self._prototype_classes()
        W = self.prototypes_.astype(np.float64)

        def classify(Z):
            return owner[self._distances(Z).argmin(axis=1)]

        if not self._has_local_metric():
            Omega = self._metric_factor(0)
            return smallest_change(
                x, W, owner, classify=classify, Omega=Omega, **wishes
            )

        factors = [self._metric_factor(prototype) for prototype in range(len(W))]

        def slopes(z):
            images = [factor @ (z - w) for factor, w in zip(factors, W, strict=True)]
            return (
                np.array([image @ image for image in images]),
                np.array(
                    [2 * f.T @ image for f, image in zip(factors, images, strict=True)]
                ),
            )

        return smallest_change_local(x, W, owner, slopes, classify=classify, **wishes)

    def _prototype_classes(self):
        """Return the class index of each prototype."""
        return np.searchsorted(self.classes_, self.prototype_labels_)

    def _class_index(self, label):
        if label is None:
            return None
        found = np.flatnonzero(self.classes_ == label)
        if not len(found):
            raise InputError(
                "target must be one of the classes "
                f"{list(self.classes_)}, got {label!r}.",
                owner=type(self).__name__,
                parameter="target",
            )
        return int(found[0])

    def _class_distances(self, D):
        """Return the distance to the nearest prototype of each class."""
        owner = self._prototype_classes()
        d = np.full((len(D), len(self.classes_)), np.inf, dtype=D.dtype)
        present, first = np.unique(owner, return_index=True)
        d[:, present] = np.minimum.reduceat(D, first, axis=1)
        return d

    def _by_blocks(self, X, reduce):
        """Apply ``reduce`` to the distances of block after block of objects."""
        check_is_fitted(self)
        return self._reduced(self._check_new(X), reduce)

    def _reduced(self, X, reduce):
        def block(rows):
            part = X[rows]
            return reduce(
                self._distances(part.toarray() if hasattr(part, "tocsr") else part)
            )

        width = X.shape[1] + 2 * len(self.prototypes_)
        parts = map_blocks(block, row_blocks(X.shape[0], 8 * width, 2**21))
        return np.concatenate(parts)

    def _check_new(self, X):
        return check_X(self, X, reset=False, accept_sparse=True)
