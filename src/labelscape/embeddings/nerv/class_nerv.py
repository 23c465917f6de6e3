"""ClassNeRV: neighbours inside a class are not lost, and none are false between."""

from typing import ClassVar

from labelscape._core.checks import check_labels
from labelscape._core.chunks.lazy import lazy
from labelscape._core.docs import shared_parameters
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.learned import Learned, classes
from labelscape._core.label_signal import warn_if_labels_say_nothing
from labelscape._core.points.spaces import Points
from labelscape._core.rules import check_params, number
from labelscape.embeddings._docs import MAP_TEXTS
from labelscape.embeddings._out_of_sample import rows_of_new
from labelscape.embeddings.nerv._base import SoftNeighborMap
from labelscape.embeddings.nerv._stress import placed_among


@shared_parameters(MAP_TEXTS)
class ClassNeRV(SoftNeighborMap):
    r"""Map that loses no neighbours inside a class and shows no false ones between.

    No plane shows all neighbours of many-dimensional data rightly: some are lost, and
    some that are near on the map are not neighbours. Labels say which of the two costs:
    inside a class lost neighbours do, so that classes stay whole, and between classes
    false ones do, so that classes do not run into each other.

    **It separates classes that overlap**, like every map that labels steer. Use it to
    see the shape of classes that you know to be different, and
    :func:`labelscape.quality.honesty`, or ``transform`` of objects that were not
    fitted, to see how different they are. The fit warns where labels cannot be told
    from the data at all.

    Parameters
    ----------
    {components}
    tau_intra : float, default=1
        What a lost neighbour of the same class costs, from 0 to 1; a false one costs
        the rest.
    tau_inter : float, default=0
        The same for neighbours of another class. If both are equal, labels have no say:
        that is NeRV, the Neighbor Retrieval Visualizer.
    perplexity : float or "auto", default="auto"
        How many neighbours count, softly; at most all other objects. "auto" is 30, or a
        third of the other objects where these are fewer than 90.
    {metric}
    max_iter : int, default=300
        Iterations of L-BFGS at each perplexity, at most.
    tol : float, default=1e-5
        Go on to the next perplexity when an iteration lowers the stress by less.
    {verbose}
    callback : callable or None, default=None
        Called after every iteration with a dict of ``iteration``, ``stress``,
        ``perplexity`` and ``embedding``, the map before it is turned. Returning
        ``True`` stops the fit.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map, on its principal axes and centred, in the units of the data.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    stress_ : float
        What is minimised, at the last perplexity.
    loss_curve_ : list of float
        It after every iteration at the last perplexity.
    n_iter_ : int
        Iterations at all perplexities.
    perplexity_ : float
        How many neighbours counted in the end.
    training_X_ : ndarray of shape (n_samples, n_features) or None
        The fitted objects, which ``transform`` needs; None for dissimilarities.
    {fitted_metric}

    See Also
    --------
    ClassiMap : The same wish, by distances in place of neighbours.
    FisherKernelTSNE : Neighbours in a metric that follows the labels.

    Notes
    -----
    Each object :math:`i` gives shares to its neighbours, in the data and on the map:

    .. math:: \beta_{ij} \propto e^{-\delta_{ij}^2 / 2 \sigma_i^2}, \qquad
              b_{ij} \propto e^{-d_{ij}^2 / 2 \sigma_i^2}

    with :math:`\delta` the dissimilarities, :math:`d` the distances on the map, and the
    :math:`\sigma_i` that gives :math:`\beta_i` the perplexity. It minimises the mean
    over the objects of

    .. math:: \tau_\in D(\beta_i^\in, b_i^\in)
              + (1 - \tau_\in) D(b_i^\in, \beta_i^\in)
              + \tau_{\notin} D(\beta_i^{\notin}, b_i^{\notin})
              + (1 - \tau_{\notin}) D(b_i^{\notin}, \beta_i^{\notin})

    where :math:`\in` are the shares of objects of the same class, :math:`\notin` those
    of others, :math:`\tau` the two parameters and :math:`D(p, q) = \sum_j p_j \ln(p_j /
    q_j) + q_j - p_j`, the Kullback-Leibler divergence of shares that need not add up
    to 1.

    The map begins with the best straight view and follows perplexities of n/2, n/4 and
    so on, down to the one wanted. Nothing is drawn at random. An iteration takes n²
    exponentials, and n × n numbers are held: it is a method for thousands of objects.

    References
    ----------
    B. Colange, J. Peltonen, M. Aupetit, D. Dutykh and S. Lespinats. Steering
    distortions to preserve classes and neighbors in supervised dimensionality
    reduction. NeurIPS 2020. J. Venna, J. Peltonen, K. Nybo, H. Aidos and S. Kaski.
    Information retrieval perspective to nonlinear dimensionality reduction for data
    visualization. Journal of Machine Learning Research, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import ClassNeRV
    >>> X, y = load_iris(return_X_y=True)
    >>> nerv = ClassNeRV().fit(X, y)
    >>> nerv.embedding_.shape
    (150, 2)
    >>> nerv.transform(X[:3] + 0.01).shape
    (3, 2)
    """

    _keeps: ClassVar = (
        "Keeps neighbours inside each class, and shows no false ones between classes."
    )
    _rules: ClassVar = {
        "tau_intra": number(low=0, high=1),
        "tau_inter": number(low=0, high=1),
    }
    _learned: ClassVar[Learned] = {"classes_": classes()}

    def __init__(
        self,
        n_components=2,
        *,
        tau_intra=1,
        tau_inter=0,
        perplexity="auto",
        metric="euclidean",
        max_iter=300,
        tol=1e-5,
        verbose=False,
        callback=None,
    ):
        self.n_components = n_components
        self.tau_intra = tau_intra
        self.tau_inter = tau_inter
        self.perplexity = perplexity
        self.metric = metric
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.callback = callback

    @tells_callbacks
    def fit_transform(self, X, y=None):
        """Compute the map of X and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects, or their dissimilarities if ``metric="precomputed"``.
        y : array-like of shape (n_samples,)
            Class labels.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self)
        given = self._space(X, y)
        labels = self._labels(y, given)
        taus = float(self.tau_intra), float(self.tau_inter)
        return self._map_of(X, given, labels, taus)

    @lazy
    def transform(self, X):
        """Place new objects on the map; those fitted stay where they are.

        A new object begins at the image of its nearest neighbour and goes down its own
        stress. It has no class, so all its pairs count by ``tau_inter``. One that
        equals a fitted object gets its place.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            New objects; if ``metric="precomputed"``, their dissimilarities to the
            fitted ones, of shape (n_new, n_samples).

        Returns
        -------
        Z : ndarray of shape (n_new, n_components)
            Their places.
        """
        X, rows = rows_of_new(self, X)
        tau = float(self.tau_inter)
        return placed_among(rows, len(X), self.embedding_, self.perplexity_, tau)

    def _labels(self, y, given):
        """Return the class number of each object."""
        name = type(self).__name__
        self.classes_, numbers = check_labels(y, given.n, owner=name)
        if self.tau_intra != self.tau_inter:  # else they have no say
            points = isinstance(given, Points)
            warn_if_labels_say_nothing(
                given.X if points else given.D,
                numbers,
                owner=name,
                precomputed=not points,
                stacklevel=4,
            )
        return numbers

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
