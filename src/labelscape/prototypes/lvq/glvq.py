"""GLVQ: prototypes under the Euclidean distance."""

from labelscape._core.docs import shared_parameters
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._estimator import LVQ
from labelscape.prototypes.lvq._forms import Plain


@shared_parameters(TEXTS)
class GLVQ(LVQ):
    r"""Generalized learning vector quantization: a few prototypes explain each class.

    An object takes the class of its nearest prototype, by Euclidean distance. Training
    moves the prototypes so that each object is much closer to one of its own class than
    to any other.

    Parameters
    ----------
    {common}

    Attributes
    ----------
    {attributes}

    See Also
    --------
    GRLVQ : Learns how much each feature matters, too.
    LiRaMLVQ : Learns a projection to a few dimensions, and so a map.

    Notes
    -----
    With :math:`d_J`, :math:`d_K` the squared distances of an object to the nearest
    prototype of its own class and of any other class, it minimises

    .. math:: E = \frac{1}{n} \sum_i \Phi(\mu_i), \qquad
              \mu = \frac{d_J - d_K}{d_J + d_K}

    where :math:`\mu < 0` means a right decision (paper 000, eq. 1).

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

    _form = Plain()
