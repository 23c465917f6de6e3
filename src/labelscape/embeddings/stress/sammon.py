"""Sammon's mapping: keep every distance, the short ones most of all."""

from typing import ClassVar

from labelscape._core.docs import shared_parameters
from labelscape.embeddings.stress._base import StressMap
from labelscape.embeddings.stress._docs import TEXTS
from labelscape.embeddings.stress._weights import inverse_weights


@shared_parameters(TEXTS)
class Sammon(StressMap):
    r"""Map that keeps all distances, and forgives errors on long ones.

    Where a plane has no room for all distances, Sammon's mapping presses groups
    together rather than tear them: neighbours stay neighbours, but not all neighbours
    on the map are neighbours in the data.

    Parameters
    ----------
    {components}
    p : {1, 2}, default=2
        Power of the errors. 2 is Sammon's mapping; 1 lets single large errors stand.
    {metric}
    {init}
    n_pivots : int or None, default=None
        Turns of the pivot rule. None: 10 for each object, but not more than 50,000 in
        all.
    max_iter : int, default=300
        Steps of majorisation that follow, at most. Each one lowers the stress.
    tol : float, default=1e-6
        Stop when three steps in a row lower the stress by less than this part of it.
    {pivot_seed}
    {verbose}
    callback : callable or None, default=None
        Called 50 times during the pivots, and after each step of majorisation, with a
        dict of ``epoch``, ``stress`` (during the pivots on 2000 objects at most) and
        ``embedding``. Returning ``True`` stops the fit.

    Attributes
    ----------
    {attributes}
    {fitted_metric}

    See Also
    --------
    WeightedMDS : The same stress with a weight of its own for every pair.
    CCA : Tears rather than presses together.

    Notes
    -----
    With :math:`\delta` the dissimilarities and :math:`d` the distances on the map, it
    minimises

    .. math:: \frac{1}{\sum_{i<j} \delta_{ij}}
              \sum_{i<j} \frac{(\delta_{ij} - d_{ij})^2}{\delta_{ij}}

    Identical objects have the weight of the smallest positive dissimilarity. The pivot
    rule finds the large shape in a few turns, majorisation then goes down to the
    bottom, step by step and without chance.

    References
    ----------
    J. W. Sammon. A nonlinear mapping for data structure analysis. IEEE Transactions on
    Computers, 1969.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import Sammon
    >>> X, _ = load_iris(return_X_y=True)
    >>> sammon = Sammon(random_state=0).fit(X)
    >>> sammon.embedding_.shape
    (150, 2)
    >>> round(sammon.stress_, 3)
    0.004
    >>> sammon.transform([[5.0, 3.4, 1.5, 0.2]]).shape
    (1, 2)
    """

    _keeps: ClassVar = (
        "Keeps all distances, the short ones most of all; labels have no say."
    )

    _turns = 10

    def __init__(
        self,
        n_components=2,
        *,
        p=2,
        metric="euclidean",
        init="pca",
        n_pivots=None,
        max_iter=300,
        tol=1e-6,
        random_state=None,
        verbose=False,
        callback=None,
    ):
        self.n_components = n_components
        self.p = p
        self.metric = metric
        self.init = init
        self.n_pivots = n_pivots
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def _weights(self, labels, spread):
        # The pivot rule has no use for weights above 1, which would overshoot: pairs
        # below the 5 % quantile are alike to it.
        n = len(labels)
        return inverse_weights(spread.low, n), inverse_weights(spread.smallest, n)

    def _news(self, lam):
        return {"epoch": self.n_iter_}
