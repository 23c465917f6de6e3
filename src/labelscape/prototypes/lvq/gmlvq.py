"""GMLVQ and LiRaM LVQ: a matrix learns relevant directions; few rows give a map."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import InputTypeError
from labelscape._core.estimator import reports_to_callbacks, shared_parameters
from labelscape._core.learned import Learned, numbers, optional, record
from labelscape._core.params import (
    array,
    check_argument,
    either,
    flag,
    number,
    one_of,
    whole,
)
from labelscape._core.rows.answers import numpy_copy, of_any_rows
from labelscape._core.rows.device import device_of
from labelscape._core.rows.kinds import as_numpy, namespace_of
from labelscape._core.threads import one_blas_thread
from labelscape._core.types import Array
from labelscape.prototypes._directions import Directions, nuisance_of
from labelscape.prototypes._distances import nearest_of_all
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._forms import Matrix
from labelscape.prototypes.lvq._matrices import (
    canonical,
    constant_features,
    initial_matrix,
    normalized,
    without_null_space,
)
from labelscape.prototypes.lvq._relevance_intervals import RelevanceIntervals
from labelscape.prototypes.lvq._stream import StreamLVQ


def factors(*shape):
    """Return the `Rule` for matrices whose squares do not overflow."""
    return numbers(*shape, low=-1e50, high=1e50)


@dataclass(eq=False, repr=False, kw_only=True)
class MatrixLVQ(StreamLVQ):
    """Base of models that learn matrices, with ``n_components`` rows."""

    n_components: int | None = None
    regularization: float = 0.0
    matrix_init: Any = "auto"
    matrix_learning_rate: float = 1e-3

    _rules: ClassVar = {
        "n_components": either(whole(1), one_of(None)),
        "regularization": number(0.0),
        "matrix_init": either(
            one_of("auto", "random", "identity", "pca", "lda"), array(2)
        ),
    }

    def _rows(self, N):
        """Return the number of rows of a matrix."""
        M = N if self.n_components is None else self.n_components
        if M > N:
            raise self._error(
                "n_components must be at most the number of "
                f"features ({N}), got {M}. The data have n_features = {N}.",
                "n_components",
            )
        return int(M)


@shared_parameters(TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class GMLVQ(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, RelevanceIntervals, MatrixLVQ
):
    r"""Matrix LVQ: prototypes, and a metric that learns which directions matter.

    Parameters
    ----------
    {prototypes}
    n_components : int or None, default=None
        Number of rows of the matrix: the dimension of the space in which distances are
        computed. By default, the number of features.
    {matrix_training}

    Attributes
    ----------
    {attributes}
    {matrix_attributes}
    nuisance_ : Directions
        Directions of batches that were removed, if ``correct_for`` was passed.
    {seen}

    See Also
    --------
    LiRaMLVQ : A similar model with two or three rows, which is a map.
    LGMLVQ : A model with one matrix per class or prototype.

    Notes
    -----
    The distance is :math:`d(w, x) = |\Omega (x - w)|^2`, with :math:`\Omega` of
    Frobenius norm 1. The diagonal of :math:`\Lambda = \Omega^T \Omega` shows which
    features matter, and the other entries show which features act together.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import StandardScaler
    >>> from labelscape.prototypes import GMLVQ
    >>> X, y = load_wine(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> model = GMLVQ(random_state=0).fit(X, y)
    >>> model.omega_.shape
    (13, 13)
    >>> float(model.relevances_.sum().round(6))
    1.0
    """

    null_space_correction: bool = False

    _keeps: ClassVar = (
        "Learns prototypes and the relevance of each feature, for all classes together."
    )

    _form = Matrix()
    _learned: ClassVar[Learned] = {
        "omega_": factors("rank", "features"),
        "nuisance_": optional(record(Directions)),
    }
    _rules: ClassVar = {"null_space_correction": flag()}

    @reports_to_callbacks
    def fit(self, X, y, sample_weight=None, validation=None, correct_for=None) -> Self:
        """Learn the prototypes and the metric.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples, with features on one scale. A sparse matrix stays sparse. A Dask
            array or data frame stays chunked; y and weights may be chunked as well. A
            PyTorch tensor stays on its device. Sparse matrices and tensors need
            ``solver="lbfgs"``.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each sample.
        validation : tuple (X, y), optional
            Held-out samples, which are not used for training. Accuracy on these samples
            after each iteration is stored in ``validation_curve_``.
        correct_for : array-like of shape (n_samples,), optional
            A nuisance variable, such as the batch, plate or scanner of each sample. The
            metric ignores the directions that predict this variable
            (:func:`nuisance_directions`) and stores them in ``nuisance_``. New samples
            do not need this variable. X must be a complete array in memory.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, validation, correct_for)

    def _corrected(self, rows, correct_for, sample_weight):
        """Return rows without nuisance directions, and store these directions."""
        self.__dict__.pop("nuisance_", None)  # from an earlier fit
        if correct_for is None:
            return rows
        in_memory = not (rows.on_device or rows.is_chunked or rows.is_sparse)
        if not in_memory or rows.allow_nan:
            raise InputTypeError(
                "correct_for needs a dense NumPy array and missing='error'. Convert X "
                "and impute missing values first.",
                owner=type(self).__name__,
                parameter="correct_for",
            )
        y = rows.labels[rows.codes]
        if sample_weight is not None and len(rows) < len(sample_weight):
            correct_for = np.asarray(correct_for)[np.asarray(sample_weight) > 0]
        self.nuisance_ = nuisance_of(
            GMLVQ, rows.X, y, correct_for, None, self.random_state
        )
        if not len(self.nuisance_.directions):
            return rows  # unchanged to the last bit
        return replace(rows, X=self.nuisance_.remove(rows.X).astype(rows.dtype))

    def _without_nuisance(self, A):
        """Return vectors, or rows of a matrix, without the removed directions."""
        if not hasattr(self, "nuisance_"):
            return A
        V = self.nuisance_.directions
        return A - (A @ V.T) @ V

    def _starts(self, rows, layout, rng):
        # From such a start, every gradient is 0 along the removed directions, too.
        return [
            start._replace(
                W=self._without_nuisance(start.W),
                Omega=self._without_nuisance(start.Omega),
            )
            for start in super()._starts(rows, layout, rng)
        ]

    @of_any_rows
    def transform(self, X) -> Array:
        """Project samples into the space in which distances are computed.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples, or prototypes. With ``missing="ignore"``, missing values are
            replaced by the values of the nearest prototype.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            ``X @ omega_.T``: the most discriminative direction first.
        """
        check_is_fitted(self)
        X = self._check_new(X)
        if (xp := namespace_of(X)) is not None:
            return X @ xp.asarray(self.omega_, dtype=X.dtype, device=device_of(X)).T
        X = self._completed(X)
        with one_blas_thread():
            return np.asarray(X @ self.omega_.T.astype(X.dtype, copy=False))

    def _completed(self, X):
        """Return samples with missing values taken from the nearest prototype."""
        if self.missing == "error" or not np.isnan(X.sum()):
            return X
        X = X.toarray() if hasattr(X, "toarray") else X
        nearest = self._metric().by_blocks(X, nearest_of_all)
        return np.where(np.isnan(X), self.prototypes_[nearest], X)

    def reduced(self, n_components) -> Self:
        """Return a copy that keeps only the leading rows of the matrix.

        This makes a map from a model with many dimensions. `LiRaMLVQ`, which learns
        only a few dimensions from the start, usually gives a better map.

        Parameters
        ----------
        n_components : int
            Number of rows to keep.

        Returns
        -------
        estimator of the same class
        """
        check_is_fitted(self)
        check_argument(
            f"{type(self).__name__}.reduced",
            "n_components",
            n_components,
            whole(1, self.omega_.shape[0]),
        )
        copy = type(self)(**self.get_params(deep=False))
        copy.__dict__.update(vars(numpy_copy(self)))
        copy.n_components = n_components
        copy.omega_ = normalized(copy.omega_[:n_components])
        return copy

    @property
    def relevance_matrix_(self):
        """Lambda = Omega^T Omega, (n_features, n_features)."""
        check_is_fitted(self)
        omega = as_numpy(self.omega_)
        return omega.T @ omega

    @property
    def relevances_(self):
        """Relevance of each feature, the diagonal of Lambda; the sum is 1."""
        check_is_fitted(self)
        omega = as_numpy(self.omega_)
        return np.einsum("mj,mj->j", omega, omega)

    @property
    def _n_features_out(self):
        check_is_fitted(self)
        return self.omega_.shape[0]

    def _is_map(self, n_features):
        return self._rows(n_features) < n_features

    def _cost_settings(self, variance):
        theta = float(self.regularization)
        return super()._cost_settings(variance)._replace(theta=theta)

    def _resolved_matrix_init(self, N, M):
        """Return ``matrix_init`` for a matrix (M, N), with a value for "auto"."""
        if not isinstance(self.matrix_init, str) or self.matrix_init != "auto":
            return self.matrix_init
        if self._is_online:
            return "random"
        # With as many rows as features, there are no directions to choose.
        return "identity" if M == N else "lda"

    def _continues(self, layout, N, labels):
        known = super()._continues(layout, N, labels)
        return known and self._shape("omega_") == (self._rows(N), N)

    def _initial_matrices(self, rows, layout, rng):
        N, n_classes = rows.shape[1], len(layout.first) - 1
        M = self._rows(N)
        init = self._resolved_matrix_init(N, M)
        available = min(n_classes - 1, N)
        if not isinstance(init, str) or init != "lda" or available <= M:
            return [(initial_matrix(rows, M, init, rng), None)]
        # With more discriminant directions than rows, rotations are tried, too.
        n_init = 1 if self._is_online else self._settings_of_solver.n_init
        directions = initial_matrix(rows, available, "lda", rng)
        turns = [
            np.linalg.qr(rng.standard_normal((available, M)))[0].T
            for _ in range(n_init - 1)
        ]
        tried = [directions[:M], *(turn @ directions for turn in turns)]
        return [(normalized(Omega), None) for Omega in tried]

    def _keep_matrices(self, variables, layout, rows):
        self.omega_ = self._reported(variables.Omega, rows)[0].astype(rows.dtype)

    def _reported(self, Omega, rows, Psi=None):
        """Return the matrix in its reported form: corrected, canonical, with norm 1."""
        Omega = self._without_nuisance(Omega.copy())
        constant = constant_features(self, rows)
        Omega[:, constant] = 0.0
        if self.null_space_correction and not rows.is_part:
            Omega = without_null_space(Omega, rows)
        Omega, Psi = canonical(normalized(Omega), Psi)
        Omega[:, constant] = 0.0  # the SVD leaves rounding errors there
        return Omega, Psi

    def _matrices(self):
        return self.omega_.astype(np.float64, copy=False), None


@shared_parameters(TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class LiRaMLVQ(GMLVQ):
    r"""Limited rank matrix LVQ: a supervised map with prototypes that explain it.

    The model learns a projection to a few dimensions in which each sample is near a
    prototype of its own class. ``transform`` returns positions on the map; new samples
    need no label.

    Parameters
    ----------
    {prototypes}
    n_components : int, default=2
        Dimensions of the map.
    {matrix_training}

    Attributes
    ----------
    {attributes}
    {matrix_attributes}
    nuisance_ : Directions
        Directions of batches that were removed, if ``correct_for`` was passed.
    {seen}

    See Also
    --------
    GMLVQ : A similar model with one dimension per feature.
    LocalLiRaMLVQ : A model with local metrics, for curved borders.

    Notes
    -----
    The distance is :math:`d(w, x) = |\Omega (x - w)|^2`, with :math:`\Omega` of shape
    (n_components, n_features) and Frobenius norm 1 (Bunte et al. 2012, section 3).

    References
    ----------
    Bunte, Schneider, Hammer, Schleif, Villmann, Biehl: Limited rank matrix learning,
    discriminative dimension reduction and visualization. Neural Networks 26 (2012).

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import StandardScaler
    >>> from labelscape.prototypes import LiRaMLVQ
    >>> X, y = load_wine(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> model = LiRaMLVQ(random_state=0).fit(X, y)
    >>> model.transform(X).shape
    (178, 2)
    >>> model.score(X, y) > 0.98
    True
    """

    n_components: int | None = 2

    _keeps: ClassVar = (
        "Finds the plane that separates the classes best, with prototypes and the "
        "features that matter."
    )
