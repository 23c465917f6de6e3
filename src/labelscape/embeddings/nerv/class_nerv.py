"""ClassNeRV: neighbours inside a class are not lost, and none are false between."""

from typing import ClassVar

import numpy as np

from labelscape._core.checks import check_labels, check_X
from labelscape._core.docs import shared_parameters
from labelscape._core.errors import InputError
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.progress import Progress
from labelscape._core.label_signal import warn_if_labels_say_nothing
from labelscape._core.optimize import minimize_lbfgs
from labelscape._core.points.spaces import Points
from labelscape._core.rules import check_params, either, finite, number, one_of, whole
from labelscape._core.state import Learned, classes, curve
from labelscape.embeddings._base import MapEstimator, fitted_objects, is_given
from labelscape.embeddings._docs import MAP_TEXTS
from labelscape.embeddings._initialization import (
    on_principal_axes,
    parted,
    straight_map,
)
from labelscape.embeddings._out_of_sample import rows_of_new
from labelscape.embeddings.nerv._stress import (
    narrowing,
    placed_among,
    soft_neighbors,
    stress_and_slope,
)
from labelscape.embeddings.tsne._engine import usual_perplexity


@shared_parameters(MAP_TEXTS)
class ClassNeRV(MapEstimator):
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

    # What the model remembers of its objects; model files leave it out.
    _training_data = ("embedding_", "training_X_")
    _rules: ClassVar = {
        "tau_intra": number(low=0, high=1),
        "tau_inter": number(low=0, high=1),
        "perplexity": either(one_of("auto"), number(low=1)),
        "max_iter": whole(1),
        "tol": number(low=0),
    }
    _learned: ClassVar[Learned] = {
        "training_X_": fitted_objects,
        "classes_": classes(),
        "perplexity_": finite(low=1),
        "stress_": finite(),
        "loss_curve_": curve(),
        "n_iter_": whole(0),
    }

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
        self.perplexity_ = self._chosen_perplexity(given.n)
        start = parted(straight_map(given, self.n_components))
        Z = self._descend(np.ascontiguousarray(start.T), given, labels)
        self.training_X_ = None if is_given(self.metric) else check_X(self, X)
        self.embedding_ = on_principal_axes(Z.T)
        return self.embedding_

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

    def _chosen_perplexity(self, n):
        """Return the perplexity for n objects, or say that they are too few for it."""
        if isinstance(self.perplexity, str):
            return float(usual_perplexity(n))
        if self.perplexity > n - 1:
            raise InputError(
                "perplexity must be at most the number of other objects "
                f"({n - 1}), got {self.perplexity:g}. Lower it, leave it at 'auto', or "
                "fit more objects.",
                owner=type(self).__name__,
                parameter="perplexity",
            )
        return float(self.perplexity)

    def _descend(self, Z, given, labels):
        """Return the map (q, n) below Z, and keep the story of the descent."""
        perplexities, own = narrowing(self.perplexity_, given.n), np.arange(given.n)
        total = self.max_iter * len(perplexities)
        bar = Progress.of(self, total)
        self.n_iter_ = 0
        with bar as progress:
            for perplexity in perplexities:
                neighbors = soft_neighbors(given.rows, own, given.n, perplexity)
                Z, stopped = self._narrowed(Z, neighbors, labels, perplexity, progress)
                if stopped:
                    break
        return Z

    def _narrowed(self, Z, neighbors, labels, perplexity, progress):
        """Return the map (q, n) below Z at one perplexity, and whether to stop."""
        taus = float(self.tau_intra), float(self.tau_inter)
        # In units of sigma, so that the first step is about right in any unit of X.
        unit = np.sqrt(0.5 / np.median(neighbors.w))
        self.loss_curve_ = []

        def objective(z):
            map_ = z.reshape(Z.shape) * unit
            stress, slope = stress_and_slope(map_, neighbors, labels, taus)
            return stress, slope.ravel() * unit

        def after(z, stress):
            self.n_iter_ += 1
            self.loss_curve_.append(stress)
            return progress.watched and progress.step(
                self.n_iter_,
                stress,
                named="stress",
                perplexity=float(perplexity),
                embedding=z.reshape(Z.shape).T * unit,
            )

        found = minimize_lbfgs(
            objective,
            Z.ravel() / unit,
            max_iter=self.max_iter,
            tol=self.tol,
            on_iteration=after,
        )
        self.stress_ = found.value
        return found.x.reshape(Z.shape) * unit, found.stopped

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
