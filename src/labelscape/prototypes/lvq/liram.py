"""LiRaM LVQ: matrix LVQ with few rows, which is a supervised linear map."""

from typing import ClassVar

from labelscape._core.docs import shared_parameters
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq._parameters import parameters
from labelscape.prototypes.lvq.gmlvq import GMLVQ


@shared_parameters(TEXTS)
@parameters(n_components=2)
class LiRaMLVQ(GMLVQ):
    r"""Limited rank matrix LVQ: a supervised map, and prototypes that explain it.

    Learns a projection to a few dimensions in which each object is near a prototype of
    its own class. ``transform`` gives the map; new objects need no label.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map.
    {common}
    {rates}
    {matrix}

    Attributes
    ----------
    {attributes}
    {matrix_attributes}

    See Also
    --------
    GMLVQ : The same with as many dimensions as there are features.
    LocalLiRaMLVQ : Adds a local metric per class or prototype: curved borders.

    Notes
    -----
    The distance is :math:`d(w, x) = |\Omega (x - w)|^2`, with :math:`\Omega` of shape
    (n_components, n_features) and Frobenius norm 1 (paper 000, section 3).

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

    _keeps: ClassVar = (
        "The plane in which the classes part best, with prototypes and the features "
        "that count."
    )
