"""Localized LiRaM LVQ: one map for all, a metric of its own for each class in it."""

from typing import ClassVar

import numpy as np

from labelscape._core.docs import shared_parameters
from labelscape._core.fits.learned import Learned
from labelscape._core.rules import either, finite, number, one_of
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._forms import SharedLocal
from labelscape.prototypes.lvq._initial import normalized
from labelscape.prototypes.lvq._matrix_estimator import LocalMatrices, factors
from labelscape.prototypes.lvq.liram import LiRaMLVQ


@shared_parameters(TEXTS)
class LocalLiRaMLVQ(LocalMatrices, LiRaMLVQ):
    r"""Localized LiRaM LVQ: a supervised map with a local metric for each class.

    Parameters
    ----------
    {prototypes}
    n_components : int, default=2
        Dimensions of the map.
    {local}
    {matrix}
    local_regularization : float, default=0.0
        Strength of the penalty on the local matrices.
    {null_space}
    {cost}
    {start}
    {matrix_init}
    local_init : {"identity", "random"}, default="identity"
        Start of the local matrices: "identity" begins as global LiRaM LVQ.
    {n_init}
    {warm_start}
    {training}
    {matrix_rate}
    {stopping}
    {local_sgd_params}
    {everyday}

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

    _keeps: ClassVar = (
        "A plane in which the classes part, with a measure of its own for each class: "
        "borders may bend."
    )

    _form = SharedLocal()
    _learned: ClassVar[Learned] = {
        "local_matrices_": lambda model: factors(
            model._n_matrices(), "local rank", "rank"
        )
    }
    _rules: ClassVar = {
        "local_regularization": number(0.0),
        "local_init": one_of("identity", "random"),
    }
    # alpha_3 of eq. 31, which is alpha_2 where nobody says another.
    _sgd_defaults: ClassVar = LiRaMLVQ._sgd_defaults | {
        "local_learning_rate": None,
        "local_decay": None,
    }
    _sgd_rules: ClassVar = LiRaMLVQ._sgd_rules | {
        "local_learning_rate": either(finite(0.0), one_of(None)),
        "local_decay": either(number(0.0), one_of(None)),
    }

    def __init__(
        self,
        prototypes_per_class=1,
        *,
        # What is learned.
        n_components=2,
        localization="class",
        normalize_local=True,
        regularization=0.0,
        local_regularization=0.0,
        null_space_correction=False,
        slope="auto",
        jitter="auto",
        class_weight=None,
        missing="error",
        # How it starts.
        prototype_init="auto",
        matrix_init="auto",
        local_init="identity",
        n_init=1,
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
        self.local_regularization = local_regularization
        self.null_space_correction = null_space_correction
        self.slope = slope
        self.jitter = jitter
        self.class_weight = class_weight
        self.missing = missing
        self.prototype_init = prototype_init
        self.matrix_init = matrix_init
        self.local_init = local_init
        self.n_init = n_init
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
        copy.local_matrices_ = copy.local_matrices_[:, :, :n_components]
        return copy

    def _schedule(self):
        sgd = self._sgd()
        local = {"local_rate": "local_learning_rate", "local_decay": "local_decay"}
        return super()._schedule()._replace(**{k: sgd[v] for k, v in local.items()})

    def _cost_settings(self, variance):
        theta = float(self.local_regularization)
        return super()._cost_settings(variance)._replace(local_theta=theta)

    def _continues(self, layout, N, labels):
        # A reduced model has local matrices of as many rows as before.
        shape, known = self._shape("local_matrices_") or (), (layout.group.max() + 1,)
        fits = (shape[:1], shape[2:]) == (known, (self._rows(N),))
        return super()._continues(layout, N, labels) and fits

    def _initial_matrices(self, data, layout, rng):
        starts = super()._initial_matrices(data, layout, rng)
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
