"""ClassifierMap: the decision regions of a classifier on a map."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core import learned
from labelscape._core.checks import (
    check_finite,
    check_same_columns,
    check_X,
    named_as,
    numbers_argument,
)
from labelscape._core.errors import InputError
from labelscape._core.estimator import (
    AsInPaper,
    Estimator,
    Printed,
    reports_to_callbacks,
)
from labelscape._core.params import (
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
from labelscape._core.rows.answers import lazy
from labelscape._core.types import Array
from labelscape._resampling.sampling import spread_over
from labelscape.boundary._classifier_output import ClassScores
from labelscape.boundary._grid import Regions, grid_axes, regions_on
from labelscape.boundary._inverse import (
    InverseMap,
    copied,
    fitted_inverse,
    round_trip_r2,
)
from labelscape.boundary._projection import (
    PROJECTION,
    checked_map,
    default_projection,
    is_places,
    placed_by,
)
from labelscape.boundary.comparison import PictureAgreement

FEWEST_FOR_TSNE = 4  # with fewer samples, t-SNE has no neighborhoods
# "auto" colors by neighbors if their agreement is higher by more than this.
MUCH_BETTER = 0.02
# The label term uses at most this many samples, because each step uses all of them.
MOST_REFINED = 5000


@dataclass(eq=False, repr=False, kw_only=True)
class ClassifierMap(
    PictureAgreement,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    AsInPaper,
    Estimator,
):
    r"""The decision regions of a classifier on a map, and its certainty.

    Samples are mapped to the plane. For each position on the map, an inverse map
    computes a sample, and the classifier predicts the class of this sample. The class
    determines the color of the position. This works for data of any dimension.
    ``score`` measures the quality of the drawn regions: the share of held-out samples
    for which the regions agree with the classifier.

    Parameters
    ----------
    classifier : object or callable
        A fitted classifier with ``predict_proba``, ``decision_function`` or ``predict``
        (the first that exists is used), or a function from X to probabilities, which
        may have an attribute ``classes_``. It is not copied.
    projection : map, array of shape (n_samples, 2) or None, default=None
        The map on which regions are drawn. None means t-SNE of the classifier's
        predictions, which shows the decision borders clearly. A map with two components
        (from Labelscape, scikit-learn, openTSNE or UMAP) is copied and fitted, unless
        it is fitted already. A map without ``transform`` is extended by
        :class:`~labelscape.embeddings.KernelMap`. An array contains the positions.
    resolution : int, default=200
        Number of grid cells along the longer side of the map.
    lambda1 : float, default=1
        Weight of the samples in the cost of the inverse map.
    lambda2 : float, default=0
        Weight of the classifier's output in the cost of the inverse map. A positive
        weight adjusts the inverse map, so that computed and true samples have similar
        outputs. This is slower, and recommended for final figures.
    slope : callable, default=None
        Function from samples (n, n_features) to the derivatives of the classifier's
        outputs, (n, n_outputs, n_features); used if ``lambda2`` is above 0. The default
        is a formula for support vector machines (linear and Gaussian kernels, without
        Platt's probabilities), linear models and prototype models, also after linear
        steps of a pipeline. For other classifiers, kernels are fitted to the outputs.
    bandwidth_factor : float, default=1
        Widths of the inverse map's kernels, in units of the distance to the fifth
        neighbor on the map. 0.5 copies the nearest samples, 2 gives smooth pictures.
    ridge : float, default=1
        Penalty that keeps each kernel's coefficients close to the sample at its center.
        Small values reproduce fitted samples better, and new samples worse.
    n_centers : int, default=1000
        Maximum number of kernels in the inverse map, each centered at a sample.
    coloring : {"auto", "inverse", "neighbors"}, default="auto"
        What the color of a position shows. "inverse" shows the classifier's output for
        the sample of the inverse map, "neighbors" the output for the nearest fitted
        sample. "auto" chooses "neighbors" if its agreement with the classifier is
        higher by more than 0.02, as for random forests on categorical features, where
        small changes of a sample can change the decision.
    train_size : int or None, default=2000
        If ``projection`` is None, maximum number of samples to fit the map; the other
        samples are placed on the map. With None, all are used to fit.
    random_state : int, RandomState or None, default=None
        Seed for drawing ``train_size`` samples, and for a projection without a seed.
    verbose : bool, default=False
        Whether to show the progress of t-SNE, if ``projection`` is None.
    callback : callable or None, default=None
        Called after every iteration of t-SNE, as in
        :class:`~labelscape.embeddings.FisherKernelTSNE`.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, 2)
        The map.
    regions_ : Regions
        A grid over the map with decisions, certainty and distance from the data.
    classes_ : ndarray of shape (n_classes,)
        The classes; numbers from 0 if the classifier has no ``classes_``.
    kind_ : {"probability", "decision", "label"}
        The kind of the classifier's outputs.
    predictions_ : ndarray of shape (n_samples,)
        The classes that the classifier predicts for the fitted samples.
    agreement_train_ : float
        Share of the fitted samples that lie in the region of their predicted class.
        ``agreement_train_`` is always high; use ``score`` on held-out samples. With
        ``coloring_="neighbors"``, ``agreement_train_`` equals ``nn_agreement_``.
    coloring_ : {"inverse", "neighbors"}
        The coloring that was used.
    round_trip_r2_ : float
        R² of the fitted samples after mapping and inverse mapping, at most 1.
    nn_agreement_ : float
        Share of the fitted samples whose nearest neighbor on the map has the same
        predicted class. Regions can hardly reach a higher agreement.
    share_far_from_data_ : float
        Share of the grid that is more than 3 kernel widths from all data.
    n_predictions_ : int
        Number of predictions that ``fit`` needed.
    projection_ : object
        The fitted map.
    inverse_ : InverseMap
        The kernels of the inverse map: ``centers``, ``widths``, ``coefficients``.
    label_term_ : dict
        The ``lambda2`` used, the source of ``slope``, and the ``reason`` for it.
    n_features_in_ : int
        Number of features in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features in ``fit``, if X had names of columns.

    See Also
    --------
    labelscape.plotting.plot_classifier_map : The figure.
    labelscape.geometry.FisherMetric : The metric of the map.

    Notes
    -----
    With kernels :math:`\psi_j` that add up to 1 around positions on the map, the
    inverse map :math:`p^{-1}(z) = \sum_j a_j \psi_j(z)` minimizes

    .. math:: \lambda_1 |X - \Psi A|^2 / v + \lambda_2 |r(X) - r(\Psi A)|^2 / (n C),

    where :math:`v` is the total variance of X and :math:`r` the classifier's outputs.
    If :math:`\lambda_2 = 0`, this is a ridge regression.

    On the default map, the position of a sample depends on the classifier's output. So
    agreement measures how well this map shows the classifier, not how accurate the
    classifier is.

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

    classifier: Any = field(kw_only=False)
    projection: Any = field(default=None, kw_only=False)
    resolution: int = field(default=200, kw_only=False)
    # The inverse map.
    lambda1: float = 1.0
    lambda2: float = 0.0
    slope: Any = None
    bandwidth_factor: float = 1.0
    ridge: float = 1.0
    n_centers: int = 1000
    # The picture, and the default map.
    coloring: str = "auto"
    train_size: int | None = 2000
    # As in all estimators.
    random_state: Any = None
    verbose: bool = False
    callback: Any = None

    _in_paper: ClassVar = {
        "coloring": Printed(
            "inverse",
            "Neighbors match the classifier better than an inexact inverse map.",
        ),
    }
    _keeps: ClassVar = "Keeps rows with similar predictions of the classifier together."

    # Attributes with samples, which model files omit.
    _training_data = (
        "embedding_",
        "predictions_",
        "projection_",
        "inverse_",
        "_mean",
        "_answers",
    )
    # The classifier may come from a library whose models cannot be saved.
    _removable: ClassVar = ("classifier",)
    _learned: ClassVar[learned.Learned] = {
        "classes_": learned.classes(ordered=False),
        "kind_": one_of("probability", "decision", "label"),
        "embedding_": learned.numbers("samples", 2),
        "predictions_": learned.labels("samples"),
        "projection_": learned.part("transform"),
        "_mean": learned.numbers("features"),
        "_answers": learned.or_none(learned.numbers("samples", "outputs")),
        "coloring_": one_of("inverse", "neighbors"),
        "inverse_": learned.record(InverseMap),
        "regions_": learned.record(Regions),
        "label_term_": learned.table(
            lambda2=finite(0), slope=learned.text(), reason=learned.text()
        ),
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

    @reports_to_callbacks
    def fit(self, X, y=None) -> Self:
        """Fit the map and compute the decision regions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples with the features of the classifier.
        y : array-like of shape (n_samples,), default=None
            Class labels, used only by a projection that needs them.

        Returns
        -------
        self : ClassifierMap
            The fitted map.
        """
        check_params(self)
        fewest = FEWEST_FOR_TSNE if self.projection is None else 2
        # In float32, the classifier's outputs would be rounded, and t-SNE makes a
        # different map if distances differ in their seventh digit.
        X = check_X(self, X, min_samples=fewest).astype(np.float64, copy=False)
        random_state = check_random_state(self.random_state)
        scores = ClassScores(self.classifier)
        check_same_columns(self, self.classifier, called=scores.called)
        name = type(self.projection).__name__
        check_same_columns(self, self.projection, called=f"the projection ({name})")
        r = scores.values(X)
        scores.sharpen(r)
        winners = scores.ranked(r)[0]
        self.classes_, self.kind_ = scores.classes_, scores.kind
        self.predictions_ = self.classes_[winners]

        self.projection_, Z = self._mapped(X, y, scores, winners, random_state)
        self.embedding_ = checked_map(Z, len(X), type(self.projection_).__name__)
        self._mean = X.mean(axis=0, dtype=np.float64)
        self.inverse_ = self._inverse(X, scores, winners, random_state)
        self._judge(X, r, scores)
        columns, rows = grid_axes(self.embedding_, self.resolution)
        self.regions_ = regions_on(columns, rows, self.inverse_, scores, self._copied())
        self.share_far_from_data_ = self.regions_.share_far_from_data
        self.n_predictions_ = scores.n_predictions
        return self

    def fit_transform(self, X, y=None) -> Array:
        """Fit the map and return the positions of the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,), default=None
            As for ``fit``.

        Returns
        -------
        Z : ndarray of shape (n_samples, 2)
            Positions of the samples.
        """
        return self.fit(X, y).embedding_

    @lazy
    def transform(self, X) -> Array:
        """Place samples on the map.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            Samples.

        Returns
        -------
        Z : ndarray of shape (n_new, 2)
            Positions of the samples.
        """
        return self._places(self._checked(X))

    def inverse_transform(self, Z) -> Array:
        """Return the samples that the inverse map computes for positions on the map.

        Parameters
        ----------
        Z : array-like of shape (n_positions, 2)
            Positions. Positions far from all data get the sample of the closest kernel.

        Returns
        -------
        X : ndarray of shape (n_positions, n_features)
            Samples.
        """
        Z = self._checked_places("inverse_transform", Z)
        return self.inverse_(Z)

    def _checked_places(self, method, Z):
        """Return positions as floats (m, 2), after a check; errors name the method."""
        self._need_data()
        Z = numbers_argument("ClassifierMap", "Z", Z)
        if Z.ndim != 2 or Z.shape[1] != 2 or len(Z) == 0:
            raise InputError(
                f"{method} takes positions on the map, as an array of shape (n, 2) "
                f"with n > 0; got one of shape {Z.shape}.",
                owner="ClassifierMap",
            )
        check_finite(Z, owner="ClassifierMap", name="Z")
        return Z

    @lazy
    def predict(self, X) -> Array:
        """Return the class with the largest output of the classifier for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Classes, which may differ from ``classifier.predict`` if the classifier's
            probabilities are fitted to its decisions, as in ``SVC(probability=True)``.
        """
        return self._labels(self._checked(X))

    def plot(self, X=None, y=None, **options) -> Any:
        """Draw the decision regions and the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), default=None
            Samples to show; by default, the fitted samples.
        y : array-like of shape (n_samples,), default=None
            Their true classes. Misclassified points have a ring. If None, points have
            the color of the predicted class.
        **options
            As for :func:`labelscape.plotting.plot_classifier_map`.

        Returns
        -------
        matplotlib Axes
        """
        from labelscape.plotting import plot_classifier_map

        return plot_classifier_map(self, X, y, **options)

    def _mapped(self, X, y, scores, winners, random_state):
        """Return the fitted projection, and its positions of X."""
        seed = random_state.randint(2**31 - 1)
        if self.projection is not None:
            return placed_by(self.projection, X, y, seed)
        chosen = spread_over(winners, self.train_size or len(X), random_state)
        watch = {"verbose": self.verbose, "callback": self.callback}
        tsne = default_projection(scores, random_state=seed, **watch)
        Z = np.empty((len(X), 2))
        Z[chosen] = tsne.fit_transform(X[chosen])
        others = np.setdiff1d(np.arange(len(X)), chosen)
        if len(others):
            Z[others] = tsne.transform(X[others])
        return tsne, Z

    def _inverse(self, X, scores, winners, random_state):
        """Return the InverseMap, with the label term if ``lambda2`` is above 0."""
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
            A, term = refine(
                inverse.coefficients,
                inverse.weights(Z[some]),
                X[some],
                scores,
                slope=self.slope,
                lambda1=self.lambda1,
                lambda2=self.lambda2,
            )
            inverse = inverse._replace(coefficients=A)
            used = {name: getattr(term, name) for name in used}
        self.label_term_ = used
        return inverse

    def _judge(self, X, r, scores):
        """Measure how well positions agree with samples, and choose the coloring."""
        # The inverse map was fitted to these samples, but their neighbors are other
        # samples. If neighbors agree more often here, they also do for new samples.
        again = self.inverse_(self.embedding_)
        labels = scores.labels(scores.values(again))
        self.agreement_train_ = float((labels == self.predictions_).mean())
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
        """Return the function that predicts from neighbors; None if not used."""
        if self.coloring_ == "inverse":
            return None
        return partial(copied, self.embedding_, self._answers)

    def __sklearn_clone__(self):
        # The classifier is fitted, and the projection may be fitted. Copies of them
        # would be unfitted.
        return self._clone_but("classifier", "projection")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = getattr(self.projection, "__sklearn_tags__", None)
        if inner is not None:
            tags.target_tags.required = inner().target_tags.required
        return tags

    def _held_samples(self):
        return ("projection",) if is_places(self.projection) else ()

    @property
    def _scores(self):
        return ClassScores(self.classifier, self.classes_)

    def _labels(self, X):
        scores = self._scores
        return scores.labels(scores.values(X))

    def _need_data(self):
        check_is_fitted(self)
        if any(name not in vars(self) for name in self._training_data):
            raise InputError(
                "this method needs the map and its inverse, which are computed from "
                "the fitted samples, but the model was saved without them. Use "
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
