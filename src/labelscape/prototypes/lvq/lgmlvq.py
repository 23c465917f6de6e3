"""LGMLVQ: every class or prototype has a metric of its own."""

from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.docs import shared_parameters
from labelscape._core.fits.learned import Learned
from labelscape._core.points.arrays import as_numpy
from labelscape.prototypes.lvq._canonical import canonical, constant_features
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._forms import Local
from labelscape.prototypes.lvq._initial import initial_matrix, normalized
from labelscape.prototypes.lvq._matrix_estimator import (
    LocalMatrices,
    MatrixLVQ,
    factors,
)


@shared_parameters(TEXTS)
class LGMLVQ(LocalMatrices, MatrixLVQ):
    r"""Local matrix LVQ: each class, or each prototype, has a metric of its own.

    Parameters
    ----------
    {prototypes}
    n_components : int or None, default=None
        Rows of each matrix. None means as many as there are features.
    {local}
    regularization : float, default=0.0
        Strength of the penalty ``-theta log det(Psi Psi^T)`` on each matrix.
    {cost}
    {start}
    matrix_init : str or ndarray, default="auto"
        Start of the matrices: "random" (a draw for each; "auto" for "sgd"), "identity"
        ("auto" for "lbfgs"), "pca" or "lda".
    {warm_start}
    {training}
    {matrix_rate}
    {stopping}
    {matrix_sgd_params}
    {everyday}

    Attributes
    ----------
    {attributes}
    local_matrices_ : ndarray of shape (n_matrices, n_components, n_features)
        One matrix per class or prototype, each in canonical form.
    relevances_ : ndarray of shape (n_matrices, n_features)
        How much each feature matters, per matrix; they add up to 1.

    See Also
    --------
    LocalLiRaMLVQ : Local metrics inside one common map.

    Notes
    -----
    The distance to prototype L is :math:`d(w_L, x) = |\Psi_L (x - w_L)|^2`: borders
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
        "Distances to prototypes, by a learned measure for each class or prototype."
    )

    _learned: ClassVar[Learned] = {
        "local_matrices_": lambda model: factors(
            model._n_matrices(), "rank", "features"
        )
    }
    _form = Local()
    _paper: ClassVar = MatrixLVQ._paper | {"matrix_init": "random"}
    _measured: ClassVar = MatrixLVQ._measured | {"matrix_init": "identity"}

    def __init__(
        self,
        prototypes_per_class=1,
        *,
        # What is learned.
        n_components=None,
        localization="class",
        normalize_local=True,
        regularization=0.0,
        slope="auto",
        jitter="auto",
        class_weight=None,
        missing="error",
        # How it starts.
        prototype_init="auto",
        matrix_init="auto",
        warm_start=False,
        # How it is trained.
        solver="lbfgs",
        max_iter=None,
        tol=1e-6,
        # With solver="sgd" only.
        learning_rate=0.01,
        matrix_learning_rate=1e-3,
        early_stopping="best",
        sgd_params=None,
        # As everywhere.
        random_state=None,
        verbose=False,
        callback=None,
    ):
        self.prototypes_per_class = prototypes_per_class
        self.n_components = n_components
        self.localization = localization
        self.normalize_local = normalize_local
        self.regularization = regularization
        self.slope = slope
        self.jitter = jitter
        self.class_weight = class_weight
        self.missing = missing
        self.prototype_init = prototype_init
        self.matrix_init = matrix_init
        self.warm_start = warm_start
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.learning_rate = learning_rate
        self.matrix_learning_rate = matrix_learning_rate
        self.early_stopping = early_stopping
        self.sgd_params = sgd_params
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    @property
    def relevances_(self):
        """How much each feature matters for each local matrix."""
        check_is_fitted(self)
        matrices = as_numpy(self.local_matrices_)
        return np.einsum("gmj,gmj->gj", matrices, matrices)

    def _cost_settings(self, variance):
        theta = float(self.regularization)
        return super()._cost_settings(variance)._replace(local_theta=theta)

    def _continues(self, layout, N, labels):
        shape = (layout.group.max() + 1, self._rows(N), N)
        known = super()._continues(layout, N, labels)
        return known and self._shape("local_matrices_") == shape

    def _initial_matrices(self, data, layout, rng):
        M = self._rows(data.X.shape[1])
        n_classes = len(layout.first) - 1
        init = self._resolved("matrix_init")
        n_matrices = layout.group.max() + 1
        if isinstance(init, str) and init == "random":
            drawn = [initial_matrix(data, M, init, 0, rng) for _ in range(n_matrices)]
            return [(None, np.stack(drawn))]
        one = initial_matrix(data, M, init, n_classes, rng)
        return [(None, np.repeat(one[None], n_matrices, axis=0))]

    def _keep_matrices(self, variables, layout, data):
        Psi, constant = variables.Psi.copy(), constant_features(self, data)
        Psi[:, :, constant] = 0.0
        if self.normalize_local:
            Psi = normalized(Psi)
        reported = np.stack([canonical(matrix)[0] for matrix in Psi])
        reported[:, :, constant] = 0.0  # the SVD leaves crumbs there
        self.local_matrices_ = reported.astype(data.X.dtype)

    def _matrices(self):
        return None, self.local_matrices_.astype(np.float64, copy=False)
