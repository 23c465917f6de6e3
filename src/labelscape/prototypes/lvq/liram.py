"""LiRaM LVQ: matrix LVQ with few rows, which is a supervised linear map."""

from typing import ClassVar

from labelscape._core.docs import shared_parameters
from labelscape.prototypes.lvq._docs import TEXTS
from labelscape.prototypes.lvq.gmlvq import GMLVQ


@shared_parameters(TEXTS)
class LiRaMLVQ(GMLVQ):
    r"""Limited rank matrix LVQ: a supervised map, and prototypes that explain it.

    Learns a projection to a few dimensions in which each object is near a prototype of
    its own class. ``transform`` gives the map; new objects need no label.

    Parameters
    ----------
    {prototypes}
    n_components : int, default=2
        Dimensions of the map.
    {matrix}
    {null_space}
    {cost}
    {start}
    {matrix_init}
    {n_init}
    {warm_start}
    {training}
    {matrix_rate}
    {stopping}
    {matrix_sgd_params}
    {everyday}

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

    def __init__(
        self,
        prototypes_per_class=1,
        *,
        # What is learned.
        n_components=2,
        regularization=0.0,
        null_space_correction=False,
        slope="auto",
        jitter="auto",
        class_weight=None,
        missing="error",
        # How it starts.
        prototype_init="auto",
        matrix_init="auto",
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
        self.regularization = regularization
        self.null_space_correction = null_space_correction
        self.slope = slope
        self.jitter = jitter
        self.class_weight = class_weight
        self.missing = missing
        self.prototype_init = prototype_init
        self.matrix_init = matrix_init
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
