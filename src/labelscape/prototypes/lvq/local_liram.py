"""Localized LiRaM LVQ: one map for all, a metric of its own for each class in it."""

import numpy as np

from labelscape._core.docs import shared_parameters
from labelscape._core.rules import check_params, flag, number, one_of
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._forms import SharedLocal
from labelscape.prototypes.lvq._initial import normalized
from labelscape.prototypes.lvq._parameters import parameters
from labelscape.prototypes.lvq.lgmlvq import matrix_groups
from labelscape.prototypes.lvq.liram import LiRaMLVQ


@shared_parameters(TEXTS)
@parameters(
    localization="class",
    local_init="identity",
    normalize_local=True,
    local_regularization=0.0,
)
class LocalLiRaMLVQ(LiRaMLVQ):
    r"""Localized LiRaM LVQ: a supervised map with a local metric for each class.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map.
    {common}
    {rates}
    {matrix}
    {local}
    local_init : {"identity", "random"}, default="identity"
        Start of the local matrices: "identity" begins as global LiRaM LVQ.
    local_regularization : float, default=0.0
        Strength of the penalty on the local matrices.

    Attributes
    ----------
    {attributes}
    {matrix_attributes}
    local_matrices_ : ndarray of shape (n_matrices, n_components, n_components)
        Psi, one per class or prototype, acting inside the map.

    See Also
    --------
    LiRaMLVQ : The same without local metrics.

    Notes
    -----
    The distance to prototype L is :math:`d(w_L, x) = |\Psi_L \Omega (x - w_L)|^2`
    (paper 000, section 3.2). Objects and prototypes are drawn in the plane of
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

    _form = SharedLocal()

    def reduced(self, n_components):
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
        copy.local_matrices_ = self.local_matrices_[:, :, :n_components]
        return copy

    def _check_parameters(self):
        super()._check_parameters()
        check_params(
            self,
            localization=one_of("class", "prototype"),
            local_init=one_of("identity", "random"),
            normalize_local=flag(),
            local_regularization=number(0.0),
        )

    def _groups(self, first):
        return matrix_groups(first, self.localization)

    def _settings(self, variance):
        return (
            super()
            ._settings(variance)
            ._replace(
                local_theta=float(self.local_regularization),
                normalize_local=self.normalize_local,
            )
        )

    def _continues(self, layout, N):
        shape = (layout.group.max() + 1, self._rows(N), self._rows(N))
        return super()._continues(layout, N) and self.local_matrices_.shape == shape

    def _matrix_starts(self, data, layout, rng):
        starts = super()._matrix_starts(data, layout, rng)
        n_matrices, M = layout.group.max() + 1, self._rows(data.X.shape[1])
        if self.local_init == "random":
            Psi = normalized(rng.uniform(-1, 1, size=(n_matrices, M, M)))
        else:
            Psi = np.repeat(np.eye(M)[None] / np.sqrt(M), n_matrices, axis=0)
        return [(Omega, Psi.copy()) for Omega, _ in starts]

    def _keep_matrices(self, variables, layout, data):
        Psi = normalized(variables.Psi) if self.normalize_local else variables.Psi
        Omega, Psi = self._reported(variables.Omega, data, Psi)
        self.omega_ = Omega.astype(data.X.dtype)
        self.local_matrices_ = Psi.astype(data.X.dtype)

    def _matrices(self):
        Omega, _ = super()._matrices()
        return Omega, self.local_matrices_.astype(np.float64, copy=False)
