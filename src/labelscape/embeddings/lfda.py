"""LFDA: a linear map that separates the classes and preserves groups in each class."""

from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from scipy.linalg import eigh

from labelscape._core.errors import InputError
from labelscape._core.estimator import reports_to_callbacks
from labelscape._core.learned import Learned, classes, numbers
from labelscape._core.params import check_params, finite, one_of, whole
from labelscape._core.points.distances import (
    nearest_neighbors,
)
from labelscape._core.points.spaces import Points
from labelscape._core.rows.any_rows import rows_of
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape._resampling.label_signal import (
    MOST_COMPARED,
    warn_if_labels_say_nothing,
)
from labelscape.embeddings._base import LinearMap, with_positive_peaks
from labelscape.embeddings._lfda_chunks import scatter_of_chunks

# The ridge added to a singular S_w is the first share of the mean eigenvalue of S_w,
# but at least the second share of that of S_w + S_b.
RIDGE, LEAST_RIDGE = 1e-9, 1e-12


@dataclass(eq=False, repr=False, kw_only=True)
class LFDA(LinearMap):
    r"""Linear map that separates the classes and preserves groups in each class.

    Fisher's discriminant analysis pulls all samples of a class together. Local Fisher
    discriminant analysis pulls together only samples that are near each other, so the
    groups of a class stay separate. New samples are mapped by the same matrix.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map; at most the number of features.
    n_neighbors : int, default=7
        The scale of each sample is its distance to this neighbor in its class;
        copies are ignored. In smaller classes, the scale is the distance to the
        farthest sample.
    scaling : {"weighted", "plain", "orthonormalized"}, default="weighted"
        Length of the axes. The criterion determines only the span of the axes, but
        distances depend on their length. "weighted" multiplies each axis by the square
        root of its eigenvalue, so that axes that separate the classes better are
        longer. "plain" scales each axis so that the scatter within classes is 1.
        "orthonormalized" makes the axes orthogonal, with length 1, so that the map is a
        projection.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The axes of the map, most discriminative first. The entry of largest magnitude
        of each axis is positive.
    eigenvalues_ : ndarray of shape (n_components,)
        Local scatter between classes divided by scatter within classes, for each axis.
    ridge_ : float
        Number added to the diagonal of the within-class scatter, in squared units of X;
        0 unless this matrix was singular.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        Number of features in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features in ``fit``, if X had names of columns.

    Notes
    -----
    With :math:`\sigma_i` the distance of :math:`x_i` to its k-th nearest different
    neighbor in its class and the affinity
    :math:`A_{ij} = \exp(-|x_i-x_j|^2 / \sigma_i\sigma_j)`, the axes are the leading
    solutions of :math:`S_b t = \lambda S_w t` with

    .. math::

       S = \tfrac12 \sum_{ij} W_{ij} (x_i-x_j)(x_i-x_j)^\top, \quad
       W^w_{ij} = A_{ij}/n_l, \quad W^b_{ij} = A_{ij}(1/n - 1/n_l)

    for two samples of the same class :math:`l` of size :math:`n_l`, and :math:`W^w_{ij}
    = 0`, :math:`W^b_{ij} = 1/n` for samples of different classes. Distances are
    computed in blocks of rows, in :math:`O(\sum_l n_l^2 N)` time.

    The within-class scatter is singular if a feature is constant or there are too many
    features for the number of samples. Then a ridge of about 1e-9 of its mean
    eigenvalue is added and stored in ``ridge_``. Eigenvalues near 1e9 belong to
    directions in which no class has any spread; read them as "infinite" and do not
    compare them. With "weighted" scaling, axes with infinite eigenvalues get the same
    spread between classes as the longest other axis; otherwise, a binary feature that
    marks one class would put all other classes at one point. If all eigenvalues are
    infinite, the largest spread is 1.

    Scale the features first (``StandardScaler``), as for every method that uses
    distances. The axes are fitted to the labels, so measure the separation on held-out
    samples. The fit warns if the labels cannot be predicted from the data.

    References
    ----------
    M. Sugiyama. Dimensionality reduction of multimodal labeled data by local Fisher
    discriminant analysis. JMLR 8, 2007. As used by K. Bunte et al., Limited Rank Matrix
    Learning, discriminative dimension reduction and visualization, 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import LFDA
    >>> X, y = load_iris(return_X_y=True)
    >>> lfda = LFDA().fit(X, y)
    >>> lfda.transform(X[:3]).shape
    (3, 2)
    >>> lfda.get_feature_names_out()
    array(['lfda0', 'lfda1'], dtype=object)
    """

    n_components: int = field(default=2, kw_only=False)
    n_neighbors: int = 7
    scaling: str = "weighted"

    _takes_sparse = True
    _keeps: ClassVar = (
        "Finds a linear projection that separates the classes and keeps the subgroups "
        "of each class."
    )
    _rules: ClassVar = {
        "n_components": whole(1),
        "n_neighbors": whole(1),
        "scaling": one_of("weighted", "plain", "orthonormalized"),
    }
    _learned: ClassVar[Learned] = {
        "classes_": classes(),
        "components_": numbers("components", "features"),
        "eigenvalues_": numbers("components"),
        "ridge_": finite(0),
    }

    @reports_to_callbacks
    def fit(self, X, y) -> Self:
        """Find the axes from labeled samples.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The samples. A sparse matrix is made dense one class at a time. Chunks of a
            Dask array or data frame stay on their workers.
        y : array-like of shape (n_samples,)
            Class labels of the samples, two classes or more.

        Returns
        -------
        self : LFDA
            The fitted map.
        """
        check_params(self)
        rows = rows_of(self, X, y, accept_sparse=True)
        self.classes_, n_features = rows.labels, rows.shape[1]
        self._check_n_components(n_features)
        some = rows.sampled(MOST_COMPARED)
        warn_if_labels_say_nothing(some.X, some.codes, owner="LFDA")
        scatter = scatter_of_chunks if rows.is_chunked else scatter_in_memory
        S_w, S_b, size = scatter(rows, self.n_neighbors)
        ridge = _ridge(S_w, S_b)
        leading = (n_features - self.n_components, n_features - 1)
        with one_blas_thread():  # S_b t = lambda S_w t (eq. 36)
            eigenvalues, T = eigh(
                S_b, S_w + ridge * np.eye(n_features), subset_by_index=leading
            )
        eigenvalues, axes = eigenvalues[::-1], T.T[::-1]
        self.ridge_ = ridge * size**2
        self.eigenvalues_ = eigenvalues
        has_no_spread = ridge * np.sum(axes**2, axis=1) > 0.5  # within all classes
        is_endless = has_no_spread & (eigenvalues > 1.0)
        axes = _scaled(axes / size, eigenvalues, is_endless, self.scaling)
        self.components_ = with_positive_peaks(axes)  # eq. 8
        return self


def _ridge(S_w, S_b):
    """Return the number to add to the diagonal of S_w to make it invertible."""
    spread = np.trace(S_w)
    if spread <= 0.0:
        raise InputError(
            "no class has two different samples, so the scatter within classes is 0. "
            "Add different samples to at least one class.",
            owner="LFDA",
        )
    total = spread + max(np.trace(S_b), 0.0)
    with one_blas_thread():
        smallest = np.linalg.eigvalsh(S_w)[0]
    if smallest > len(S_w) * np.finfo(float).eps * total:
        return 0.0
    return max(RIDGE * spread, LEAST_RIDGE * total) / len(S_w)


def _scaled(axes, eigenvalues, is_endless, scaling):
    """Return the axes (M, N), with the lengths that ``scaling`` requests."""
    if scaling == "weighted":
        # S_b has no negative eigenvalue (A <= 1), except by rounding.
        eigenvalues = np.maximum(eigenvalues, 0.0)
        lengths = np.sqrt(eigenvalues)
        if is_endless.all():
            lengths /= eigenvalues.max()
        elif is_endless.any():
            # The spread of an axis between classes is its eigenvalue.
            longest = max(eigenvalues[~is_endless].max(), 1.0)
            lengths[is_endless] = longest / lengths[is_endless]
        return lengths[:, None] * axes
    if scaling == "orthonormalized":
        return np.linalg.qr(axes.T)[0].T
    return axes


# The scatter matrices of LFDA, computed by class (Bunte et al. 2012, eqs. 32-35).


def scatter_in_memory(rows, n_neighbors):
    """Return S_w and S_b of scaled samples in memory, and their scale."""
    X = rows.X.astype(np.float64)
    if rows.is_sparse:
        mean = np.asarray(X.mean(axis=0)).ravel()
        size = max(np.abs(end - mean).max() for end in rows.ranges) or 1.0
        # Relative to the mean, to reduce rounding errors.
        total = (np.asarray(X.sum(axis=0)).ravel() - len(rows) * mean) / size

        def of_class(c):
            return (X[rows.codes == c].toarray() - mean) / size

    else:
        X -= X.mean(axis=0)
        size = np.abs(X).max() or 1.0
        X /= size
        total = X.sum(axis=0)

        def of_class(c):
            return X[rows.codes == c]

    return *local_scatter(of_class, rows.class_sizes, total, n_neighbors), size


def local_scatter(of_class, sizes, total, n_neighbors):
    """Return S_w and S_b (N, N) of centered samples, summed over classes.

    S_w = 1/2 sum W^w_ij (x_i - x_j)(x_i - x_j)^T,  W^w = A_ij / n_l   in class l
    S_b = 1/2 sum W^b_ij (x_i - x_j)(x_i - x_j)^T,  W^b = A_ij (1/n - 1/n_l)  in class
    l, 1/n between classes

    ``of_class(c)`` returns the samples of class c; ``total`` (N,) is the sum of all
    samples. Samples should be centered, because S_b is a difference of large sums.
    """
    n, n_features = sizes.sum(), len(total)
    S_w = np.zeros((n_features, n_features))
    S_m = np.zeros((n_features, n_features))  # S_w + S_b: all pairs
    for c, n_c in enumerate(sizes):
        Xc = of_class(c)
        G = affinity_scatter(Xc, n_neighbors)
        s_c = Xc.sum(axis=0)
        S_w += G / n_c
        with one_blas_thread():
            S_m += G / n + (1.0 - n_c / n) * (Xc.T @ Xc) + np.outer(s_c, s_c) / n
    return S_w, S_m - np.outer(total, total) / n - S_w


def affinity_scatter(X, n_neighbors):
    """Return ``1/2 sum A_ij (x_i - x_j)(x_i - x_j)^T`` over the samples of one class.

    A_ij = exp(-|x_i - x_j|^2 / (sigma_i sigma_j)), or 0 where sigma_i sigma_j = 0, with
    sigma_i the distance of x_i to its k-th nearest sample (eq. 32). Copies of x_i are
    skipped, because k of them would make sigma_i and all affinities 0. A is computed in
    blocks of rows.
    """
    n, n_features = X.shape
    X = X - X.mean(axis=0)  # avoids a loss of digits
    points = Points(X)
    first, number = points.distinct()
    if len(first) == 1:
        return np.zeros((n_features, n_features))
    k = min(n_neighbors, len(first) - 1)
    sigma = nearest_neighbors(X[first], k)[1][number, -1]

    def laplacian_rows(rows):
        spread = np.outer(sigma[rows], sigma)
        A = points.squared_rows(rows)
        np.divide(A, spread, out=A, where=spread > 0)
        np.exp(-A, out=A)
        A[spread == 0] = 0.0
        return A.sum(axis=1)[:, None] * X[rows] - A @ X

    LX = np.concatenate(map_blocks(laplacian_rows, row_blocks(n, 3 * 8 * n)))
    with one_blas_thread():
        G = X.T @ LX  # X^T (diag(A 1) - A) X
    return (G + G.T) / 2.0
