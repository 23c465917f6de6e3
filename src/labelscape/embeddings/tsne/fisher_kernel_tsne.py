"""Fisher kernel t-SNE: a map by labels, on which new objects need none."""

from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_labels, check_X
from labelscape._core.docs import shared_parameters
from labelscape._core.errors import InputError
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.learned import Attribute, Learned, optional, record, resolved
from labelscape._core.points.spaces import Dissimilarities, Points
from labelscape._core.rules import (
    Rule,
    check_params,
    either,
    finite,
    number,
    one_of,
    whole,
)
from labelscape.embeddings._docs import MAP_TEXTS
from labelscape.embeddings._out_of_sample import checked_new
from labelscape.embeddings.kernel_map._docs import KERNEL_TEXTS
from labelscape.embeddings.kernel_map._placement import KernelPlacement, check_metric
from labelscape.embeddings.tsne._engine import TSNE_TEXTS, TSNEMap, n_tsne_neighbors
from labelscape.embeddings.tsne._fisher import FISHER_TEXTS, FisherMap
from labelscape.embeddings.tsne._joint import (
    best_trial,
    joint_coordinates,
    plain_unit,
    sharpened,
    tried_focuses,
)
from labelscape.embeddings.tsne._places import (
    PairPlaces,
    distance_from,
    paired,
    placed_among,
)
from labelscape.embeddings.tsne._train_size import PartlyFitted, drawn_objects
from labelscape.geometry._internal import (
    distances_among,
    relearned,
    roots_of,
    warn_if_saturated,
)

# What only maps that place by kernels have.
KERNELS = {
    name: KernelPlacement._learned[name]
    for name in ("center_indices_", "widths_", "coefficients_", "factor_")
}


def _of_kernels(declared):
    """Return the declaration of what only maps have that place by kernels."""

    def for_model(model):
        attribute = resolved(declared, model)
        return optional(attribute) if model._is_cross_fitted() else attribute

    return for_model


TRIALS = Rule("a list", lambda value: isinstance(value, list))


@shared_parameters(FISHER_TEXTS | KERNEL_TEXTS | MAP_TEXTS | TSNE_TEXTS)
class FisherKernelTSNE(PartlyFitted, FisherMap, TSNEMap, KernelPlacement):
    """t-SNE in a metric that follows the labels, with places for new objects.

    Labels shape the metric and nothing else, and new objects are placed without any. So
    it can be told how much of the separation is real: compare fitted with new objects,
    or ask :func:`labelscape.quality.honesty`.

    With ``metric=FisherMetric(estimator="auto")`` no object has a say in where it is
    put: what is known of its class comes from models that never saw it. Such a map
    shows new objects as it shows fitted ones.

    Parameters
    ----------
    {tsne}
    {fisher}
    focus : float or "auto", default="auto"
        How much the classes count beside plain distance, if the metric is cross-fitted:
        from 0, plain t-SNE, to 1, classes alone. "auto" tries some on up to 1000
        objects, and takes the one whose map tells classes best among those whose
        trustworthiness is within 0.02 of the map without labels; up to 600 objects,
        with sharpened probabilities as well.
    train_size : int, float, "auto" or None, default=None
        How many of the objects, or which share of them, the map is fitted to, drawn
        from each class alike. The others are placed as new objects are, without their
        labels. None: fit all; "auto": no more than 5000.
    {kernels}
    {optimization}
    {seed}
    {verbose}
    {callback}

    Attributes
    ----------
    {tsne_attributes}
    {fisher_attributes}
    {kernel_attributes}
    focus_ : float or None
        How much the classes count; None if the metric is not cross-fitted.
    trials_ : list of Trial
        What was tried for ``focus="auto"``: focus, accuracy, trust and sharpness of
        each.
    train_indices_ : ndarray of shape (n_fitted,)
        Which objects the map was fitted to. ``embedding_`` has a row for each object,
        fitted or placed.
    training_X_ : ndarray of shape (n_fitted, n_features)
        The fitted objects; ``center_indices_`` counts in these.

    See Also
    --------
    FisherTSNE : For many objects, without places for new ones.
    KernelTSNE : The same without labels.

    Notes
    -----
    Works out the nearest neighbours of each object, and the distances among the objects
    that have a kernel, 3000 at most unless ``n_centers`` says otherwise; never n × n of
    more objects. New objects are measured against the kernels that carry weight: those
    left out weigh less than 1e-4 together, so that a place is within 1e-4 of the size
    of the map. The paper fits a tenth of the data, ``train_size=0.1``.

    With a cross-fitted metric there are no kernels: ``bandwidth``, ``ridge``,
    ``bandwidth_factor`` and ``n_centers`` have no say. New objects go where most
    of the pairs of fitted objects stand that are nearest in features and probabilities,
    and a model file holds points between the two in place of the objects: it places new
    ones to the same bits.

    References
    ----------
    B. Hammer, A. Gisbrecht, A. Schulz. Applications of discriminative dimensionality
    reduction. ICPRAM 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import FisherKernelTSNE
    >>> X, y = load_iris(return_X_y=True)
    >>> model = FisherKernelTSNE(perplexity=15, random_state=0).fit(X[::2], y[::2])
    >>> model.transform(X[1::2]).shape
    (75, 2)
    """

    _keeps: ClassVar = (
        "Keeps neighbours together by distances that count only what changes the "
        "class, and can place new rows."
    )
    _keeps_cross_fitted: ClassVar = (
        "Keeps neighbours together that are alike in their features and in what models "
        "say of their class that never saw them, and can place new rows."
    )
    _in_paper: ClassVar = FisherMap._in_paper | PartlyFitted._in_paper
    _rules: ClassVar = {
        "focus": either(one_of("auto"), number(0, 1)),
    }
    _learned: ClassVar[Learned] = {
        "metric_": Attribute(check_metric),
        **{name: _of_kernels(declared) for name, declared in KERNELS.items()},
        "focus_": either(one_of(None), number(0, 1)),
        "trials_": TRIALS,
        "_unit": lambda model: _of_pairs(model, finite(above=0)),
        "_sharpness": lambda model: _of_pairs(model, whole(1)),
        "pairs_": lambda model: _of_pairs(model, Attribute(_check_pairs)),
    }

    def __init__(
        self,
        n_components=2,
        perplexity="auto",
        *,
        metric=None,
        focus="auto",
        train_size=None,
        bandwidth="cv",
        bandwidth_factor=0.1,
        ridge=1e-3,
        n_centers=None,
        init="pca",
        early_exaggeration=12,
        early_exaggeration_iter=250,
        exaggeration=None,
        learning_rate="auto",
        max_iter=500,
        n_jobs=1,
        random_state=None,
        verbose=False,
        callback=None,
    ):
        self.n_components = n_components
        self.perplexity = perplexity
        self.metric = metric
        self.focus = focus
        self.train_size = train_size
        self.bandwidth = bandwidth
        self.bandwidth_factor = bandwidth_factor
        self.ridge = ridge
        self.n_centers = n_centers
        self.init = init
        self.early_exaggeration = early_exaggeration
        self.early_exaggeration_iter = early_exaggeration_iter
        self.exaggeration = exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def fit(self, X, y=None, groups=None):
        """Compute the map of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects.
        y : array-like of shape (n_samples,)
            Class labels; None only if the metric has a fitted estimator.
        groups : array-like of shape (n_samples,), default=None
            What each object belongs to, as in ``fit_transform``.

        Returns
        -------
        self : FisherKernelTSNE
            The fitted map.
        """
        self.fit_transform(X, y, groups)
        return self

    @tells_callbacks
    def fit_transform(self, X, y=None, groups=None):
        """Compute the map of labelled objects and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects.
        y : array-like of shape (n_samples,)
            Class labels; None only if the metric has a fitted estimator.
        groups : array-like of shape (n_samples,), default=None
            What each object belongs to, such as a patient: a cross-fitted metric holds
            the objects of a group out together.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The map.
        """
        check_params(self)
        X, name = check_X(self, X), type(self).__name__
        n, state = len(X), self.random_state
        drawn = drawn_objects(self.train_size, y, n, state, owner=name)
        fitted = X[drawn]
        if self.train_size is not None:
            y, groups = _some(y, drawn), _some(groups, drawn)
        k = self._count_neighbors(len(fitted))
        self.metric_ = self._fitted_metric(fitted, y, groups)
        for one in (*KERNELS, "_unit", "_sharpness", "pairs_"):
            vars(self).pop(one, None)  # of an earlier fit
        self.focus_, self.trials_ = None, []
        if self._is_cross_fitted():
            Z = self._joint_map(fitted, y, k)
        else:
            space, distances, indices = self._neighbors(len(fitted), k)
            Z = self._tsne_map(fitted, distances, indices)
            self._learn_places(fitted, Z, space)
        self.train_indices_ = drawn
        return self._with_others(X, Z)

    def refit(self, X, y):
        """Learn other labels of the same objects, beginning where the last fit ended.

        For a few corrected labels, in a fraction of the time of a fit: folds, focus and
        the fitted objects stay, the models learn on, and the map takes 30 more steps.
        Only with a cross-fitted metric.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects of the last fit, in its order.
        y : array-like of shape (n_samples,)
            Their labels, of the classes of the last fit.

        Returns
        -------
        self : FisherKernelTSNE
            The map, for the labels y.
        """
        check_is_fitted(self)
        owner = type(self).__name__
        X = check_X(self, X, reset=False)
        check_labels(y, len(X), owner=owner)
        self._check_refit(X)
        drawn = self.train_indices_
        fitted, start = X[drawn], self.embedding_[drawn]
        self.metric_ = relearned(self.metric_, fitted, np.asarray(y).ravel()[drawn])
        k = n_tsne_neighbors(self.perplexity_, len(drawn))
        Z = self._joined(fitted, k, start)
        self._with_others(X, Z)
        return self

    def _check_refit(self, X):
        if not self._is_cross_fitted():
            why = "moves on from a map whose metric is cross-fitted. Use fit."
        elif len(X) != len(self.embedding_) or not hasattr(self, "training_X_"):
            why = f"needs the {len(self.embedding_)} objects of the fit. Use fit."
        elif not np.array_equal(X[self.train_indices_], self.training_X_):
            why = "needs the objects of the fit in their order. Use fit for others."
        else:
            return
        raise InputError(f"refit {why}", owner=type(self).__name__, parameter="X")

    def _joint_map(self, X, y, k):
        """Return the map by features and cross-fitted probabilities, and its pairs."""
        self._unit, self._sharpness = plain_unit(X), 1
        self.focus_ = self.focus
        if isinstance(self.focus, str):
            U = roots_of(self.metric_)
            codes = np.searchsorted(self.metric_.classes_, np.asarray(y).ravel())
            seed = check_random_state(self.random_state).randint(2**31 - 1)
            self.trials_ = tried_focuses(X, U, codes, self._unit, seed, self.n_jobs)
            best = best_trial(self.trials_)
            self.focus_, self._sharpness = best.focus, best.sharpness
        return self._joined(X, k)

    def _joined(self, X, k, start=None):
        """Return the map at the focus, and keep its pairs.

        ``start`` is the map that it begins with, None: none.
        """
        U = self._roots()
        A = joint_coordinates(X, U, self.focus_, self._unit)
        indices, distances = Points(A).kneighbors(k)
        if start is None:
            Z = self._tsne_map(A, distances, indices)
        else:
            Z = self._moved_map(start, distances, indices)
        self.training_X_ = X
        self.pairs_ = paired(A, Z, U.argmax(axis=1))
        return Z

    def _joint(self, X):
        """Return the coordinates of new objects among the pairs."""
        U = self._roots(X)
        return joint_coordinates(X.astype(np.float64), U, self.focus_, self._unit)

    def _roots(self, X=None):
        """Return what is known of the classes of objects, None: of the fitted ones."""
        return sharpened(roots_of(self.metric_, X), self._sharpness)

    def _is_cross_fitted(self):
        return hasattr(getattr(self, "metric_", None), "cross_fit_")

    def _placed(self, X):
        if not self._is_cross_fitted():
            return super()._placed(X)
        Z = placed_among(self.pairs_, self._joint(X))
        if hasattr(self, "training_X_"):
            known, places = self._known_places(X)
            Z[known] = places
        return Z

    def support(self, X):
        """Return how far objects are from the data, in what is usual there.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
            Objects, as for ``transform``.

        Returns
        -------
        distances : ndarray of shape (n_new,)
            Smallest distance to a centre divided by its width, or to a pair divided by
            its reach. Compare with the values of held-out objects: the map says nothing
            about those that are far above.
        """
        X = checked_new(self, X)
        if not self._is_cross_fitted():
            return super().support(X)
        return distance_from(self.pairs_, self._joint(X))

    def _needed_to_place(self):
        if self._is_cross_fitted():
            return ("metric_", "pairs_")
        return super()._needed_to_place()

    def _without_data(self):
        """Return what a file without the objects holds in place of attributes."""
        return {"metric_": self.metric_} if self._is_cross_fitted() else {}

    def _neighbors(self, n, k):
        """Return the space, and distances and indices (n, k) of the nearest.

        Where all objects have a kernel, widths take all distances anyway.
        """
        if self._count_centers(n) == n or self.metric_.method == "graph":
            space = Dissimilarities(self.metric_.pairwise())
            indices, distances = space.kneighbors(k)
            return space, distances, indices
        distances, indices = self.metric_.kneighbors(n_neighbors=k)
        own = np.zeros((n, 1))
        warn_if_saturated(np.hstack([own, distances]), k - 1, owner=type(self).__name__)
        return FisherSpace(self.metric_), distances, indices


def _some(values, drawn):
    return None if values is None else np.asarray(values)[drawn]


def _check_pairs(name, value, fit):
    """Check the pairs: as many coordinates as there are features and classes."""
    width = fit.sizes["features"] + len(fit.model.metric_.classes_)
    fit.binds("coordinates", width)
    record(PairPlaces).check(name, value, fit)


def _of_pairs(model, declared):
    """Return a declaration for maps that place by pairs."""
    return declared if model._is_cross_fitted() else optional(declared)


class FisherSpace:
    """The objects that a metric was fitted to: only some may be measured, never all."""

    def __init__(self, metric):
        self.metric = metric

    def subset(self, index):
        """Return the space of some of the objects."""
        return Dissimilarities(distances_among(self.metric, index))
