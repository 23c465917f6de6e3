"""What classifiers share that answer with probabilities."""

from sklearn.base import ClassifierMixin

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
