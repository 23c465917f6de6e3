"""RandomFeatureClassifier: smooth class borders from regression on random features."""

from typing import ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.blocked import gram
from labelscape._core.checks import check_X
from labelscape._core.estimator import reports_to_callbacks
from labelscape._core.labels import check_labels
from labelscape._core.learned import Attribute, Learned, classes, numbers
from labelscape._core.numerics import softmax
from labelscape._core.params import COMMON, HUGE, check_params, finite, whole
from labelscape._core.rows.answers import ScoringClassifier, lazy
from labelscape._core.rows.any_rows import rows_of
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape._core.types import Array
from labelscape._resampling.left_out import (
    best_sharpness,
    indicators,
    median_distance,
)
from labelscape.crossfit._waves import (
    FEW_COMPARED,
    best_choice,
    left_out_values,
    orthogonal_directions,
    quick_waves,
    regressed_on_chunks,
    ridge_regression,
    waves,
)


class ProbabilityClassifier(ScoringClassifier):
    """Base of classifiers that predict the most probable class."""

    @lazy
    def predict(self, X) -> Array:
        """Return the most probable classes of samples.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Samples.

        Returns
        -------
        y : ndarray of shape (n,)
            Class labels.
        """
        likely = self.predict_proba(X).argmax(axis=1)
        return self.classes_[likely]

    @lazy
    def predict_proba(self, X) -> Array:
        """Return the class probabilities of samples.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Samples.

        Returns
        -------
        p : ndarray of shape (n, n_classes)
            Probabilities in the order of ``classes_``.
        """
        check_is_fitted(self)
        return self._probabilities(check_X(self, X, reset=False))

    def _probabilities(self, X):
        """Return the class probabilities (n, C) of checked samples."""
        raise NotImplementedError


# Width and ridge are chosen with at most this many directions and samples.
FEW_WAVES, FEW_SAMPLES = 125, 1500
CACHE_BYTES = 2**21  # blocks of samples whose features fit in a core's cache


def _check_center(name, value, fit):
    fit.binds("sines and cosines", 2 * fit.sizes["waves"])
    numbers("sines and cosines").check(name, value, fit)


class RandomFeatureClassifier(ProbabilityClassifier):
    r"""Ridge regression on random features, with calibrated probabilities.

    Random features approximate a Gaussian kernel, so class borders are smooth and can
    have any shape. Width, ridge and sharpness are chosen automatically: they maximize
    the leave-one-out likelihood, which needs no further fits. The model contains no
    samples, and the time of a prediction does not depend on the number of samples.

    Parameters
    ----------
    n_waves : int, default=400
        Number of random directions. Each direction gives a sine and a cosine.
    random_state : int, RandomState or None, default=None
        Seed of the directions.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    frequencies_ : ndarray of shape (n_features, n_waves)
        The directions, divided by the width that was chosen.
    center_ : ndarray of shape (2 * n_waves,)
        Means of the random features.
    coefficients_ : ndarray of shape (2 * n_waves, n_classes)
        Coefficients of the random features for each class.
    ridge_ : float
        The strength of the ridge that was chosen, per sample.
    sharpness_ : float
        Factor by which regression values are multiplied before the softmax.
    n_features_in_ : int
        Number of features in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features in ``fit``, if X had names of columns.

    Notes
    -----
    With :math:`z(x) = D^{-1/2} (\cos Wx, \sin Wx)`, centered, and indicators :math:`Y`
    of the classes, the scores are :math:`z (Z^\top Z + \lambda I)^{-1} Z^\top Y`.
    Leaving out sample i divides its residual by :math:`1 - h_i`, where :math:`h_i` is
    its leverage, so all parameters are chosen on left-out samples. Rows of :math:`W`
    are orthogonal in blocks, so that fewer rows are needed.

    References
    ----------
    A. Rahimi, B. Recht. Random features for large-scale kernel machines. NIPS 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.crossfit import RandomFeatureClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RandomFeatureClassifier(random_state=0).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _takes_chunks = True
    _rules: ClassVar = COMMON | {"n_waves": whole(1, limit=100_000)}
    _learned: ClassVar[Learned] = {
        "classes_": classes(),
        "frequencies_": numbers("features", "waves", low=-HUGE, high=HUGE),
        "center_": Attribute(_check_center),
        "coefficients_": numbers("sines and cosines", "classes"),
        "ridge_": finite(above=0),
        "sharpness_": finite(above=0),
    }

    def __init__(self, n_waves=400, *, random_state=None) -> None:
        self.n_waves = n_waves
        self.random_state = random_state

    @reports_to_callbacks
    @one_blas_thread()
    def fit(self, X, y) -> Self:
        """Choose width and ridge, and regress the classes on random features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, scaled so that distances between them are meaningful.
        y : array-like of shape (n_samples,)
            Their class labels.

        Returns
        -------
        self : RandomFeatureClassifier
            The fitted classifier.
        """
        check_params(self)
        rows = rows_of(self, X, y, min_samples=2)
        self.classes_ = rows.labels
        random_state, n = check_random_state(self.random_state), len(rows)
        n_waves = min(self.n_waves, n)
        directions = orthogonal_directions(rows.shape[1], n_waves, random_state)
        few = rows.chosen(random_state.permutation(n)[:FEW_SAMPLES])
        X = few.X.astype(np.float64, copy=False)
        choice = best_choice(
            X, few.codes, directions[:, :FEW_WAVES], median_distance(X[:500])
        )
        self.frequencies_, self.ridge_ = directions / choice.width, choice.ridge
        if not rows.is_chunked:
            X = rows.X.astype(np.float64, copy=False)
            return self._regress(X, rows.codes, slice(None))
        self.center_, self.coefficients_, self.sharpness_ = regressed_on_chunks(
            rows, self.frequencies_, self.ridge_
        )
        return self

    @one_blas_thread()
    def refit(self, X, y) -> Self:
        """Continue the last fit with other labels of nearly the same samples.

        The random features, their width and the ridge penalty stay the same.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Their class labels.

        Returns
        -------
        self : RandomFeatureClassifier
            The fitted classifier.
        """
        check_is_fitted(self)
        X = check_X(self, X, reset=False, min_samples=2).astype(np.float64, copy=False)
        self.classes_, codes = check_labels(y, len(X), owner=type(self).__name__)
        step = -(-len(X) // FEW_COMPARED)
        return self._regress(X, codes, np.arange(0, len(X), step))

    def _regress(self, X, codes, some):
        """Regress the classes on random features; choose the sharpness on some rows."""
        Z, Y = waves(X, self.frequencies_), indicators(codes)
        self.center_ = Z.mean(axis=0)
        Z -= self.center_
        B, inverse = ridge_regression(gram(Z), Z.T @ Y, self.ridge_ * len(X))
        left_out = left_out_values(Z[some], Y[some], B, inverse, len(X))
        self.coefficients_ = B
        self.sharpness_, _ = best_sharpness(left_out, codes[some])
        return self

    @one_blas_thread()
    def _probabilities(self, X):
        n_waves = self.frequencies_.shape[1]
        B = self.coefficients_ * self.sharpness_
        mean, B = self.center_ @ B, B * n_waves**-0.5

        def probabilities(rows):
            # Features may have low precision. Sums may not, because their rounding
            # would depend on the number of samples in a block.
            scores = quick_waves(X[rows] @ self.frequencies_) @ B
            scores -= mean
            return softmax(scores)

        blocks = row_blocks(len(X), 16 * n_waves, CACHE_BYTES)
        return np.concatenate(map_blocks(probabilities, blocks))
