"""RandomFeatureClassifier: smooth borders by least squares on random waves."""

from typing import ClassVar, NamedTuple

import numpy as np
from scipy.linalg import cho_solve, eigh, solve_triangular
from scipy.optimize import minimize_scalar
from sklearn.utils import check_random_state

from labelscape._core.checks import check_labels, check_X
from labelscape._core.chunks.lazy import lazy
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.points.distances import squared_distances
from labelscape._core.rules import COMMON, HUGE, check_params, finite, whole
from labelscape._core.state import (
    Attribute,
    Learned,
    check_fitted,
    classes,
    numbers,
    optional,
)
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.crossfit._base import ProbabilityClassifier

# Widths that are tried, in median distances between objects.
WIDTHS = (0.35, 0.5, 0.7, 1.0, 1.4)
# Strengths of the ridge that are tried, per object.
RIDGES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
# Width and ridge are chosen with fewer waves, on some of the objects, by the loss of
# some of these.
FEW_WAVES, FEW_OBJECTS, FEW_JUDGED = 125, 1500, 600
# The sharpness of a softmax is looked for up to here, on its logarithm.
SHARPEST = 6.0
# Blocks of objects whose waves stay in a core's cache.
CACHE_BYTES = 2**21
# An object that decides its own fitted value alone says nothing about others.
MOST_LEVERAGE = 0.999


class Choice(NamedTuple):
    """A width and a ridge, and the mean loss of objects that were left out."""

    loss: float
    width: float
    ridge: float


def _check_center(name, value, fit):
    fit.binds("sines and cosines", 2 * fit.sizes["waves"])
    numbers("sines and cosines").check(name, value, fit)


class RandomFeatureClassifier(ProbabilityClassifier):
    r"""Ridge regression of the classes on random waves, with calibrated probabilities.

    The waves approximate a Gaussian kernel, so that borders are smooth and of any
    shape. Nothing needs to be set: width, ridge and sharpness are those that make each
    object most likely when it is left out, which costs no further fits. The model holds
    no objects, and a prediction costs the same for any number of fitted ones.

    Parameters
    ----------
    n_waves : int, default=400
        Random directions; each gives a sine and a cosine.
    random_state : int, RandomState or None, default=None
        Draws them.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    frequencies_ : ndarray of shape (n_features, n_waves)
        The directions, divided by the width that was chosen.
    center_ : ndarray of shape (2 * n_waves,)
        Means of the waves.
    coefficients_ : ndarray of shape (2 * n_waves, n_classes)
        What the waves say of the classes.
    ridge_ : float
        The strength of the ridge that was chosen, per object.
    sharpness_ : float
        Factor on the regression before the softmax.

    Notes
    -----
    With :math:`z(x) = D^{-1/2} (\cos Wx, \sin Wx)`, centred, and indicators :math:`Y`
    of the classes, the scores are :math:`z (Z^\top Z + \lambda I)^{-1} Z^\top Y`.
    Leaving an object out divides its residual by :math:`1 - h_i`, its leverage, so that
    all choices are made on objects that were left out. Rows of :math:`W` are orthogonal
    in blocks, which wastes fewer of them.

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

    _rules: ClassVar = COMMON | {"n_waves": whole(1, limit=100_000)}
    _learned: ClassVar[Learned] = {
        "classes_": classes(),
        "frequencies_": numbers("features", "waves", low=-HUGE, high=HUGE),
        "center_": Attribute(_check_center),
        "coefficients_": numbers("sines and cosines", "classes"),
        # Models of versions before do not know it.
        "ridge_": optional(finite(above=0)),
        "sharpness_": finite(above=0),
    }

    def __init__(self, n_waves=400, *, random_state=None):
        self.n_waves = n_waves
        self.random_state = random_state

    @tells_callbacks
    def fit(self, X, y):
        """Choose width and ridge, and regress the classes on the waves.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects, in units in which their distances make sense.
        y : array-like of shape (n_samples,)
            Their class labels.

        Returns
        -------
        self : RandomFeatureClassifier
            The fitted classifier.
        """
        check_params(self)
        X = check_X(self, X, min_samples=2).astype(np.float64, copy=False)
        self.classes_, codes = check_labels(y, len(X), owner=type(self).__name__)
        random_state = check_random_state(self.random_state)
        n_waves = min(self.n_waves, len(X))
        directions = orthogonal_directions(X.shape[1], n_waves, random_state)
        some = random_state.permutation(len(X))[:FEW_OBJECTS]
        unit = median_distance(X[some[:500]])
        found = best_choice(X[some], codes[some], directions[:, :FEW_WAVES], unit)
        self.frequencies_, self.ridge_ = directions / found.width, found.ridge
        return self._regress(X, codes, slice(None))

    def refit(self, X, y):
        """Learn other labels of nearly the same objects, with the same waves.

        Width and ridge stay as the last fit has chosen them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects.
        y : array-like of shape (n_samples,)
            Their class labels.

        Returns
        -------
        self : RandomFeatureClassifier
            The fitted classifier.
        """
        check_fitted(self)
        if not hasattr(self, "ridge_"):
            return self.fit(X, y)
        X = check_X(self, X, reset=False, min_samples=2).astype(np.float64, copy=False)
        self.classes_, codes = check_labels(y, len(X), owner=type(self).__name__)
        return self._regress(X, codes, np.arange(len(X))[:: -(-len(X) // FEW_JUDGED)])

    def _regress(self, X, codes, judged):
        """Regress the classes on the waves; ``judged`` tell how sharp the answer is."""
        Z, Y = waves(X, self.frequencies_), indicators(codes)
        self.center_ = Z.mean(axis=0)
        Z -= self.center_
        B, L = ridge_regression(Z, Y, self.ridge_ * len(X))
        left_out = left_out_values(Z[judged], Y[judged], B, L, len(X))
        self.coefficients_ = B
        self.sharpness_, _ = best_sharpness(left_out, codes[judged])
        return self

    @lazy
    def predict_proba(self, X):
        """Return the class probabilities of objects.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Objects.

        Returns
        -------
        p : ndarray of shape (n, n_classes)
            Probabilities in the order of ``classes_``.
        """
        check_fitted(self)
        X = check_X(self, X, reset=False)
        n_waves = self.frequencies_.shape[1]
        B = self.coefficients_ * self.sharpness_
        mean, B = self.center_ @ B, B * n_waves**-0.5

        def block(rows):
            # Sines in float32 take a fraction of the time, and probabilities are not
            # known to seven digits. Products are in float64: their rounding depends on
            # how many objects are asked for at a time.
            angles = as_single(X[rows] @ self.frequencies_)
            scores = np.cos(angles) @ B[:n_waves] + np.sin(angles) @ B[n_waves:]
            scores -= mean
            return softmax(scores)

        blocks = row_blocks(len(X), 16 * n_waves, CACHE_BYTES)
        return np.concatenate(map_blocks(block, blocks))


def softmax(scores):
    """Turn scores (n, C) into probabilities where they stand; SciPy's makes copies."""
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    return scores


def orthogonal_directions(n_features, n_waves, random_state):
    """Return random directions (d, D) of normal lengths, orthogonal d at a time."""
    blocks = []
    for start in range(0, n_waves, n_features):
        count = min(n_features, n_waves - start)
        Q, _ = np.linalg.qr(random_state.normal(size=(n_features, count)))
        blocks.append(Q * np.sqrt(random_state.chisquare(n_features, size=count)))
    return np.hstack(blocks)


def median_distance(X):
    """Return the median distance between objects; 1 if more than half are equal."""
    squares = squared_distances(X, X)[np.triu_indices(len(X), 1)]
    return float(np.sqrt(max(np.median(squares), 0.0))) or 1.0


def waves(X, frequencies):
    """Return sines and cosines (n, 2 D), scaled so that products are a kernel."""
    angles = X @ frequencies
    return np.hstack([np.cos(angles), np.sin(angles)]) * frequencies.shape[1] ** -0.5


def as_single(angles):
    """Return angles in float32, unless one is too far for it."""
    with np.errstate(over="ignore"):
        light = angles.astype(np.float32)
    return light if np.isfinite(light).all() else angles


def indicators(codes):
    """Return 1 for the class of each object, less the mean over classes (n, C)."""
    Y = np.eye(codes.max() + 1)[codes]
    return Y - 1.0 / Y.shape[1]


def best_choice(X, codes, directions, unit):
    """Return the width and ridge with the least loss of objects left out."""
    Y, few = indicators(codes), slice(FEW_JUDGED)
    choices = []
    for width in unit * np.array(WIDTHS):
        Z = waves(X, directions / width)
        Z -= Z.mean(axis=0)
        values, V = eigh(Z.T @ Z)
        G, values = Z @ V, np.maximum(values, 0.0)
        GY = G.T @ Y
        for ridge in RIDGES:
            shrunk = 1.0 / (values + ridge * len(X))
            fitted = G[few] @ (shrunk[:, None] * GY)
            leverages = (G[few] ** 2) @ shrunk + 1.0 / len(X)
            left_out = without_own(Y[few], fitted, leverages)
            _, loss = best_sharpness(left_out, codes[few])
            choices.append(Choice(loss, width, ridge))
    return min(choices)


def ridge_regression(Z, Y, ridge):
    """Return coefficients (D, C), and the Cholesky factor L of Z'Z + ridge."""
    gram = Z.T @ Z
    gram[np.diag_indices_from(gram)] += ridge
    L = np.linalg.cholesky(gram)
    return cho_solve((L, True), Z.T @ Y), L


def left_out_values(Z, Y, B, L, n):
    """Return the fitted values that some of n objects have when they are left out."""
    K = solve_triangular(L, Z.T, lower=True)
    leverages = np.einsum("ij,ij->j", K, K) + 1.0 / n
    return without_own(Y, Z @ B, leverages)


def without_own(Y, fitted, leverages):
    """Return what each object would be given by a fit to all others."""
    free = 1.0 - np.minimum(leverages, MOST_LEVERAGE)
    return Y - (Y - fitted) / free[:, None]


def best_sharpness(scores, codes):
    """Return the factor with which a softmax loses least, and its mean loss."""
    own = np.arange(len(codes)), codes
    gaps = scores - scores.max(axis=1, keepdims=True)

    def loss(log_sharpness):
        S = gaps * np.exp(log_sharpness)
        return float(np.mean(np.log(np.exp(S).sum(axis=1)) - S[own]))

    found = minimize_scalar(loss, bounds=(-SHARPEST, SHARPEST), options={"xatol": 0.02})
    return float(np.exp(found.x)), float(found.fun)
