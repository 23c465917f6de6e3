"""GRLVQ: prototypes, and how much each feature matters."""

import numpy as np

from labelscape._core.docs import shared_parameters
from labelscape._core.rules import check_params, number, whole
from labelscape.prototypes.lvq._canonical import constant_features
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._estimator import LVQ
from labelscape.prototypes.lvq._forms import Diagonal
from labelscape.prototypes.lvq._initial import normalized
from labelscape.prototypes.lvq._parameters import parameters


@shared_parameters(TEXTS)
@parameters(matrix_learning_rate=1e-3, matrix_start=100)
class GRLVQ(LVQ):
    r"""Relevance LVQ: prototypes, and a relevance for each feature.

    Parameters
    ----------
    {common}
    {rates}

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

    def _check_parameters(self):
        super()._check_parameters()
        check_params(self, matrix_learning_rate=number(0.0), matrix_start=whole(1))

    def _matrix_starts(self, data, layout, rng):
        return [(normalized(np.ones(data.X.shape[1])), None)]

    def _keep_matrices(self, variables, layout, data):
        relevances = variables.Omega**2
        relevances[constant_features(self, data)] = 0.0
        self.relevances_ = (relevances / relevances.sum()).astype(data.X.dtype)

    def _matrices(self):
        return np.sqrt(self.relevances_.astype(np.float64)), None
