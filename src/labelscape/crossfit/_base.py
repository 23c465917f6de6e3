"""What classifiers share that answer with probabilities."""

import numpy as np
from sklearn.base import ClassifierMixin

from labelscape._core.arguments import labels_argument
from labelscape._core.checks import check_sample_weight
from labelscape._core.chunks.lazy import lazy
from labelscape._core.fits.estimator import Estimator


class ProbabilityClassifier(ClassifierMixin, Estimator):
    """Base of classifiers whose answer is the most probable class."""

    @lazy
    def predict(self, X):
        """Return the most probable classes of objects.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Objects.

        Returns
        -------
        y : ndarray of shape (n,)
            Class labels.
        """
        likely = self.predict_proba(X).argmax(axis=1)
        return self.classes_[likely]

    def score(self, X, y, sample_weight=None):
        """Return the accuracy on samples.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Samples.
        y : array-like of shape (n,)
            Their classes.
        sample_weight : array-like of shape (n,), default=None
            How much each of them counts.

        Returns
        -------
        float
            Between 0 and 1.
        """
        owner, predicted = type(self).__name__, np.asarray(self.predict(X))
        labels = labels_argument(owner, "y", y, size=len(predicted))
        weights = check_sample_weight(sample_weight, len(predicted), owner=owner)
        return float(np.average(labels == predicted, weights=weights))
