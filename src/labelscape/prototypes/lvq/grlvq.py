"""GRLVQ: prototypes, and how much each feature matters."""

from typing import ClassVar

import numpy as np

from labelscape._core.docs import shared_parameters
from labelscape._core.fits.learned import Learned, numbers
from labelscape.prototypes.lvq._canonical import constant_features
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._forms import Diagonal
from labelscape.prototypes.lvq._initial import normalized
from labelscape.prototypes.lvq._matrix_estimator import MetricLVQ


@shared_parameters(TEXTS)
class GRLVQ(MetricLVQ):
    r"""Relevance LVQ: prototypes, and a relevance for each feature.

    Parameters
    ----------
    {prototypes}
    {cost}
    {start}
    {warm_start}
    {training}
    {matrix_rate}
    {stopping}
    {matrix_sgd_params}
    {everyday}

    Attributes
    ----------
    {attributes}
    relevances_ : ndarray of shape (n_features,)
        How much each feature matters: not negative, adding up to 1. A constant feature
        has 0.

    See Also
    --------
    GLVQ : The same without relevances.
    GMLVQ : Learns about directions, not only single features.

    Notes
    -----
    The distance is :math:`d(w, x) = \sum_j \lambda_j (x_j - w_j)^2`, with
    :math:`\lambda_j = \omega_j^2`, so that relevances cannot become negative.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.prototypes import GRLVQ
    >>> X, y = load_iris(return_X_y=True)
    >>> relevances = GRLVQ(random_state=0).fit(X, y).relevances_
    >>> float(relevances[2:].sum().round(1))
    1.0
    """

    _form = Diagonal()
    _learned: ClassVar[Learned] = {
        "relevances_": numbers("features", low=0.0, high=1e50)
    }

    def __init__(
        self,
        prototypes_per_class=1,
        *,
        # What is learned.
        slope="auto",
        jitter="auto",
        class_weight=None,
        missing="error",
        # How it starts.
        prototype_init="auto",
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
        self.slope = slope
        self.jitter = jitter
        self.class_weight = class_weight
        self.missing = missing
        self.prototype_init = prototype_init
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

    def _initial_matrices(self, data, layout, rng):
        return [(normalized(np.ones(data.X.shape[1])), None)]

    def _keep_matrices(self, variables, layout, data):
        relevances = variables.Omega**2
        relevances[constant_features(self, data)] = 0.0
        self.relevances_ = (relevances / relevances.sum()).astype(data.X.dtype)

    def _matrices(self):
        return np.sqrt(self.relevances_.astype(np.float64)), None
