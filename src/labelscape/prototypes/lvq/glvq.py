"""GLVQ and GRLVQ: prototypes, and the relevance of each feature."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from labelscape._core.estimator import shared_parameters
from labelscape._core.learned import Learned, numbers
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._forms import Diagonal, Plain
from labelscape.prototypes.lvq._matrices import constant_features, normalized
from labelscape.prototypes.lvq._relevance_intervals import RelevanceIntervals
from labelscape.prototypes.lvq._stream import StreamLVQ


@shared_parameters(TEXTS)
class GLVQ(StreamLVQ):
    r"""Generalized learning vector quantization: a classifier with few prototypes.

    A sample gets the class of the nearest prototype, by Euclidean distance. Training
    moves the prototypes so that each sample is much closer to a prototype of its own
    class than to any other prototype.

    Parameters
    ----------
    {prototypes}
    {common}

    Attributes
    ----------
    {attributes}
    {seen}

    See Also
    --------
    GRLVQ : Model that also learns the relevance of each feature.
    LiRaMLVQ : Model that also learns a projection to a few dimensions, which is a map.

    Notes
    -----
    With :math:`d_J`, :math:`d_K` the squared distances of a sample to the nearest
    prototype of its own class and of any other class, training minimizes

    .. math:: E = \frac{1}{n} \sum_i \Phi(\mu_i), \qquad
              \mu = \frac{d_J - d_K}{d_J + d_K}

    where :math:`\mu < 0` means a correct decision (Bunte et al. 2012, eq. 1).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.prototypes import GLVQ
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GLVQ(random_state=0).fit(X, y)
    >>> model.prototypes_.shape
    (3, 4)
    >>> model.predict(X[:2])
    array([0, 0])
    """

    _keeps: ClassVar = "Learns prototypes; all features have equal weight."

    _form = Plain()


@shared_parameters(TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class GRLVQ(RelevanceIntervals, StreamLVQ):
    r"""Relevance LVQ: prototypes, and a relevance for each feature.

    Parameters
    ----------
    {prototypes}
    {matrix_rate}
    {common}

    Attributes
    ----------
    {attributes}
    relevances_ : ndarray of shape (n_features,)
        Relevance of each feature. Relevances are not negative and add up to 1. The
        relevance of a constant feature is 0.
    {seen}

    See Also
    --------
    GLVQ : The same model without relevances.
    GMLVQ : Model that learns the relevance of directions, not only of single features.

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

    matrix_learning_rate: float = 1e-3

    _keeps: ClassVar = "Learns prototypes and one weight for each feature."

    _form = Diagonal()
    _learned: ClassVar[Learned] = {
        "relevances_": numbers("features", low=0.0, high=1e50)
    }

    def _initial_matrices(self, rows, layout, rng):
        return [(normalized(np.ones(rows.shape[1])), None)]

    def _keep_matrices(self, variables, layout, rows):
        relevances = variables.Omega**2
        relevances[constant_features(self, rows)] = 0.0
        self.relevances_ = (relevances / relevances.sum()).astype(rows.dtype)

    def _matrices(self):
        return np.sqrt(self.relevances_.astype(np.float64)), None
