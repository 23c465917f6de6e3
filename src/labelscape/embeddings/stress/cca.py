"""Curvilinear component analysis: keep what is near on the map, tear the rest."""

from typing import ClassVar

from labelscape._core.docs import shared_parameters
from labelscape._core.rules import one_of
from labelscape.embeddings.stress._base import NarrowingMap
from labelscape.embeddings.stress._docs import TEXTS
from labelscape.embeddings.stress._weights import BY_CLASS, FALLS


@shared_parameters(TEXTS)
class CCA(NarrowingMap):
    r"""Map whose neighbours are true neighbours, at the price of tears.

    Errors count where two points are near each other *on the map*. So a folded or
    closed surface is cut open and laid flat: what is near on the map is near in the
    data, but not everything near in the data stays together.

    Parameters
    ----------
    {components}
    p : {1, 2}, default=2
        Power of the errors.
    weighting : {"normal", "exponential", "step"}, default="normal"
        How the weight falls with the distance on the map: "normal" as in DD-HDS;
        "exponential" as exp(-d/r), r = lambda times the mean dissimilarity; "step" is 1
        up to the middle of "normal" and 0 beyond.
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
    DDHDS : Pays for both.

    Notes
    -----
    It lowers :math:`\sum_{i<j} |\delta_{ij} - d_{ij}|^p F(d_{ij})` by the pivot rule:
    one object stays, all others move along their line to it. Weights count as constant
    in a move, else points would flee to lose weight. So the stress need not fall from
    epoch to epoch.

    References
    ----------
    P. Demartines and J. Hérault. Curvilinear component analysis: a self-organizing
    neural network for nonlinear mapping of data sets. IEEE Transactions on Neural
    Networks, 1997.

    Examples
    --------
    >>> from sklearn.datasets import make_swiss_roll
    >>> from labelscape.embeddings import CCA
    >>> X, _ = make_swiss_roll(200, random_state=0)
    >>> CCA(random_state=0).fit_transform(X).shape
    (200, 2)
    """

    _keeps: ClassVar = (
        "Keeps distances that are short on the map, and lets the others tear; labels "
        "have no say."
    )

    # Objects without a class: every weight goes by the distance on the map.
    _kind = BY_CLASS
    _rules: ClassVar = {"weighting": one_of(*FALLS)}

    def __init__(
        self,
        n_components=2,
        *,
        p=2,
        weighting="normal",
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
        self.weighting = weighting
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
