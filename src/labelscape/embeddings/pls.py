"""PLS-DA and OPLS-DA: linear maps along the covariance of features and classes."""

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Self

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import t as student
from sklearn.base import (
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_X, nothing_differs
from labelscape._core.errors import InputError
from labelscape._core.estimator import (
    reports_to_callbacks,
    shared_parameters,
)
from labelscape._core.labels import check_labels
from labelscape._core.learned import Learned, classes, numbers
from labelscape._core.params import check_params, finite, one_of, whole
from labelscape._core.rows.answers import ScoringClassifier, lazy
from labelscape._core.threads import one_blas_thread
from labelscape._core.types import Array
from labelscape._resampling.label_signal import warn_if_labels_say_nothing

N_FOLDS = 7  # number of folds, as in SIMCA and ropls
NOTHING = 1e-10  # covariances below this share of the first one are treated as 0

TEXTS = {
    "scaling": """
    scaling : {"standard", "pareto", "none"}, default="standard"
        Centered features are divided by their standard deviation, by its square root,
        or not at all.""",
    "attributes": """
    weights_ : ndarray of shape (n_features, n_components)
        Direction of each component, in the features from which earlier components were
        removed (w).
    loadings_ : ndarray of shape (n_features, n_components)
        Regression of the features on each component (p).
    rotations_ : ndarray of shape (n_features, n_components)
        Scores are scaled features times this matrix.
    y_loadings_ : ndarray of shape (n_classes, n_components)
        Regression of the scaled class indicators on each component (c).
    scores_ : ndarray of shape (n_samples, n_components)
        The fitted samples on the map. Scores can separate the classes even if labels
        are random; compare them with ``held_out_scores_``.
    held_out_scores_ : ndarray of shape (n_samples, n_components)
        The fitted samples on the maps of seven folds, each placed by the model that was
        fitted without it.
    vip_ : ndarray of shape (n_features,)
        Importance of each feature in the map (VIP); the mean of the squares is 1.
    vip_intervals_ : ndarray of shape (n_features, 2)
        95% intervals of ``vip_``, by jackknife over the seven folds.
    r2x_, r2y_ : float
        Shares of the variance of features and of classes that ``scores_`` explain.
    q2_ : float
        Share of the variance of classes that is predicted in held-out folds. It is
        negative if predictions by the class proportions would be more accurate.
    mean_, scale_ : ndarray of shape (n_features,)
        Mean and divisor of each feature.
    y_mean_, y_scale_ : ndarray of shape (n_classes,)
        Mean and divisor of each class indicator.
    classes_ : ndarray of shape (n_classes,)
        The class labels.""",
    "caution": """
    With more features than samples, the fitted scores separate any labels, even random
    labels. Check ``q2_`` and ``held_out_scores_``, and test the map with
    `labelscape.quality.honesty` before showing it.""",
}


class Components(NamedTuple):
    """The components of scaled features and class indicators, one per column."""

    weights: np.ndarray
    loadings: np.ndarray
    rotations: np.ndarray
    y_loadings: np.ndarray
    scores: np.ndarray


class Scaling(NamedTuple):
    """Centers and scales of features and class indicators."""

    mean: np.ndarray
    scale: np.ndarray
    y_mean: np.ndarray
    y_scale: np.ndarray

    @classmethod
    def of(cls, X, E, scaling):
        """Return the scaling for X and E; constant columns are only centered."""
        with np.errstate(under="ignore"):
            spread = X.std(axis=0, ddof=1)
        power = {"standard": 1.0, "pareto": 0.5, "none": 0.0}[scaling]
        scale = np.where(spread > 0.0, spread, 1.0) ** power
        n, share = len(X), E.sum(axis=0) / len(X)
        y_spread = np.sqrt(share * (1.0 - share) * n / (n - 1))
        y_scale = np.where(y_spread > 0.0, y_spread, 1.0)
        return cls(X.mean(axis=0), scale, share, y_scale)

    def __call__(self, X, E):
        """Return centered and scaled features and indicators."""
        return (X - self.mean) / self.scale, Indicators(E, self.y_mean, self.y_scale)


class Indicators(NamedTuple):
    """Centered and scaled class indicators Y of samples; a dense Y may be too large."""

    ones: csr_array  # (n, C) with a 1 in the column of each sample's class
    mean: np.ndarray
    scale: np.ndarray

    def products(self, A):
        """Return A'Y (m, C) for an array A (n, m)."""
        return (A.T @ self.ones - np.outer(A.sum(axis=0), self.mean)) / self.scale

    def squares(self):
        """Return the sum of squares of Y."""
        n, counts = self.ones.shape[0], self.ones.sum(axis=0)
        sums = counts * (1.0 - 2.0 * self.mean) + n * self.mean**2
        return np.sum(sums / self.scale**2)

    def explained(self, T, loadings):
        """Return the sum of squares of Y minus that of Y - T loadings'."""
        return np.sum((2.0 * self.products(T) - T.T @ T @ loadings.T) * loadings.T)


class PartialLeastSquares(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ScoringClassifier
):
    """Base of PLS-DA and OPLS-DA; subclasses define the components."""

    _rules: ClassVar = {
        "n_components": whole(1),
        "scaling": one_of("standard", "pareto", "none"),
    }
    _learned: ClassVar[Learned] = {
        "classes_": classes(),
        **{
            name: numbers("features", "components")
            for name in ("weights_", "loadings_", "rotations_")
        },
        "y_loadings_": numbers("classes", "components"),
        "scores_": numbers("objects", "components"),
        "held_out_scores_": numbers("objects", "components"),
        "vip_": numbers("features"),
        "vip_intervals_": numbers("features", 2),
        **{name: finite() for name in ("r2x_", "r2y_", "q2_")},
        **{name: numbers("features") for name in ("mean_", "scale_")},
        **{name: numbers("classes") for name in ("y_mean_", "y_scale_")},
    }
    _training_data: ClassVar = ("scores_", "held_out_scores_")

    @reports_to_callbacks
    def fit(self, X, y) -> Self:
        """Fit the components to labeled samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels of the samples.

        Returns
        -------
        self : object
            The fitted map.
        """
        check_params(self)
        X = check_X(self, X, min_samples=2).astype(np.float64)
        self.classes_, codes = check_labels(y, len(X), owner=type(self).__name__)
        self._check_sizes(X)
        warn_if_labels_say_nothing(X, codes, owner=type(self).__name__)
        if not np.ptp(X, axis=0).any():
            raise nothing_differs("there is nothing to draw", owner=type(self).__name__)
        shape = len(X), len(self.classes_)
        E = csr_array((np.ones(len(X)), codes, np.arange(len(X) + 1)), shape=shape)
        frame = Scaling.of(X, E, self.scaling)
        self.mean_, self.scale_, self.y_mean_, self.y_scale_ = frame
        with one_blas_thread():
            scaled_X, scaled_Y = frame(X, E)
            parts = self._components(scaled_X, scaled_Y)
            self.weights_, self.loadings_, self.rotations_ = parts[:3]
            self.y_loadings_, self.scores_ = parts[3:]
            self.r2x_ = _explained(scaled_X, self.scores_ @ self.loadings_.T)
            explained = scaled_Y.explained(self.scores_, self.y_loadings_)
            self.r2y_ = float(explained / scaled_Y.squares())
            self.vip_ = self._importance(parts)
            self._cross_validate(X, E, codes, frame)
        return self

    def _check_sizes(self, X):
        for words, most in (("n_features", X.shape[1]), ("n_samples - 1", len(X) - 1)):
            if self.n_components > most:
                raise InputError(
                    f"n_components must be at most {words} = {most}, got "
                    f"{self.n_components}.",
                    owner=type(self).__name__,
                    parameter="n_components",
                )

    def _cross_validate(self, X, E, codes, frame):
        """Store Q2, held-out scores and intervals of the VIP, from models of folds."""
        place = np.empty(len(X), dtype=int)  # classes are distributed over the folds
        place[np.argsort(codes, kind="stable")] = np.arange(len(X))
        folds = place % min(N_FOLDS, len(X))
        scores, residuals, importances = np.empty_like(self.scores_), 0.0, []
        for fold in range(folds.max() + 1):
            held = folds == fold
            inner = Scaling.of(X[~held], E[~held], self.scaling)
            parts = self._components(*inner(X[~held], E[~held]))
            T = inner(X[held], E[held])[0] @ parts.rotations
            Y = Indicators(E[held], inner.y_mean, frame.y_scale)
            loadings = parts.y_loadings * (inner.y_scale / frame.y_scale)[:, None]
            residuals += Y.squares() - Y.explained(T, loadings)
            signs = np.sum(parts.rotations * self.rotations_, axis=0)
            scores[held] = T * np.where(signs < 0.0, -1.0, 1.0)
            importances.append(self._importance(parts))
        self.held_out_scores_ = scores
        self.q2_ = float(1.0 - residuals / frame(X, E)[1].squares())
        M, spread = len(importances), np.std(importances, axis=0)
        half = student.ppf(0.975, M - 1) * np.sqrt(M - 1.0) * spread  # jackknife
        ends = self.vip_[:, None] + half[:, None] * [-1.0, 1.0]
        self.vip_intervals_ = np.maximum(ends, 0.0)

    def _importance(self, parts):
        """Return the VIP (N,): squared directions weighted by explained variance."""
        explained = np.sum(parts.scores**2, axis=0) * np.sum(parts.y_loadings**2, 0)
        total = max(explained.sum(), np.finfo(float).tiny)
        D = self._directions(parts)
        return np.sqrt(len(D) * (D**2 @ explained) / total)

    @lazy
    def transform(self, X) -> Array:
        """Map fitted or new samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        T : ndarray of shape (n_samples, n_components)
            Scores of the samples.
        """
        check_is_fitted(self)
        X = check_X(self, X, reset=False)
        with one_blas_thread():
            T = (X - self.mean_) / self.scale_ @ self.rotations_
        return T.astype(X.dtype, copy=False)

    @lazy
    def predict(self, X) -> Array:
        """Predict the class with the largest indicator, by regression on the scores.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Predicted classes of the samples.
        """
        T = self.transform(X)
        with one_blas_thread():
            predicted = T @ self.y_loadings_.T * self.y_scale_ + self.y_mean_
        return self.classes_[predicted.argmax(axis=1)]

    @property
    def _n_features_out(self):
        check_is_fitted(self)
        return self.rotations_.shape[1]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


@shared_parameters(TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class PLSDA(PartialLeastSquares):
    r"""Linear map onto axes of largest covariance of features and classes (PLS-DA).

    Partial least squares discriminant analysis gives the usual score plot of
    metabolomics, proteomics and spectroscopy. PLS-DA can use many correlated features,
    even more features than samples.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map, at most n_samples - 1 and at most n_features.
    {scaling}

    Attributes
    ----------
    {attributes}
    {seen}

    Notes
    -----
    {caution}

    With scaled features :math:`X` and scaled class indicators :math:`Y`, the weights
    :math:`w` of a component are the first left singular vector of :math:`X^\top Y`, to
    which the power iteration of NIPALS converges. Then :math:`t = X w`, :math:`p =
    X^\top t / t^\top t`, :math:`c = Y^\top t / t^\top t`, and :math:`t p^\top` and
    :math:`t c^\top` are subtracted. With :math:`s_a = |t_a|^2 |c_a|^2` the importance
    of feature j of N is :math:`\sqrt{{N \sum_a s_a w_{{ja}}^2 / \sum_a s_a}}`.

    References
    ----------
    S. Wold, M. Sjöström, L. Eriksson. PLS-regression: a basic tool of chemometrics.
    Chemometrics and Intelligent Laboratory Systems 58, 2001.

    J. A. Westerhuis et al. Assessment of PLSDA cross validation. Metabolomics 4, 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from labelscape.embeddings import PLSDA
    >>> X, y = load_wine(return_X_y=True)
    >>> plsda = PLSDA().fit(X, y)
    >>> plsda.transform(X[:3]).shape
    (3, 2)
    >>> round(plsda.r2y_, 2), round(plsda.q2_, 2)
    (0.79, 0.78)
    """

    n_components: int = field(default=2, kw_only=False)
    scaling: str = "standard"

    _keeps: ClassVar = (
        "Finds a linear projection along which features and classes vary together."
    )

    def _components(self, X, Y):
        columns = _Columns(X, Y)
        for _ in range(self.n_components):
            columns.add(columns.shared_direction())
        return columns.all()

    def _directions(self, parts):
        return parts.weights


@shared_parameters(TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class OPLSDA(PartialLeastSquares):
    r"""Linear map with axes that predict the class, and orthogonal axes (OPLS-DA).

    Orthogonal partial least squares rotates PLS-DA. For C classes, the first C - 1 axes
    contain all variation that predicts the class, and the other axes contain unrelated
    variation of the features. For two classes, only the first axis predicts the class.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map: predictive components, then orthogonal ones.
    n_orthogonal : int, default=1
        Number of orthogonal components that are removed from the features; more if
        ``n_components`` needs them.
    {scaling}

    Attributes
    ----------
    {attributes}
    {seen}

    Notes
    -----
    {caution}

    With scaled features :math:`X` and scaled class indicators :math:`Y`, the columns of
    :math:`W` are the left singular vectors of :math:`X^\top Y`, and :math:`T = X W`.
    The weights :math:`w_o` of an orthogonal component are the first left singular
    vector of :math:`(X - T W^\top)^\top T`, which for two classes is :math:`p - w`;
    :math:`t_o p_o^\top` is subtracted from :math:`X` before the next component. The
    predictive components are the PLS components of the remaining :math:`X`. The
    importance of a feature is computed as for PLS-DA, with normalized loadings instead
    of the weights.

    References
    ----------
    J. Trygg, S. Wold. Orthogonal projections to latent structures (O-PLS). Journal of
    Chemometrics 16, 2002.

    B. Galindo-Prieto, L. Eriksson, J. Trygg. Variable influence on projection (VIP) for
    orthogonal projections to latent structures. Journal of Chemometrics 28, 2014.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from labelscape.embeddings import OPLSDA
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> oplsda = OPLSDA().fit(X, y)
    >>> oplsda.transform(X[:3]).shape
    (3, 2)
    >>> round(oplsda.r2y_, 2), round(oplsda.q2_, 2)
    (0.7, 0.68)
    """

    n_components: int = field(default=2, kw_only=False)
    n_orthogonal: int = 1
    scaling: str = "standard"

    _keeps: ClassVar = (
        "Finds axes that predict the class, and axes of unrelated variation."
    )
    _rules: ClassVar = {"n_orthogonal": whole(0)}

    def _components(self, X, Y):
        columns = _Columns(X, Y)
        W = columns.shared_directions()
        n_predictive = min(self.n_components, W.shape[1])
        n_orthogonal = max(self.n_orthogonal, self.n_components - n_predictive)
        for _ in range(n_orthogonal):
            T = columns.X @ W
            unrelated = columns.X.T @ T - W @ (T.T @ T)
            columns.add(_leading(unrelated, np.linalg.norm(T) ** 2))
        for _ in range(n_predictive):  # X'Y is unchanged: X w_o is orthogonal to Y
            columns.add(columns.shared_direction())
        shown = np.roll(np.arange(n_orthogonal + n_predictive), n_predictive)
        return Components(
            *(part[:, shown[: self.n_components]] for part in columns.all())
        )

    def _directions(self, parts):
        return np.column_stack([_unit(p, 0.0) for p in parts.loadings.T])


class _Columns:
    """The components found so far, and the residuals of X."""

    # X'Y and Y't are the same for the residuals of Y, because X't = 0 for earlier t.
    def __init__(self, X, Y):
        self.X, self.Y, self.parts = X.copy(), Y, []
        self.size = np.linalg.norm(Y.products(X))

    def shared_direction(self):
        """Return the first left singular vector of X'Y (N,), or 0 if X'Y is 0."""
        return _leading(self.Y.products(self.X), self.size)

    def shared_directions(self):
        """Return all left singular vectors of X'Y as columns, at least one."""
        M = self.Y.products(self.X)
        U, s, _ = np.linalg.svd(M, full_matrices=False)
        return U[:, : max(np.sum(s > NOTHING * s[0]), 1)]

    def loading(self, t):
        """Return the coefficients (N,) of the regression of the residual X on t."""
        return self.X.T @ t / max(t @ t, np.finfo(float).tiny)

    def add(self, w):
        """Add the component with weights w, and subtract it from X."""
        t = self.X @ w
        c = self.Y.products(t[:, None])[0] / max(t @ t, np.finfo(float).tiny)
        p = self.loading(t)
        r = w.copy()
        for _, before, rotation, *_ in self.parts:
            r -= (before @ w) * rotation
        self.X -= np.outer(t, p)
        self.parts.append((w, p, r, c, t))

    def all(self):
        return Components(*map(np.column_stack, zip(*self.parts, strict=True)))


def _leading(M, size):
    """Return the first left singular vector of M (N, m), or 0 if M is almost 0."""
    if len(M) < M.shape[1]:
        w = np.linalg.eigh(M @ M.T)[1][:, -1]
    else:
        w = M @ np.linalg.eigh(M.T @ M)[1][:, -1]
    return _unit(w * np.sign(w[np.abs(w).argmax()]), size)


def _unit(v, size):
    """Return v scaled to length 1, or zeros if v is negligible."""
    length = np.linalg.norm(v)
    return v / length if length > NOTHING * size and length > 0.0 else np.zeros_like(v)


def _explained(given, modeled):
    """Return the share of a sum of squares that a model explains."""
    return float(1.0 - np.sum((given - modeled) ** 2) / np.sum(given**2))
