"""ClassifierMap: the picture of a classifier."""

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from labelscape._core.checks import (
    Rule,
    check_params,
    check_X,
    either,
    flag,
    function,
    number,
    one_of,
    whole,
)
from labelscape._core.column_names import check_same_columns
from labelscape._core.sampling import spread_over
from labelscape.boundary._agreement import copied, round_trip_r2
from labelscape.boundary._grid import grid_axes, regions_on
from labelscape.boundary._inverse import fitted_inverse
from labelscape.boundary._picture import Picture
from labelscape.boundary._projection import (
    PROJECTION,
    checked_map,
    default_projection,
    placed_by,
)
from labelscape.boundary._strength import Strength

# t-SNE of fewer objects has no neighbourhoods.
FEWEST_FOR_TSNE = 4
# The label term looks at so many objects: each of its steps is a pass over them.
MOST_REFINED = 5000

RULES = {
    "classifier": Rule(
        "a fitted classifier or a function from X to probabilities",
        lambda value: value is not None and not isinstance(value, str | type),
    ),
    "projection": PROJECTION,
    "resolution": whole(2),
    "lambda1": number(above=0),
    "lambda2": number(0),
    "slope": either(one_of(None), function()),
    "bandwidth_factor": number(above=0),
    "ridge": number(0),
    "n_centers": whole(1),
    "train_size": either(one_of(None), whole(FEWEST_FOR_TSNE)),
    "verbose": flag(),
    "callback": either(one_of(None), function()),
}


class ClassifierMap(Picture):
    r"""A picture of what a classifier decides where, and how sure it is.

    Objects are mapped to the plane. An inverse map tells which object would belong at
    each place, and the classifier is asked about it. So the plane is coloured by its
    decisions, for data of any dimension. ``score`` tells how far to believe the
    picture: for which share of objects, not seen by the map, it shows the truth.

    Parameters
    ----------
    classifier : object or callable
        Anything fitted with ``predict_proba``, ``decision_function`` or ``predict``,
        the first of them that there is; or a function from X to probabilities, which
        may have an attribute ``classes_``. It is used as it is, also by copies.
    projection : map, array of shape (n_samples, 2) or None, default=None
        The map under the picture. None: t-SNE by the classifier's own answers, which
        shows its borders best. A map with two components, of Labelscape, scikit-learn,
        openTSNE or UMAP; a fitted one is used as it is, others are copied and fitted,
        and those that cannot place new objects learn it as a
        :class:`~labelscape.embeddings.KernelMap`. Or the places of the objects.
    resolution : int, default=200
        Cells of the grid along the longer side of the map.
    lambda1 : float, default=1
        Weight of the objects in what the inverse map minimises.
    lambda2 : float, default=0
        Weight of the classifier's answers. Above 0, objects of the inverse map are
        moved to where the classifier says of them what it says of the true ones.
        Slower, and recommended for final figures.
    slope : callable, default=None
        For ``lambda2``: a function from objects (n, n_features) to the derivatives of
        the classifier's answers, (n, n_outputs, n_features). None: worked out by the
        kind of classifier.
    bandwidth_factor : float, default=1
        Widths of the inverse map's kernels, in units of the distance to the fifth
        neighbour on the map. 0.5 copies neighbours, 2 is smooth.
    ridge : float, default=1
        How strongly what a kernel stands for is held to the object of its centre. Small
        values give back the fitted objects better, and those between them worse.
    n_centers : int, default=1000
        How many objects have a kernel in the inverse map, at most.
    train_size : int or None, default=2000
        How many objects make the map if ``projection`` is None, at most; the others are
        placed on it. None: all.
    random_state : int, RandomState or None, default=None
        Draws these objects, and is the seed of a projection that has none.
    verbose : bool, default=False
        Whether to show the progress of t-SNE, if ``projection`` is None.
    callback : callable or None, default=None
        Called after every iteration of it, as in
        :class:`~labelscape.embeddings.FisherKernelTSNE`.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, 2)
        The map.
    regions_ : Regions
        A grid over it: decisions, certainty, distance from the data.
    classes_ : ndarray of shape (n_classes,)
        The classes; numbers from 0 where the classifier does not name them.
    kind_ : {"probability", "decision", "label"}
        What the classifier was asked for.
    predictions_ : ndarray of shape (n_samples,)
        What the classifier says of the fitted objects: the class of its largest answer.
    agreement_train_ : float
        Share of the fitted objects for which the picture shows this class. It is always
        high and says little; ``score`` of other objects is what counts.
    round_trip_r2_ : float
        How much of the fitted objects the inverse map gives back, at most 1.
    nn_agreement_ : float
        Share of the fitted objects whose nearest neighbour on the map has their class.
        What a picture on this map can show, about.
    share_far_from_data_ : float
        Share of the grid that is more than 3 kernel widths from all data.
    n_predictions_ : int
        Predictions that ``fit`` asked of the classifier.
    projection_ : object
        The fitted map.
    inverse_ : InverseMap
        The kernels that lead back: ``centers``, ``widths``, ``coefficients``.
    label_term_ : dict
        The ``lambda2`` that was used, where ``slope`` came from, and the ``reason``.

    See Also
    --------
    labelscape.plotting.plot_classifier_map : The figure.
    labelscape.geometry.FisherMetric : The metric of the map.

    Notes
    -----
    With kernels :math:`\psi_j` that add up to 1 around places on the map, the inverse
    map :math:`p^{-1}(z) = \sum_j a_j \psi_j(z)` minimises

    .. math:: \lambda_1 |X - \Psi A|^2 / v + \lambda_2 |r(X) - r(\Psi A)|^2 / (n C),

    where :math:`v` is the total variance of X and :math:`r` what the classifier says;
    a ridge regression if :math:`\lambda_2 = 0`.

    On the default map the place of an object depends on what the classifier says of it.
    Agreement then tells how well the picture shows the classifier, and nothing about
    how good the classifier is.

    References
    ----------
    B. Hammer, A. Gisbrecht, A. Schulz. Applications of discriminative dimensionality
    reduction. ICPRAM 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from labelscape.boundary import ClassifierMap
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = SVC().fit(X, y)
    >>> model = ClassifierMap(classifier, random_state=0).fit(X[::2])
    >>> model.transform(X[1::2]).shape
    (75, 2)
    >>> model.score(X[1::2]) > 0.9
    True
    """

    # What the model remembers of its objects; model files leave it out.
    _training_data = ("embedding_", "predictions_", "projection_", "inverse_", "_mean")

    def __init__(
        self,
        classifier,
        projection=None,
        resolution=200,
        *,
        lambda1=1.0,
        lambda2=0.0,
        slope=None,
        bandwidth_factor=1.0,
        ridge=1.0,
        n_centers=1000,
        train_size=2000,
        random_state=None,
        verbose=False,
        callback=None,
    ):
        self.classifier = classifier
        self.projection = projection
        self.resolution = resolution
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.slope = slope
        self.bandwidth_factor = bandwidth_factor
        self.ridge = ridge
        self.n_centers = n_centers
        self.train_size = train_size
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def fit(self, X, y=None):
        """Make the picture.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects, as the classifier takes them.
        y : array-like of shape (n_samples,), default=None
            Class labels, where the projection uses them; the picture does not.

        Returns
        -------
        self : ClassifierMap
            The fitted map.
        """
        check_params(self, **RULES)
        fewest = FEWEST_FOR_TSNE if self.projection is None else 2
        X = check_X(self, X, min_samples=fewest)
        random_state = check_random_state(self.random_state)
        strength = Strength(self.classifier)
        check_same_columns(self, self.classifier, called=strength.called)
        name = type(self.projection).__name__
        check_same_columns(self, self.projection, called=f"the projection ({name})")
        r = strength.values(X)
        strength.sharpen(r)
        winners = strength.ranked(r)[0]
        self.classes_, self.kind_ = strength.classes_, strength.kind
        self.predictions_ = self.classes_[winners]

        self.projection_, Z = self._mapped(X, y, strength, winners, random_state)
        self.embedding_ = checked_map(Z, len(X), type(self.projection_).__name__)
        self._mean = X.mean(axis=0, dtype=np.float64)
        self.inverse_ = self._inverse(X, strength, winners, random_state)
        grid = grid_axes(self.embedding_, self.resolution)
        self.regions_ = regions_on(*grid, self.inverse_, strength)
        self.share_far_from_data_ = self.regions_.share_far_from_data
        self._judge(X, strength)
        self.n_predictions_ = strength.n_predictions
        return self

    def fit_transform(self, X, y=None):
        """Make the picture and return the places of the objects.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects.
        y : array-like of shape (n_samples,), default=None
            As for ``fit``.

        Returns
        -------
        Z : ndarray of shape (n_samples, 2)
            Their places.
        """
        return self.fit(X, y).embedding_

    def _mapped(self, X, y, strength, winners, random_state):
        """Return the fitted projection, and its places of X."""
        seed = random_state.randint(2**31 - 1)
        if self.projection is not None:
            return placed_by(self.projection, X, y, seed)
        chosen = spread_over(winners, self.train_size or len(X), random_state)
        watch = {"verbose": self.verbose, "callback": self.callback}
        tsne = default_projection(strength, random_state=seed, **watch)
        Z = np.empty((len(X), 2))
        Z[chosen] = tsne.fit_transform(X[chosen])
        others = np.setdiff1d(np.arange(len(X)), chosen)
        if len(others):
            Z[others] = tsne.transform(X[others])
        return tsne, Z

    def _inverse(self, X, strength, winners, random_state):
        """Return the InverseMap, with the label term if asked for."""
        Z = self.embedding_
        inverse = fitted_inverse(
            Z,
            X,
            centers=spread_over(winners, self.n_centers, random_state),
            factor=self.bandwidth_factor,
            ridge=self.ridge,
        )
        used = {"lambda2": 0.0, "slope": "none", "reason": "lambda2 is 0."}
        if self.lambda2 > 0.0:
            from labelscape.boundary._label_term import refine

            some = spread_over(winners, MOST_REFINED, random_state)
            A, found = refine(
                inverse.coefficients,
                inverse.weights(Z[some]),
                X[some].astype(np.float64),
                strength,
                slope=self.slope,
                lambda1=self.lambda1,
                lambda2=self.lambda2,
            )
            inverse = inverse._replace(coefficients=A)
            used = {name: getattr(found, name) for name in used}
        self.label_term_ = used
        return inverse

    def _judge(self, X, strength):
        again = self.inverse_(self.embedding_)
        shown = strength.labels(strength.values(again))
        self.agreement_train_ = float((shown == self.predictions_).mean())
        self.round_trip_r2_ = round_trip_r2(X, again, self._mean)
        near = copied(self.embedding_, self.predictions_)
        self.nn_agreement_ = float((near == self.predictions_).mean())

    def __sklearn_clone__(self):
        # A given classifier is fitted, and so may the projection be: copies would not.
        parameters = self.get_params(deep=False)
        kept = ("classifier", "projection")
        copies = {
            name: value if name in kept else clone(value, safe=False)
            for name, value in parameters.items()
        }
        return type(self)(**copies)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = getattr(self.projection, "__sklearn_tags__", None)
        if inner is not None:
            tags.target_tags.required = inner().target_tags.required
        return tags
