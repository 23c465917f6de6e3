"""SNE: every object should find its neighbours again on the map."""

from typing import ClassVar

import numpy as np

from labelscape._core.chunks.lazy import lazy
from labelscape._core.docs import shared_parameters
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.learned import Learned
from labelscape._core.rules import check_params, finite
from labelscape.embeddings._docs import MAP_TEXTS
from labelscape.embeddings._out_of_sample import rows_of_new
from labelscape.embeddings.nerv._base import SoftNeighborMap
from labelscape.embeddings.nerv._stress import placed_among

# Lost neighbours cost all, inside classes and between them.
LOST_ONLY = (1.0, 1.0)
# Squares of narrower and wider ones are 0 or no numbers.
NARROWEST, WIDEST = 1e-153, 1e150


@shared_parameters(MAP_TEXTS)
class SNE(SoftNeighborMap):
    r"""Map on which neighbours are not lost: Stochastic Neighbor Embedding.

    Each object has soft neighbours in the data, with a width of its own that makes them
    as many as the perplexity says, and soft neighbours on the map, with one width for
    all. The map is the one on which few of the first are lost. Unlike t-SNE it has no
    long tails on the map, so groups stand closer, and distances tell more.

    Parameters
    ----------
    {components}
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
    stress_ : float
        What is minimised, at the last perplexity.
    loss_curve_ : list of float
        It after every iteration at the last perplexity.
    n_iter_ : int
        Iterations at all perplexities.
    perplexity_ : float
        How many neighbours counted in the end.
    map_width_ : float
        Width of the neighbourhoods on the map: the median of those in the data. It sets
        the scale of the map, and nothing else.
    training_X_ : ndarray of shape (n_samples, n_features) or None
        The fitted objects, which ``transform`` needs; None for dissimilarities.
    {fitted_metric}

    See Also
    --------
    ClassNeRV : The same with a price for false neighbours, and labels that set it.
    KernelTSNE : Long tails on the map, which let groups stand apart.
    NEXOM : The same wish by online learning, which holds no n × n numbers.

    Notes
    -----
    With dissimilarities :math:`\delta`, distances :math:`d` on the map, the
    :math:`\sigma_i` that gives :math:`p_i` its perplexity, and one :math:`\gamma`,

    .. math:: p_{ij} \propto e^{-\delta_{ij}^2 / 2 \sigma_i^2}, \qquad
              q_{ij} \propto e^{-d_{ij}^2 / 2 \gamma^2}, \qquad
              \frac{1}{n} \sum_{i \neq j} p_{ij} \ln \frac{p_{ij}}{q_{ij}}

    is minimised, where each :math:`p_i` and each :math:`q_i` adds up to 1. That is the
    first, asymmetric SNE. In place of its gradient descent with noise, the map begins
    with the best straight view and follows perplexities of n/2, n/4 and so on, down to
    the one wanted, by L-BFGS: nothing is drawn at random. An iteration takes n²
    exponentials, and n × n numbers are held: it is a method for thousands of objects.

    References
    ----------
    G. Hinton and S. Roweis. Stochastic neighbor embedding. NIPS 15, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import SNE
    >>> X, _ = load_iris(return_X_y=True)
    >>> sne = SNE().fit(X)
    >>> sne.embedding_.shape
    (150, 2)
    >>> sne.transform(X[:3] + 0.01).shape
    (3, 2)
    """

    _keeps: ClassVar = "Keeps neighbours together, softly; labels have no say."
    _learned: ClassVar[Learned] = {"map_width_": finite(NARROWEST, WIDEST)}

    def __init__(
        self,
        n_components=2,
        *,
        perplexity="auto",
        metric="euclidean",
        max_iter=300,
        tol=1e-5,
        verbose=False,
        callback=None,
    ):
        self.n_components = n_components
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
        y : array-like of shape (n_samples,), default=None
            Class labels, if the metric uses them.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self)
        given = self._space(X, y)
        return self._map_of(X, given, np.zeros(given.n, dtype=np.int64), LOST_ONLY)

    @lazy
    def transform(self, X):
        """Place new objects on the map; those fitted stay where they are.

        A new object begins at the image of its nearest neighbour and goes down its own
        stress. One that equals a fitted object gets its place.

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
        Z, w = self.embedding_, 0.5 / self.map_width_**2
        return placed_among(rows, len(X), Z, self.perplexity_, LOST_ONLY[0], w)

    def _on_map(self, neighbors):
        w = np.median(neighbors.w)
        self.map_width_ = float(np.sqrt(0.5 / w))
        return neighbors._replace(w=np.full(len(neighbors.w), w))
