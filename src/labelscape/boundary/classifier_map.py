"""ClassifierMap: the picture of a classifier."""

from functools import partial
from typing import ClassVar

import numpy as np
from sklearn.base import (
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    clone,
)
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_finite, check_X, numbers_argument
from labelscape._core.chunks.lazy import lazy
from labelscape._core.errors import InputError
from labelscape._core.features import check_same_columns, named_as
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.estimator import Estimator
from labelscape._core.fits.learned import (
    Learned,
    classes,
    labels,
    numbers,
    or_none,
    part,
    record,
    table,
    text,
)
from labelscape._core.rules import (
    COMMON,
    Rule,
    check_params,
    either,
    finite,
    function,
    number,
    one_of,
    whole,
)
from labelscape._core.sampling import spread_over
from labelscape.boundary._agreement import copied, round_trip_r2
from labelscape.boundary._classifier_output import Strength
from labelscape.boundary._grid import Regions, grid_axes, regions_on
from labelscape.boundary._inverse import InverseMap, fitted_inverse
from labelscape.boundary._projection import (
    PROJECTION,
    checked_map,
    default_projection,
    is_places,
    placed_by,
)
from labelscape.boundary.comparison import compared

# t-SNE of fewer objects has no neighbourhoods.
FEWEST_FOR_TSNE = 4
# Neighbors color the picture if so much more of the fitted objects agree with them.
MUCH_BETTER = 0.02
# The label term looks at so many objects: each of its steps is a pass over them.
MOST_REFINED = 5000


class ClassifierMap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
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
    coloring : {"auto", "inverse", "neighbors"}, default="auto"
        What a place shows. "inverse": what the classifier says of the object that the
        inverse map gives it. "neighbors": what it says of the nearest fitted object.
        "auto": the second where the neighbors of the fitted objects agree with them
        more often, by 0.02 at least, which they do if small changes of an object
        change the decision, as with forests on categories.
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
        high and says little; ``score`` of other objects is what counts. If neighbors
        color the picture, the same as ``nn_agreement_``.
    coloring_ : {"inverse", "neighbors"}
        What places show.
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

    _keeps: ClassVar = "Neighbours by the classifier's own answers stay neighbours."

    # What the model remembers of its objects; model files leave it out.
    _training_data = (
        "embedding_",
        "predictions_",
        "projection_",
        "inverse_",
        "_mean",
        "_answers",
    )
    # One of another library, which model files do not hold.
    _removable: ClassVar = ("classifier",)
    _learned: ClassVar[Learned] = {
        "classes_": classes(ordered=False),
        "kind_": one_of("probability", "decision", "label"),
        "embedding_": numbers("objects", 2),
        "predictions_": labels("objects"),
        "projection_": part("transform"),
        "_mean": numbers("features"),
        "_answers": or_none(numbers("objects", "outputs")),
        "coloring_": one_of("inverse", "neighbors"),
        "inverse_": record(InverseMap),
        "regions_": record(Regions),
        "label_term_": table(lambda2=finite(0), slope=text(), reason=text()),
        "share_far_from_data_": finite(0, 1),
        "agreement_train_": finite(0, 1),
        "round_trip_r2_": finite(high=1),
        "nn_agreement_": finite(0, 1),
        "n_predictions_": whole(0),
    }
    _rules: ClassVar = COMMON | {
        "classifier": Rule(
            "a fitted classifier or a function from X to probabilities",
            lambda value: value is not None and not isinstance(value, str | type),
        ),
        "projection": PROJECTION,
        "resolution": whole(2, limit=4096),
        "lambda1": number(above=0),
        "lambda2": number(0),
        "slope": either(one_of(None), function()),
        "bandwidth_factor": number(above=0),
        "ridge": number(0),
        "n_centers": whole(1),
        "coloring": one_of("auto", "inverse", "neighbors"),
        "train_size": either(one_of(None), whole(FEWEST_FOR_TSNE)),
        "callback": either(one_of(None), function()),
    }

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
        coloring="auto",
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
        self.coloring = coloring
        self.train_size = train_size
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    @tells_callbacks
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
        check_params(self)
        fewest = FEWEST_FOR_TSNE if self.projection is None else 2
        # In float32 the classifier's answers would be rounded, and t-SNE makes another
        # map of distances that differ in their seventh digit.
        X = check_X(self, X, min_samples=fewest).astype(np.float64, copy=False)
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
        self._judge(X, r, strength)
        grid = grid_axes(self.embedding_, self.resolution)
        self.regions_ = regions_on(*grid, self.inverse_, strength, self._copied())
        self.share_far_from_data_ = self.regions_.share_far_from_data
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

    @lazy
    def transform(self, X):
        """Place objects on the map.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            Objects.

        Returns
        -------
        Z : ndarray of shape (n_new, 2)
            Their places.
        """
        return self._places(self._checked(X))

    def inverse_transform(self, Z):
        """Return which objects belong at places on the map.

        Parameters
        ----------
        Z : array-like of shape (n_places, 2)
            Places, such as a grid. Far from all data they get the object of the closest
            kernel.

        Returns
        -------
        X : ndarray of shape (n_places, n_features)
            Objects.
        """
        Z = self._checked_places("inverse_transform", Z)
        return self.inverse_(Z)

    def _checked_places(self, method, Z):
        """Return places as floats (m, 2), or say what ``method`` takes."""
        self._need_data()
        Z = numbers_argument("ClassifierMap", "Z", Z)
        if Z.ndim != 2 or Z.shape[1] != 2 or len(Z) == 0:
            raise InputError(
                f"{method} takes places on the map, one or "
                "more, as an array of shape (n_places, 2); got one of shape "
                f"{Z.shape}.",
                owner="ClassifierMap",
            )
        check_finite(Z, owner="ClassifierMap", name="Z")
        return Z

    @lazy
    def predict(self, X):
        """Return what the classifier says of objects: the class of its largest answer.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Classes. Of classifiers whose probabilities are fitted on top of their
            decisions they may differ from those of its own ``predict``.
        """
        return self._labels(self._checked(X))

    def score(self, X, y=None):
        """Return for which share of objects the picture shows what the classifier says.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects that the map was not fitted to.
        y : None
            Not used: the classifier is compared with its picture, not with labels.

        Returns
        -------
        agreement : float
            Between 0 and 1.
        """
        return float(self.agrees(X).mean())

    def agrees(self, X):
        """Return which objects the picture shows as what the classifier says of them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects that the map was not fitted to.

        Returns
        -------
        agrees : ndarray of bool of shape (n_samples,)
            Whether the place of an object lies in the region of its class.
        """
        X = self._checked(X)
        return self._shown(self._places(X)) == self._labels(X)

    def shown_at(self, Z):
        """Return which class the picture shows at places on the map.

        Parameters
        ----------
        Z : array-like of shape (n_places, 2)
            Places.

        Returns
        -------
        labels : ndarray of shape (n_places,)
            Classes.
        """
        return self._shown(self._checked_places("shown_at", Z))

    def round_trip_r2(self, X):
        """Return how much of objects is left after a way to the map and back.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects.

        Returns
        -------
        r2 : float
            1 if nothing is lost, 0 if all come back as the mean of the fitted ones.
        """
        X = self._checked(X)
        return round_trip_r2(X, self.inverse_(self._places(X)), self._mean)

    def nn_agreement(self, X):
        """Return which share of objects has the class of its neighbour on the map.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects that the map was not fitted to.

        Returns
        -------
        agreement : float
            Compare with ``score``: a picture can hardly show more than this.
        """
        X = self._checked(X)
        near = copied(self.embedding_, self.predictions_, self._places(X))
        return float((near == self._labels(X)).mean())

    def compare(self, classifier, X=None):
        """Show another classifier on the same map, and where the two disagree.

        Parameters
        ----------
        classifier : object or callable
            Another classifier of the same features and classes.
        X : array-like of shape (n_samples, n_features), default=None
            Objects to count disagreements on.

        Returns
        -------
        comparison : ClassifierComparison
            Both pictures, where they differ, and how often.
        """
        self._need_data()
        other = Strength(classifier)
        check_same_columns(self, classifier, called=other.called)
        regions = regions_on(self.regions_.x, self.regions_.y, self.inverse_, other)
        if not np.isin(other.classes_, self.classes_).any():
            raise InputError(
                "compare needs classifiers of the same classes; this "
                f"one has {self.classes_.tolist()[:10]}, the other "
                f"{other.classes_.tolist()[:10]}.",
                owner="ClassifierMap",
            )
        own = self.regions_
        if self.coloring_ == "neighbors":
            # Both are asked about the same objects: those that belong at each place.
            own = regions_on(own.x, own.y, self.inverse_, self._strength)
        objects = None
        if X is not None:
            X = self._checked(X)
            others = other.labels(other.values(X))
            objects = self._places(X), self._labels(X), others
        return compared(own, regions, (self._strength.name, other.name), objects)

    def plot(self, X=None, y=None, **options):
        """Draw the picture.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), default=None
            Objects to show. None: the fitted ones.
        y : array-like of shape (n_samples,), default=None
            Their true classes. Where the classifier is wrong, a point has a ring. None:
            points have the colour of the class that the classifier gives them.
        **options
            As for :func:`labelscape.plotting.plot_classifier_map`.

        Returns
        -------
        matplotlib Axes
        """
        from labelscape.plotting import plot_classifier_map

        return plot_classifier_map(self, X, y, **options)

    @property
    def agreement_(self):
        """The same as ``agreement_train_``."""
        return self.agreement_train_

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
            from labelscape.boundary.gradients.label_term import refine

            some = spread_over(winners, MOST_REFINED, random_state)
            A, found = refine(
                inverse.coefficients,
                inverse.weights(Z[some]),
                X[some],
                strength,
                slope=self.slope,
                lambda1=self.lambda1,
                lambda2=self.lambda2,
            )
            inverse = inverse._replace(coefficients=A)
            used = {name: getattr(found, name) for name in used}
        self.label_term_ = used
        return inverse

    def _judge(self, X, r, strength):
        """Measure how far places agree with their objects, and choose what they show.

        The inverse map has seen the objects, and neighbors are others: if they agree
        more often all the same, they do so for objects that are not fitted, too.
        """
        again = self.inverse_(self.embedding_)
        shown = strength.labels(strength.values(again))
        self.agreement_train_ = float((shown == self.predictions_).mean())
        self.round_trip_r2_ = round_trip_r2(X, again, self._mean)
        near = copied(self.embedding_, self.predictions_)
        self.nn_agreement_ = float((near == self.predictions_).mean())
        self.coloring_ = self.coloring
        if self.coloring == "auto":
            gain = self.nn_agreement_ - self.agreement_train_
            self.coloring_ = "neighbors" if gain > MUCH_BETTER else "inverse"
        self._answers = r if self.coloring_ == "neighbors" else None
        if self.coloring_ == "neighbors":
            self.agreement_train_ = self.nn_agreement_

    def _copied(self):
        """Return what places show where neighbors color them, as a function; or None.

        From places (m, 2) to what the classifier says of the nearest fitted objects.
        """
        if self.coloring_ == "inverse":
            return None
        return partial(copied, self.embedding_, self._answers)

    def _shown(self, Z):
        if self.coloring_ == "neighbors":
            return copied(self.embedding_, self.predictions_, Z)
        return self._labels(self.inverse_(Z))

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

    def _held_objects(self):
        return ("projection",) if is_places(self.projection) else ()

    @property
    def _strength(self):
        return Strength(self.classifier, self.classes_)

    def _labels(self, X):
        strength = self._strength
        return strength.labels(strength.values(X))

    def _need_data(self):
        check_is_fitted(self)
        if any(name not in vars(self) for name in self._training_data):
            raise InputError(
                "this needs the map and its inverse, which are made of "
                "the fitted objects, and the model was saved without them. Use "
                "save(model, path, include_data=True), or fit again.",
                owner="ClassifierMap",
            )

    def _checked(self, X):
        self._need_data()
        return check_X(self, X, reset=False).astype(np.float64, copy=False)

    def _places(self, X):
        Z = self.projection_.transform(named_as(self.projection_, X))
        return checked_map(Z, len(X), type(self.projection_).__name__)

    @property
    def _n_features_out(self):
        return 2
