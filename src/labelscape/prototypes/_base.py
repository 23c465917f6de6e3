"""Base of the prototype classifiers: predictions, probabilities, explanations."""

from typing import Any, ClassVar

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_X, named_as
from labelscape._core.learned import (
    Learned,
    bool_array,
    classes,
    labels,
    numbers,
    optional,
)
from labelscape._core.numerics import array_softmax, softmax
from labelscape._core.params import finite
from labelscape._core.rows.answers import ScoringClassifier, numpy_copy, of_any_rows
from labelscape._core.rows.device import ArrayPlace, device_of
from labelscape._core.rows.kinds import as_numpy, namespace_of, to_numpy
from labelscape._core.types import Array
from labelscape.prototypes._distances import (
    class_scores,
    least_of_classes,
    nearest_of_all,
    prototype_classes,
    relative_lead,
)
from labelscape.prototypes.explain._explanation import explained


class PrototypeClassifier(ScoringClassifier):
    """Base of prototype classifiers; subclasses define the distance in `_metric`."""

    _learned: ClassVar[Learned] = {
        "classes_": classes(),
        "prototypes_": numbers("prototypes", "features"),
        "prototype_labels_": labels("prototypes", ordered=True),
        "temperature_": finite(above=0.0),
        "_is_sample": optional(bool_array("prototypes")),
    }

    def _held_samples(self):
        """Return the attributes that contain samples, such as prototypes."""
        is_sample = as_numpy(getattr(self, "_is_sample", False))
        return ("prototypes_",) if np.any(is_sample) else ()

    def __sklearn_is_fitted__(self):
        # A failed fit may set n_features_in_, but no prototypes.
        return hasattr(self, "prototypes_")

    @property
    def metric_(self):
        """The distance of the fitted model, as a `PrototypeMetric`."""
        check_is_fitted(self)
        return numpy_copy(self)._metric()

    @of_any_rows
    def predict(self, X) -> Array:
        """Return the class of the nearest prototype for each sample.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels. Ties go to the prototype with the lowest index.
        """
        return self._labels_of(self._by_blocks(X, nearest_of_all))

    @of_any_rows
    def decision_function(self, X) -> Array:
        """Return a score of each class for each sample.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            ``d_c`` is the distance to the nearest prototype of class c. For two classes
            the score is ``(d_0 - d_1) / (d_0 + d_1)``, between -1 and 1 and positive
            for ``classes_[1]``. For more classes, column c contains ``-d_c``.
        """
        d = self._by_blocks(X, self._class_distances)
        return -d if len(self.classes_) > 2 else relative_lead(d)

    @of_any_rows
    def predict_proba(self, X) -> Array:
        """Return class probabilities: a softmax of the decision function.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            ``softmax(decision_function(X) / temperature_)``, or the logistic function
            for two classes. ``temperature_`` is the value that fits the training labels
            best if one more sample is assumed to be misclassified. The user guide
            reports how well these probabilities are calibrated.
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
    ) -> Any:
        """Explain the decision for one sample.

        Parameters
        ----------
        x : array-like of shape (n_features,)
            The sample.
        target : label, optional
            Class of the changed sample. None allows any class but the predicted one.
        fixed : array-like of bool or of indices, optional
            Features that must not change.
        lower, upper : float or array-like of shape (n_features,), optional
            Smallest and largest allowed values of the changed sample.
        scale : array-like of shape (n_features,), optional
            Units in which the size of a change is measured, one per feature.
        categories : sequence of Categories, default=()
            Columns of categories, as in ``Table.categories``. A column of categories
            changes to another category or not at all, and is one line of the printed
            table.
        feature_names : sequence of str, default=None
            Names of the features in the printed table. By default, the names in the
            training data, or in ``x`` if it is a row of a data frame.

        Returns
        -------
        Explanation
            A result that prints as a small table.
        """
        check_is_fitted(self)
        return explained(
            numpy_copy(self),
            x,
            target=target,
            fixed=fixed,
            lower=lower,
            upper=upper,
            scale=scale,
            categories=categories,
            feature_names=feature_names,
        )

    def _metric(self):
        """Return the `PrototypeMetric` of the fitted model."""
        raise NotImplementedError

    def _confidences(self, X):
        """Return the confidence of the prediction for each sample, from 0 to 1."""
        return self._probabilities(X).max(axis=1)

    def _probabilities(self, X):
        d = self._metric().by_blocks(X, self._class_distances)
        scores = class_scores(d) / self.temperature_
        return softmax(scores) if namespace_of(d) is None else array_softmax(scores)

    def _labels_of(self, nearest):
        """Return the labels of prototypes; text labels always as a NumPy array."""
        xp, labels = namespace_of(nearest), self.prototype_labels_
        if xp is None or labels.dtype.kind not in "biuf":
            return labels[to_numpy(nearest)]
        return xp.take(xp.asarray(labels, device=device_of(nearest)), nearest)

    def _class_distances(self, D):
        """Return the distance to the nearest prototype of each class."""
        return least_of_classes(D, prototype_classes(self), len(self.classes_))

    def _by_blocks(self, X, reduce):
        """Apply ``reduce`` to the distances of samples, in blocks."""
        check_is_fitted(self)
        X = self._check_new(X)
        return self._metric().by_blocks(X, reduce)

    def _check_new(self, X):
        return check_X(self, X, reset=False, accept_sparse=True)


ENOUGH = 20_000  # more samples do not make the result more precise


def fitted_temperature(scores, classes, weights):
    """Return the s for which ``softmax(scores / s)`` fits the labels best."""
    # The loss is cross-entropy with Platt's targets: 1 - e for the own class of a
    # sample, and e = 1 / (n + 2) for its closest rival. Without e, separated classes
    # would have the temperature 0.
    there, scores = scores, to_numpy(scores).astype(np.float64)
    second, first = np.partition(scores, -2, axis=1)[:, -2:].T
    lead = np.average(first - second, weights=weights)
    if not 0.0 < lead < np.inf:  # infinite while only one class has prototypes
        return 1.0
    own = scores[np.arange(len(scores)), classes]
    rival = np.where(own < first, first, second)
    # Weights below 1, such as shares, do not reduce the number of samples.
    doubt = 1.0 / (max(weights.sum(), np.count_nonzero(weights)) + 2.0)
    target = (1.0 - doubt) * own + doubt * rival - first
    scores -= first[:, None]  # the largest score is 0 then, so that no sum overflows
    total, xp = weights.sum(), namespace_of(there) or np
    if xp is not np:
        array = ArrayPlace.of(there).double.array
        scores, target, weights = map(array, (scores, target, weights))

    def surprise(log_s):
        s = float(np.exp(log_s))
        sums = xp.sum(xp.exp(scores / s), axis=1)
        return float(xp.sum((xp.log(sums) - target / s) * weights)) / total

    around, reach = np.log(lead), np.log(1e3)
    minimum = minimize_scalar(
        surprise,
        bounds=(around - reach, around + reach),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return float(np.exp(minimum.x))


def are_samples(model):
    """Return a mask (k,) of the prototypes that are training samples."""
    return model._is_sample


def class_scores_in_plane(model, *, as_probabilities=False):
    """Return a function from positions (m, M) to scores ``-d^2`` or probabilities."""
    places = model.transform(named_as(model, model.prototypes_))
    W = np.asarray(places, dtype=np.float64)
    metric = model.metric_
    local = [np.eye(W.shape[1])] * len(W)
    if metric.local is not None:
        local = metric.local[metric.local_of]

    def scores(Z):
        d = np.full((len(Z), len(model.classes_)), np.inf)
        for w, c, Psi in zip(W, prototype_classes(model), local, strict=True):
            images = (Z - w) @ Psi.T
            np.minimum(d[:, c], np.einsum("ij,ij->i", images, images), out=d[:, c])
        return softmax(class_scores(d) / model.temperature_) if as_probabilities else -d

    return scores
