"""DD-HDS: neither false neighbours nor tears come for free."""

from typing import ClassVar

from labelscape._core.docs import shared_parameters
from labelscape.embeddings.stress._base import NarrowingMap
from labelscape.embeddings.stress._docs import TEXTS
from labelscape.embeddings.stress._weights import BY_NEARER


@shared_parameters(TEXTS)
class DDHDS(NarrowingMap):
    r"""Map that pays for false neighbours and for tears alike.

    Data-driven high-dimensional scaling. A pair counts if it is near in the data or
    near on the map, so that it can neither be torn nor pressed together at no cost.
    What counts as near is learned from the dissimilarities, which makes it fit for
    data of many dimensions, where all of them are much the same.

    Parameters
    ----------
    {components}
    p : {1, 2}, default=1
        Power of the errors. 1 is that of the paper; 2 keeps neighbourhoods better in
        most of our measurements.
    {lambdas}
    {metric}
    {init}
    {pivots}
    {pivot_seed}
    {verbose}
    {callback}

    Attributes
    ----------
    {attributes}
    {fitted_metric}

    See Also
    --------
    Sammon : Presses together rather than tears.
    CCA : Tears rather than presses together.
    ClassiMap : Lets the classes say which of both.

    Notes
    -----
    It lowers :math:`\sum_{i<j} |\delta_{ij} - d_{ij}|^p F(\min(\delta_{ij}, d_{ij}))`
    by the pivot rule, with :math:`F(x) = 1 - \Phi((x - \mu)/\theta)`,
    :math:`\mu = \mathrm{mean}(\delta) - 2 (1 - \lambda)\,\mathrm{std}(\delta)` and
    :math:`\theta = 2 \lambda\,\mathrm{std}(\delta)`. An object so far from all others
    that less than a thousandth of its weight would be left keeps a larger lambda.

    References
    ----------
    S. Lespinats, M. Verleysen, A. Giron and B. Fertil. DD-HDS: a tool for visualization
    and exploration of high-dimensional data. IEEE Transactions on Neural Networks,
    2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import DDHDS
    >>> X, _ = load_iris(return_X_y=True)
    >>> DDHDS(random_state=0).fit_transform(X).shape
    (150, 2)
    """

    _keeps: ClassVar = (
        "Keeps neighbourhoods of data with very many features; labels have no say."
    )

    _kind = BY_NEARER

    def __init__(
        self,
        n_components=2,
        *,
        p=1,
        lambda_start=0.9,
        lambda_end=0.1,
        metric="euclidean",
        init="pca",
        n_pivots=None,
        max_iter=0,
        tol=1e-6,
        random_state=None,
        verbose=False,
        callback=None,
    ):
        self.n_components = n_components
        self.p = p
        self.lambda_start = lambda_start
        self.lambda_end = lambda_end
        self.metric = metric
        self.init = init
        self.n_pivots = n_pivots
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
