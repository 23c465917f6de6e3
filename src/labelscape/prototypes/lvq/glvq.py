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
    {prototypes}
    {cost}
    {start}
    {warm_start}
    {training}
    {stopping}
    {sgd_params}
    {everyday}

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
        self.early_stopping = early_stopping
        self.sgd_params = sgd_params
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
