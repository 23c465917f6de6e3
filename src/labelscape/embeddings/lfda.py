"""LFDA: the straight view that parts the classes and leaves each one its shape."""

from typing import ClassVar

import numpy as np
from scipy.linalg import eigh
from sklearn.base import (
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_labels, check_X
from labelscape._core.chunks.labeled import labeled_chunks
from labelscape._core.chunks.lazy import lazy
from labelscape._core.chunks.recognition import is_chunked
from labelscape._core.errors import InputError
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.estimator import Estimator
from labelscape._core.fits.learned import Learned, classes, numbers
from labelscape._core.label_signal import MOST_COMPARED, warn_if_labels_say_nothing
from labelscape._core.points.ranks import nearest_neighbors
from labelscape._core.points.spaces import Points
from labelscape._core.rules import check_params, finite, one_of, whole
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape.embeddings._initialization import with_positive_peaks
from labelscape.embeddings._lfda_chunks import scatter_of_chunks

# Added to S_w where it is singular, relative to its mean eigenvalue, and at least so
# much relative to that of the scatter of all pairs, whose rounding it has.
RIDGE, LEAST_RIDGE = 1e-9, 1e-12


class LFDA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    r"""Linear map that parts the classes and keeps the groups inside each class.

    Fisher's discriminant analysis pulls a whole class together. Local Fisher
    discriminant analysis pulls together only objects of a class that are near each
    other, so a class made of several groups stays several groups. New objects are
    mapped by the same matrix.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map; at most the number of features.
    n_neighbors : int, default=7
        An object's own scale is the distance to this neighbor inside its class, where
        copies count as one. In classes with too few objects it is the farthest one.
    scaling : {"weighted", "plain", "orthonormalized"}, default="weighted"
        Length of the axes. The criterion fixes only their span, but distances on the
        map depend on it. "weighted": each axis times the square root of its eigenvalue,
        so that an axis which separates more is longer. "plain": unit scatter within the
        classes along each axis. "orthonormalized": orthogonal axes of length 1, a plain
        projection.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The axes of the map, the most discriminative first. The entry of largest
        magnitude of each is positive.
    eigenvalues_ : ndarray of shape (n_components,)
        Local scatter between the classes, in units of that within, along each axis.
    ridge_ : float
        What was added to the diagonal of the within-class scatter, in squared units of
        X: 0 unless that matrix was singular.
    classes_ : ndarray of shape (n_classes,)
        The class labels.

    Notes
    -----
    With :math:`\sigma_i` the distance of :math:`x_i` to its k-th nearest different
    neighbor in its class and the affinity
    :math:`A_{ij} = \exp(-|x_i-x_j|^2 / \sigma_i\sigma_j)`, the axes are the leading
    solutions of :math:`S_b t = \lambda S_w t` with

    .. math::

       S = \tfrac12 \sum_{ij} W_{ij} (x_i-x_j)(x_i-x_j)^\top, \quad
       W^w_{ij} = A_{ij}/n_l, \quad W^b_{ij} = A_{ij}(1/n - 1/n_l)

    for two objects of the same class :math:`l` of size :math:`n_l`, and
    :math:`W^w_{ij} = 0`, :math:`W^b_{ij} = 1/n` for objects of different classes.
    Memory is O(blocks of rows of a class), time :math:`O(\sum_l n_l^2 N)`.

    The within-class scatter is singular when a feature is constant or there are more
    features than objects can span. Then a ridge of 1e-9 of its mean eigenvalue is added
    and kept in ``ridge_``; eigenvalues near 1e9 come from directions in which no class
    has any spread, and should be read as "infinite", not compared. Beside axes with a
    finite one, "weighted" gives them the spread between classes of the longest of
    these: a yes-or-no feature that tells one class would leave the others in one point.
    Where all are infinite, the longest has a spread of 1.

    Features on one scale (``StandardScaler``) are expected, as for every method that
    measures distances. The axes are fitted to the labels: judge the separation on held
    out objects, not on those the map was fitted to. The fit warns where the labels
    cannot be told from the data at all.

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

    _keeps: ClassVar = (
        "A linear plane that parts the classes and keeps the groups inside each."
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

    def __init__(self, n_components=2, *, n_neighbors=7, scaling="weighted"):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.scaling = scaling

    @tells_callbacks
    def fit(self, X, y):
        """Find the axes from labelled objects.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The objects. Of a sparse matrix, a class at a time becomes dense; an array
            or data frame of Dask stays where it is.
        y : array-like of shape (n_samples,)
            Their class labels, two classes or more.

        Returns
        -------
        self : LFDA
            The fitted map.
        """
        check_params(self)
        if is_chunked(X):
            return self._fit_chunks(X, y)
        X = check_X(self, X, accept_sparse=True).astype(np.float64)
        self.classes_, class_of = check_labels(y, X.shape[0], owner="LFDA")
        self._check_components(X.shape[1])
        is_sparse = hasattr(X, "tocsr")
        X = _CenteredRows(X) if is_sparse else X
        warn_if_labels_say_nothing(X, class_of, owner="LFDA")
        if is_sparse:
            size = X.size
        else:
            X -= X.mean(axis=0)
            size = np.abs(X).max() or 1.0
            X /= size
        S_w, S_b = local_scatter(X, class_of, self.n_neighbors)
        return self._keep(S_w, S_b, size)

    def _fit_chunks(self, X, y):
        """Fit to chunked objects, pair of chunks after pair."""
        chunks = labeled_chunks(self, X, y)
        self.classes_ = chunks.classes
        self._check_components(chunks.shape[1])
        some = chunks.by_class(MOST_COMPARED)
        warn_if_labels_say_nothing(some.X, some.classes, owner="LFDA", stacklevel=4)
        return self._keep(*scatter_of_chunks(chunks, self.n_neighbors))

    def _check_components(self, n_features):
        if self.n_components > n_features:
            raise InputError(
                "n_components must be at most the number of features "
                f"(n_features={n_features}), got {self.n_components}.",
                owner="LFDA",
                parameter="n_components",
            )

    def _keep(self, S_w, S_b, size):
        """Keep the axes that two scatter matrices, in a unit of length, tell."""
        ridge = _ridge(S_w, S_b)
        eigenvalues, axes = _leading_axes(S_w, S_b, ridge, self.n_components)

        self.ridge_ = ridge * size**2
        self.eigenvalues_ = eigenvalues
        has_no_spread = ridge * np.sum(axes**2, axis=1) > 0.5  # inside any class
        is_endless = has_no_spread & (eigenvalues > 1.0)
        axes = _scaled(axes / size, eigenvalues, is_endless, self.scaling)
        self.components_ = with_positive_peaks(axes)  # eq. 8
        return self

    @lazy
    def transform(self, X):
        """Map objects, new ones too.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The objects.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            Their places on the map: ``X @ components_.T``.
        """
        check_is_fitted(self)
        X = check_X(self, X, reset=False, accept_sparse=True)
        with one_blas_thread():
            return X @ self.components_.T.astype(X.dtype)

    @property
    def _n_features_out(self):
        check_is_fitted(self)
        return len(self.components_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class _CenteredRows:
    """The rows of a sparse matrix about their mean, in units of the largest value."""

    def __init__(self, matrix):
        self._matrix, self.shape = matrix, matrix.shape
        self._mean = np.asarray(matrix.mean(axis=0)).ravel()
        ends = (matrix.min(axis=0), matrix.max(axis=0))
        gaps = [np.asarray(end.todense()).ravel() - self._mean for end in ends]
        self.size = np.abs(gaps).max() or 1.0

    def __getitem__(self, rows):
        return (self._matrix[rows].toarray() - self._mean) / self.size

    def sum(self, axis):
        """Return the sums of the columns, which are rounding about the mean."""
        total = np.asarray(self._matrix.sum(axis=axis)).ravel()
        return (total - self.shape[0] * self._mean) / self.size


def _ridge(S_w, S_b):
    """Return what must be added to the diagonal of S_w before it can be divided by."""
    spread = np.trace(S_w)
    if spread <= 0.0:
        raise InputError(
            "no class has two different objects, so there is no scatter within "
            "classes to compare with. Give at least one class more objects.",
            owner="LFDA",
        )
    total = spread + max(np.trace(S_b), 0.0)
    with one_blas_thread():
        smallest = np.linalg.eigvalsh(S_w)[0]
    if smallest > len(S_w) * np.finfo(float).eps * total:
        return 0.0
    return max(RIDGE * spread, LEAST_RIDGE * total) / len(S_w)


def _leading_axes(S_w, S_b, ridge, n_components):
    """Return the largest solutions of S_b t = lambda S_w t, axes as rows (eq. 36)."""
    N = len(S_w)
    with one_blas_thread():
        eigenvalues, T = eigh(
            S_b, S_w + ridge * np.eye(N), subset_by_index=(N - n_components, N - 1)
        )
    return eigenvalues[::-1], T.T[::-1]


def _scaled(axes, eigenvalues, is_endless, scaling):
    """Return axes (M, N) of unit scatter within the classes at the asked length."""
    if scaling == "weighted":
        # S_b has no negative direction (A <= 1), but rounding may leave -1e-17.
        eigenvalues = np.maximum(eigenvalues, 0.0)
        lengths = np.sqrt(eigenvalues)
        if is_endless.all():
            lengths /= eigenvalues.max()
        elif is_endless.any():
            # An axis has the spread lambda between classes: that of the longest one.
            longest = max(eigenvalues[~is_endless].max(), 1.0)
            lengths[is_endless] = longest / lengths[is_endless]
        return lengths[:, None] * axes
    if scaling == "orthonormalized":
        return np.linalg.qr(axes.T)[0].T
    return axes


# The two scatter matrices of LFDA, class by class (paper 000, eqs. 32-35).


def local_scatter(X, class_of, n_neighbors):
    """Return S_w and S_b (N, N) of the objects X (n, N) with classes ``class_of`` (n,).

    S_w = 1/2 sum W^w_ij (x_i - x_j)(x_i - x_j)^T,  W^w = A_ij / n_l   in class l
    S_b = 1/2 sum W^b_ij (x_i - x_j)(x_i - x_j)^T,  W^b = A_ij (1/n - 1/n_l)  in class
    l, 1/n between classes

    The pairs are never formed: sums over classes give the same matrices. X should be
    centred, because the between-class part is a difference of sums over all objects.
    """
    n, n_features = X.shape
    S_w = np.zeros((n_features, n_features))
    S_m = np.zeros((n_features, n_features))  # S_w + S_b: all pairs
    for c in range(class_of.max() + 1):
        Xc = X[class_of == c]
        n_c = len(Xc)
        G = affinity_scatter(Xc, n_neighbors)
        s_c = Xc.sum(axis=0)
        S_w += G / n_c
        with one_blas_thread():
            S_m += G / n + (1.0 - n_c / n) * (Xc.T @ Xc) + np.outer(s_c, s_c) / n
    s = X.sum(axis=0)
    return S_w, S_m - np.outer(s, s) / n - S_w


def affinity_scatter(X, n_neighbors):
    """Return ``1/2 sum A_ij (x_i - x_j)(x_i - x_j)^T`` over the objects of one class.

    A_ij = exp(-|x_i - x_j|^2 / (sigma_i sigma_j)), or 0 where sigma_i sigma_j = 0, with
    sigma_i the distance of x_i to its k-th nearest different object (eq. 32): a row
    with k copies would else have the scale 0, and no affinity to any other. A exists
    one block of rows at a time.
    """
    n, n_features = X.shape
    X = X - X.mean(axis=0)  # G is a sum of differences: a small origin loses no digits
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

    blocks = row_blocks(n, 3 * 8 * n)
    LX = np.concatenate(map_blocks(laplacian_rows, blocks))
    with one_blas_thread():
        G = X.T @ LX  # X^T (diag(A 1) - A) X
    return (G + G.T) / 2.0
