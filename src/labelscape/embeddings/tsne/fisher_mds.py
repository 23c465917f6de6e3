"""Fisher MDS: a map that keeps the distances of a metric that follows the labels."""

from typing import ClassVar

from labelscape._core.checks import check_X
from labelscape._core.docs import shared_parameters
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.learned import Learned, curve
from labelscape._core.rules import check_params, finite, number, whole
from labelscape.embeddings._base import MapEstimator
from labelscape.embeddings._docs import MAP_TEXTS
from labelscape.embeddings.tsne._fisher import FISHER_TEXTS, FisherMap
from labelscape.embeddings.weighted_mds.estimator import WeightedMDS


@shared_parameters(FISHER_TEXTS | MAP_TEXTS)
class FisherMDS(FisherMap, MapEstimator):
    """Multidimensional scaling in a metric that follows the labels.

    Objects are far apart on the map if the class probabilities change a lot on the way
    from one to the other. Where t-SNE keeps neighbours, this keeps the large shape:
    which classes border on which.

    Parameters
    ----------
    {components}
    {fisher}
    n_init : int, default=1
        Number of starts, the first from classical MDS, the others at random.
    max_iter : int, default=300
        Iterations of each start at most.
    tol : float, default=1e-6
        Stop when an iteration lowers the stress by less than this part of it.
    {seed}
    {verbose}
    callback : callable or None, default=None
        As for :class:`WeightedMDS`, which does the work.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map, on its principal axes and centred.
    stress_ : float
        Error of the map, relative to the distances: 0 is exact.
    loss_curve_ : list of float
        Stress after each iteration of the best start.
    n_iter_ : int
        Iterations of the best start.
    {fisher_attributes}

    See Also
    --------
    FisherTSNE : Keeps neighbours rather than all distances.
    KernelMap : Places for new objects.

    Notes
    -----
    Holds all n × n distances. With ``KernelMap(FisherMDS(), metric=FisherMetric())``
    new objects find their places in the same kind of metric.

    References
    ----------
    B. Hammer, A. Gisbrecht, A. Schulz. Applications of discriminative dimensionality
    reduction. ICPRAM 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import FisherMDS
    >>> X, y = load_iris(return_X_y=True)
    >>> mds = FisherMDS(random_state=0).fit(X, y)
    >>> mds.embedding_.shape
    (150, 2)
    """

    _keeps: ClassVar = "Keeps distances that count only what changes the class."

    # What the model remembers of its objects; model files leave it out.
    _training_data = ("embedding_", "metric_")
    _rules: ClassVar = {
        "n_init": whole(1),
        "max_iter": whole(1),
        "tol": number(low=0),
    }
    _learned: ClassVar[Learned] = {
        "stress_": finite(0),
        "loss_curve_": curve(),
        "n_iter_": whole(0),
    }

    def __init__(
        self,
        n_components=2,
        *,
        metric=None,
        n_init=1,
        max_iter=300,
        tol=1e-6,
        random_state=None,
        verbose=False,
        callback=None,
    ):
        self.n_components = n_components
        self.metric = metric
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    @tells_callbacks
    def fit_transform(self, X, y=None):
        """Compute the map of labelled objects and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects.
        y : array-like of shape (n_samples,)
            Class labels; None only if the metric has an estimator.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self)
        X = check_X(self, X)
        self.metric_ = self._fitted_metric(X, y)
        parameters = self.get_params(deep=False) | {"metric": "precomputed"}
        mds = WeightedMDS(**parameters).fit(self.metric_.pairwise(X))
        self.embedding_, self.stress_ = mds.embedding_, mds.stress_
        self.loss_curve_, self.n_iter_ = mds.loss_curve_, mds.n_iter_
        return self.embedding_
