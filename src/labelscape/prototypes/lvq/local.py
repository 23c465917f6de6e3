"""LGMLVQ and localized LiRaM LVQ: one metric per class or prototype."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.estimator import shared_parameters
from labelscape._core.learned import Learned
from labelscape._core.params import either, instance, one_of
from labelscape._core.rows.kinds import as_numpy
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._forms import Local, SharedLocal
from labelscape.prototypes.lvq._matrices import (
    canonical,
    constant_features,
    initial_matrix,
    normalized,
)
from labelscape.prototypes.lvq.gmlvq import LiRaMLVQ, MatrixLVQ, factors
from labelscape.prototypes.solvers import Localization


@dataclass(eq=False, repr=False, kw_only=True)
class LocalMatrices:
    """Adds a matrix for each class or for each prototype."""

    localization: Literal["class", "prototype"] | Localization = "class"

    _rules: ClassVar = {
        "localization": either(one_of("class", "prototype"), instance(Localization))
    }

    @property
    def _localization(self):
        """The settings of local matrices; a string sets the parameter ``by``."""
        given = self.localization
        return Localization(given) if isinstance(given, str) else given

    def _with_local(self, settings):
        """Return the settings of the cost, with those of local matrices."""
        local = self._localization
        theta = float(local.regularization)
        return settings._replace(normalize_local=local.normalize, local_theta=theta)

    def _groups(self, first):
        if self._localization.by == "prototype":
            return np.arange(first[-1])
        return np.repeat(np.arange(len(first) - 1), np.diff(first))


def _n_matrices(model):
    """Return the number of local matrices of a fitted model."""
    if model._localization.by == "prototype":
        return model.prototypes_.shape[0]
    return len(np.unique(as_numpy(model.prototype_labels_)))


@shared_parameters(TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class LGMLVQ(LocalMatrices, MatrixLVQ):
    r"""Local matrix LVQ: each class, or each prototype, has its own metric.

    Parameters
    ----------
    {prototypes}
    n_components : int or None, default=None
        Rows of each matrix. None means the number of features.
    {local}
    regularization : float, default=0.0
        Strength of the penalty ``-theta log det(Psi Psi^T)`` on each matrix.
    matrix_init : str or ndarray, default="auto"
        Initial matrices: "random" (drawn for each matrix), "identity", "pca" or "lda".
        "auto" is "identity" for ``solver="lbfgs"`` and "random" for "sgd".
    {matrix_rate}
    {common}

    Attributes
    ----------
    {attributes}
    local_matrices_ : ndarray of shape (n_matrices, n_components, n_features)
        One matrix per class or prototype, each in canonical form.
    relevances_ : ndarray of shape (n_matrices, n_features)
        Relevance of each feature for each matrix; the sum of each row is 1.
    {seen}

    See Also
    --------
    LocalLiRaMLVQ : A model with local metrics in one common map.

    Notes
    -----
    The distance to prototype L is :math:`d(w_L, x) = |\Psi_L (x - w_L)|^2`. The borders
    between classes are curved.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import StandardScaler
    >>> from labelscape.prototypes import LGMLVQ
    >>> X, y = load_iris(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> LGMLVQ(random_state=0).fit(X, y).local_matrices_.shape
    (3, 4, 4)
    """

    _keeps: ClassVar = (
        "Learns prototypes and the relevance of each feature, for each class or "
        "prototype."
    )

    _learned: ClassVar[Learned] = {
        "local_matrices_": lambda model: factors(_n_matrices(model), "rank", "features")
    }
    _form = Local()
    _paper: ClassVar = MatrixLVQ._paper | {"matrix_init": "random"}
    _measured: ClassVar = MatrixLVQ._measured | {"matrix_init": "identity"}

    @property
    def relevances_(self):
        """Relevance of each feature in each local matrix."""
        check_is_fitted(self)
        matrices = as_numpy(self.local_matrices_)
        return np.einsum("gmj,gmj->gj", matrices, matrices)

    def _cost_settings(self, variance):
        settings = self._with_local(super()._cost_settings(variance))
        theta = settings.local_theta + float(self.regularization)
        return settings._replace(local_theta=theta)

    def _continues(self, layout, N, labels):
        shape = (layout.group.max() + 1, self._rows(N), N)
        known = super()._continues(layout, N, labels)
        return known and self._shape("local_matrices_") == shape

    def _initial_matrices(self, rows, layout, rng):
        M = self._rows(rows.shape[1])
        init = self._resolved("matrix_init")
        n_matrices = layout.group.max() + 1
        if isinstance(init, str) and init == "random":
            drawn = [initial_matrix(rows, M, init, rng) for _ in range(n_matrices)]
            return [(None, np.stack(drawn))]
        one = initial_matrix(rows, M, init, rng)
        return [(None, np.repeat(one[None], n_matrices, axis=0))]

    def _keep_matrices(self, variables, layout, rows):
        Psi, constant = variables.Psi.copy(), constant_features(self, rows)
        Psi[:, :, constant] = 0.0
        if self._localization.normalize:
            Psi = normalized(Psi)
        reported = np.stack([canonical(matrix)[0] for matrix in Psi])
        reported[:, :, constant] = 0.0  # the SVD leaves rounding errors there
        self.local_matrices_ = reported.astype(rows.dtype)

    def _matrices(self):
        return None, self.local_matrices_.astype(np.float64, copy=False)


@shared_parameters(TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class LocalLiRaMLVQ(LocalMatrices, LiRaMLVQ):
    r"""Localized LiRaM LVQ: a supervised map with a local metric for each class.

    Parameters
    ----------
    {prototypes}
    n_components : int, default=2
        Dimensions of the map.
    {local}
    {matrix}
    {matrix_rate}
    {common}

    Attributes
    ----------
    {attributes}
    {matrix_attributes}
    local_matrices_ : ndarray of shape (n_matrices, n_components, n_components)
        The matrices Psi inside the map, one per class or prototype.
    nuisance_ : Directions
        Directions of batches that were removed, if ``correct_for`` was passed.
    {seen}

    See Also
    --------
    LiRaMLVQ : A similar model without local metrics.

    Notes
    -----
    The distance to prototype L is :math:`d(w_L, x) = |\Psi_L \Omega (x - w_L)|^2`
    (Bunte et al. 2012, section 3.1). Samples and prototypes are drawn in the plane of
    :math:`\Omega`; the :math:`\Psi_L` bend the borders between the classes.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import StandardScaler
    >>> from labelscape.prototypes import LocalLiRaMLVQ
    >>> X, y = load_wine(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> model = LocalLiRaMLVQ(random_state=0).fit(X, y)
    >>> model.local_matrices_.shape
    (3, 2, 2)
    """

    # This correction is only for models with a single matrix.
    null_space_correction: bool = field(default=False, init=False)

    _keeps: ClassVar = (
        "Finds a plane that separates the classes, with a metric for each class; "
        "borders can be curved."
    )

    _form = SharedLocal()
    _learned: ClassVar[Learned] = {
        "local_matrices_": lambda model: factors(
            _n_matrices(model), "local rank", "rank"
        )
    }

    def _cost_settings(self, variance):
        return self._with_local(super()._cost_settings(variance))

    def reduced(self, n_components) -> Self:
        """Return a copy that keeps only the leading rows of the map.

        Parameters
        ----------
        n_components : int
            Number of rows to keep.

        Returns
        -------
        LocalLiRaMLVQ
        """
        copy = super().reduced(n_components)
        copy.local_matrices_ = copy.local_matrices_[:, :, :n_components]
        return copy

    def _continues(self, layout, N, labels):
        # A reduced model has local matrices with as many rows as before.
        shape, known = self._shape("local_matrices_") or (), (layout.group.max() + 1,)
        fits = (shape[:1], shape[2:]) == (known, (self._rows(N),))
        return super()._continues(layout, N, labels) and fits

    def _initial_matrices(self, rows, layout, rng):
        starts = super()._initial_matrices(rows, layout, rng)
        n_matrices, M = layout.group.max() + 1, self._rows(rows.shape[1])
        if self._localization.init == "random":
            Psi = normalized(rng.uniform(-1, 1, size=(n_matrices, M, M)))
        else:
            Psi = np.repeat(np.eye(M)[None] / np.sqrt(M), n_matrices, axis=0)
        return [(Omega, Psi.copy()) for Omega, _ in starts]

    def _keep_matrices(self, variables, layout, rows):
        Psi = variables.Psi
        if self._localization.normalize:
            Psi = normalized(Psi)
        Omega, Psi = self._reported(variables.Omega, rows, Psi)
        self.omega_ = Omega.astype(rows.dtype)
        self.local_matrices_ = Psi.astype(rows.dtype)

    def _matrices(self):
        Omega, _ = super()._matrices()
        return Omega, self.local_matrices_.astype(np.float64, copy=False)
