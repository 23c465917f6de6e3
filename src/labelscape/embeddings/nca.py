"""NCA: a linear map on which neighbors have the same class."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.utils.validation import check_random_state

from labelscape._core.checks import check_X
from labelscape._core.estimator import (
    AsInPaper,
    Printed,
    Progress,
    reports_to_callbacks,
)
from labelscape._core.labels import check_labels
from labelscape._core.learned import Learned, classes, curve, numbers
from labelscape._core.params import (
    COMMON,
    check_params,
    either,
    function,
    one_of,
    whole,
)
from labelscape._core.points.distances import squared_distances
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape._resampling.label_signal import warn_if_labels_say_nothing
from labelscape.embeddings._base import LinearMap, with_positive_peaks

# Size of a random start for features of variance 1. With size 1, samples would be so
# far apart that each has one neighbor, and the gradient would vanish.
SMALL = 0.1
# Blocks of rows whose sums, of the size of the map, are kept at the same time.
AT_ONCE = 64


@dataclass(eq=False, repr=False, kw_only=True)
class NCA(LinearMap, AsInPaper):
    r"""Linear map on which the neighbors of a sample have its class.

    Neighborhood components analysis with the logarithmic objective. Each sample draws a
    random neighbor, most often a near one, and the map maximizes the mean of the
    *logarithm* of the probability that this neighbor has the same class.
    :class:`sklearn.neighbors.NeighborhoodComponentsAnalysis` sums the probability
    itself, so a sample far from its class has almost no gradient. With the logarithm,
    this gradient is large.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map; at most the number of features.
    max_iter : int, default=100
        Maximum number of conjugate gradient iterations. Short runs overfit less.
    init : {"pca", "random"}, default="pca"
        Initial map: principal components, or random axes with entries of about 0.1 (for
        features of unit variance).
    random_state : int, RandomState or None, default=None
        Seed of a random start.
    verbose : bool, default=False
        Show progress.
    callback : callable or None, default=None
        Called after each iteration with a dict of ``iteration`` and ``loss``; if it
        returns True, the fit ends.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The axes of the map. The entry of largest magnitude of each axis is positive.
    loss_curve_ : list of float
        The negative objective after each iteration.
    n_iter_ : int
        Number of iterations.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        Number of features in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features in ``fit``, if X had names of columns.

    Notes
    -----
    With :math:`z_i = T x_i`, the fit finds the :math:`T` that maximizes

    .. math::

       \frac1n \sum_i \log \sum_{j \ne i,\; y_j = y_i} p_{ij}, \qquad
       p_{ij} = \frac{\exp(-|z_i - z_j|^2)}{\sum_{k \ne i} \exp(-|z_i - z_k|^2)}

    where classes of a single sample are ignored. An iteration takes :math:`O(n^2)`
    time; distances are computed in blocks of rows.

    Scale features first (``StandardScaler``). The axes are fitted to the labels, so
    measure the separation on held-out samples. The fit warns if the labels cannot be
    predicted from the data.

    References
    ----------
    J. Goldberger, S. Roweis, G. Hinton, R. Salakhutdinov. Neighbourhood components
    analysis. NIPS 17, 2005. As compared by K. Bunte et al., Limited Rank Matrix
    Learning, discriminative dimension reduction and visualization, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import NCA
    >>> X, y = load_iris(return_X_y=True)
    >>> NCA(max_iter=10).fit(X, y).transform(X[:3]).shape
    (3, 2)
    """

    n_components: int = field(default=2, kw_only=False)
    max_iter: int = 100
    init: str = "pca"
    random_state: Any = None
    verbose: bool = False
    callback: Any = None

    _keeps: ClassVar = (
        "Finds a linear projection in which nearest neighbors have the same class."
    )
    _in_paper: ClassVar = {
        "init": Printed("random", "PCA scores give the same map for every seed."),
    }
    _rules: ClassVar = COMMON | {
        "n_components": whole(1),
        "max_iter": whole(1),
        "init": one_of("pca", "random"),
        "callback": either(one_of(None), function()),
    }
    _learned: ClassVar[Learned] = {
        "classes_": classes(),
        "components_": numbers("components", "features"),
        "loss_curve_": curve(),
        "n_iter_": whole(0),
    }

    @reports_to_callbacks
    def fit(self, X, y) -> Self:
        """Find the axes from labeled samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels of the samples, two classes or more.

        Returns
        -------
        self : NCA
            The fitted map.
        """
        check_params(self)
        X = check_X(self, X)
        self.classes_, codes = check_labels(y, len(X), owner="NCA")
        self._check_n_components(X.shape[1])
        warn_if_labels_say_nothing(X, codes, owner="NCA")
        X = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)
        size = np.sqrt(X.var(axis=0).mean()) or 1.0
        T = self._optimized(X / size, codes)
        self.components_ = with_positive_peaks(T / size)
        return self

    def _optimized(self, X, codes):
        """Return the axes (q, N) for samples with mean 0 and variance 1."""
        start, losses = self._start(X), []
        shape = start.shape

        with Progress.of(self, self.max_iter) as progress:

            def after_iteration(intermediate_result):
                losses.append(float(intermediate_result.fun))
                if progress.step(len(losses), losses[-1]):
                    raise StopIteration

            def objective(flat):
                value, slope = loss_and_gradient(flat.reshape(shape), X, codes)
                return value, slope.ravel()

            solved = minimize(
                objective,
                start.ravel(),
                jac=True,
                method="CG",  # Polak-Ribière, as in the implementation of the paper
                callback=after_iteration,
                options={"maxiter": self.max_iter},
            )
        self.loss_curve_, self.n_iter_ = losses, len(losses)
        return solved.x.reshape(shape)

    def _start(self, X):
        """Return the axes (q, N) where the optimization starts."""
        q, n_features = self.n_components, X.shape[1]
        if self.init == "random":
            rng = check_random_state(self.random_state)
            return SMALL * rng.normal(size=(q, n_features))
        with one_blas_thread():
            axes = np.linalg.svd(X, full_matrices=len(X) < n_features)[2][:q]
            spread = np.sqrt(np.mean((X @ axes.T) ** 2)) or 1.0
        return axes / spread


def loss_and_gradient(T, X, codes):
    """Return ``-1/n sum_i log p_i`` for the axes T (q, N), and its gradient (q, N).

    p_i = sum_{j of the class of i} p_ij. With q_ij = p_ij / p_i inside the class and 0
    outside, W = p - q and L = diag((W + W^T) 1) - W - W^T, the gradient is ``-2/n (L
    Z)^T X`` with Z = X T^T. Classes of a single sample are ignored.
    """
    n, counts = len(X), np.bincount(codes)
    with one_blas_thread():
        Z = X @ T.T

    def block(rows):
        S = -squared_distances(Z[rows], Z)
        S[np.arange(len(S)), np.arange(rows.start, rows.stop)] = -np.inf
        inside = np.where(codes[rows, None] == codes, S, -np.inf)
        alone = counts[codes[rows]] == 1
        inside[alone] = S[alone]  # p_i = 1
        all_of_them, own = (logsumexp(A, axis=1, keepdims=True) for A in (S, inside))
        W = np.exp(S - all_of_them) - np.exp(inside - own)
        sums = W.sum(axis=1)[:, None] * Z[rows] - W @ Z
        return (own - all_of_them).sum(), sums, W.sum(axis=0), W.T @ Z[rows]

    value, sums, columns, products = 0.0, [], np.zeros(n), np.zeros_like(Z)
    blocks = row_blocks(n, 4 * 8 * n)
    for first in range(0, len(blocks), AT_ONCE):
        for part in map_blocks(block, blocks[first : first + AT_ONCE]):
            value += part[0]
            sums.append(part[1])
            columns += part[2]
            products += part[3]
    LZ = np.concatenate(sums) + columns[:, None] * Z - products
    with one_blas_thread():
        return -value / n, -2.0 / n * (LZ.T @ X)
