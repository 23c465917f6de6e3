"""LGMLVQ: every class or prototype has a metric of its own."""

from typing import ClassVar

import numpy as np

from labelscape._core.docs import shared_parameters
from labelscape._core.rules import (
    array,
    check_params,
    either,
    flag,
    number,
    one_of,
    whole,
)
from labelscape.prototypes.lvq._canonical import canonical, constant_features
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._estimator import LVQ
from labelscape.prototypes.lvq._forms import Local
from labelscape.prototypes.lvq._initial import initial_matrix, normalized
from labelscape.prototypes.lvq._objective import Settings
from labelscape.prototypes.lvq._parameters import parameters


def matrix_groups(first, localization):
    """Return the index of each prototype's local matrix."""
    if localization == "prototype":
        return np.arange(first[-1])
    return np.repeat(np.arange(len(first) - 1), np.diff(first))


@shared_parameters(TEXTS)
@parameters(
    n_components=None,
    localization="class",
    matrix_learning_rate=1e-3,
    matrix_start=100,
    regularization=0.0,
    matrix_init="auto",
    normalize_local=True,
)
class LGMLVQ(LVQ):
    r"""Local matrix LVQ: each class, or each prototype, has a metric of its own.

    Parameters
    ----------
    {common}
    {rates}
    n_components : int or None, default=None
        Rows of each matrix. None means as many as there are features.
    {local}
    regularization : float, default=0.0
        Strength of the penalty ``-theta log det(Psi Psi^T)`` on each matrix.
    matrix_init : str or ndarray, default="auto"
        Start of the matrices: "random" (a draw for each; "auto" for "sgd"), "identity"
        ("auto" for "lbfgs"), "pca" or "lda".

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

    _form = Local()
    _paper: ClassVar = LVQ._paper | {"matrix_init": "random"}
    _measured: ClassVar = LVQ._measured | {"matrix_init": "identity"}

    @property
    def relevances_(self):
        """How much each feature matters for each local matrix."""
        return np.einsum("gmj,gmj->gj", self.local_matrices_, self.local_matrices_)

    def _check_parameters(self):
        super()._check_parameters()
        inits = one_of("auto", "random", "identity", "pca", "lda")
        check_params(
            self,
            n_components=either(whole(1), one_of(None)),
            localization=one_of("class", "prototype"),
            matrix_learning_rate=number(0.0),
            matrix_start=whole(1),
            regularization=number(0.0),
            matrix_init=either(inits, array(2)),
            normalize_local=flag(),
        )

    def _groups(self, first):
        return matrix_groups(first, self.localization)

    def _settings(self, variance):
        return Settings(
            slope=float(self._setting("slope")),
            variance=variance,
            local_theta=float(self.regularization),
            normalize_local=self.normalize_local,
        )

    def _continues(self, layout, N):
        shape = (layout.group.max() + 1, self._rows(N), N)
        return super()._continues(layout, N) and self.local_matrices_.shape == shape

    def _matrix_starts(self, data, layout, rng):
        M = self._rows(data.X.shape[1])
        n_classes = len(layout.first) - 1
        init = self._setting("matrix_init")
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
