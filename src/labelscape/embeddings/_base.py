"""Base classes of maps, with the metric, initial maps, and positions of new samples."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_finite, check_same_columns, check_X
from labelscape._core.errors import InputError
from labelscape._core.estimator import (
    Estimator,
    reports_to_callbacks,
    shared_parameters,
)
from labelscape._core.learned import Learned, curve, numbers, optional, part
from labelscape._core.params import (
    COMMON,
    Rule,
    check_params,
    either,
    finite,
    function,
    one_of,
    whole,
)
from labelscape._core.points.distances import exact_squared_distances
from labelscape._core.points.spaces import METRIC_TEXTS, Points, measured, space_of
from labelscape._core.rows.answers import lazy
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape._core.types import Array
from labelscape._resampling.label_signal import (
    LabelsSayNothing as LabelsSayNothing,  # public in this package
)
from labelscape._resampling.label_signal import warn_if_labels_say_nothing


def is_given(metric):
    """Return whether X contains dissimilarities instead of features."""
    return isinstance(metric, str) and metric == "precomputed"


def is_fitted_anew(metric):
    """Return whether ``fit`` also fits the metric: the default, or a copy of it."""
    return metric is None or _measures(metric)


def _measures(value):
    return hasattr(value, "fit") and hasattr(value, "pairwise")


METRIC = either(
    one_of("euclidean", "precomputed"),
    function(),
    Rule("an object with fit and pairwise, such as FisherMetric()", _measures),
)


def fitted_objects(model):
    """Return the `Rule` for ``training_X_``: fitted samples, or None if precomputed."""
    if is_given(model.metric):
        return one_of(None)
    return numbers("samples", "features")


MAP_TEXTS = {
    "components": """
    n_components : int, default=2
        Dimensions of the map.""",
    "metric": METRIC_TEXTS["metric_of_map"],
    "seed": """
    random_state : int, RandomState or None, default=None
        Seed of the random numbers.""",
    "verbose": """
    verbose : bool, default=False
        Whether to show a progress bar.""",
    "fitted_metric": """
    metric_ : object
        The fitted copy of ``metric``, if that is an object.""",
    "training_X": """
    training_X_ : ndarray of shape (n_samples, n_features) or None
        The fitted samples, which ``transform`` needs; None for dissimilarities.""",
    # Texts of methods.
    "X_and_y": """
    X : array-like of shape (n_samples, n_features)
        The samples, or their dissimilarities if ``metric="precomputed"``.
    y : array-like of shape (n_samples,), default=None
        Class labels, if the method or the metric uses them.""",
    "map": """
    Returns
    -------
    Z : ndarray of shape (n_samples, n_components)
        The map.""",
    "new_X": """
    X : array-like of shape (n_new, n_features)
        New samples; if ``metric="precomputed"``, their dissimilarities to the fitted
        ones, of shape (n_new, n_samples).""",
    "places": """
    Returns
    -------
    Z : ndarray of shape (n_new, n_components)
        Positions of the new samples on the map.""",
}
MAP_TEXTS["fitted"] = MAP_TEXTS["training_X"] + MAP_TEXTS["fitted_metric"]


class MapEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Base of maps with a ``metric``; subclasses implement ``fit_transform``."""

    _rules: ClassVar = COMMON | {
        "n_components": whole(1, limit=1000),
        "metric": METRIC,
        "callback": either(one_of(None), function()),
    }
    # Functions and objects of other libraries, which model files cannot contain.
    _removable: ClassVar = ("metric", "embedder")
    _needs_labels = False
    _symmetric = True  # whether dissimilarities must be symmetric
    _learned: ClassVar[Learned] = {
        # With dissimilarities, there are as many features as samples.
        "embedding_": lambda model: numbers(
            "features" if is_given(model.metric) else "samples", "components"
        ),
        "metric_": lambda model: (
            part("pairwise") if _measures(model.metric) else optional(part("pairwise"))
        ),
    }

    @shared_parameters(MAP_TEXTS)
    def fit(self, X, y=None) -> Self:
        """Compute the map of X.

        Parameters
        ----------
        {X_and_y}

        Returns
        -------
        self : object
            The fitted map.
        """
        self.fit_transform(X, y)
        return self

    def _space(self, X, y=None):
        """Check X, and return it as an object that can compute its distances."""
        name = type(self).__name__
        X, metric = check_X(self, X), self.metric
        self.__dict__.pop("metric_", None)  # from an earlier fit
        if _measures(metric):
            check_columns_of_metric(self, metric)
            self.metric_ = metric = clone(metric).fit(X, y)
            warn_if_nothing_to_learn(metric, X, y, owner=name, stacklevel=4)
        return space_of(X, metric, owner=name, symmetric=self._symmetric)

    def _needed_to_place(self):
        """Return the attributes that are necessary to place new samples."""
        return ("embedding_", "training_X_")

    @property
    def _n_features_out(self):
        check_is_fitted(self)
        return self.embedding_.shape[1]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = is_given(self.metric)
        tags.target_tags.required = self._needs_labels
        return tags


@dataclass(eq=False, repr=False, kw_only=True)
class ComparingMap(MapEstimator):
    """Base of maps that store the fitted samples, to compare new samples with them."""

    # A subclass writes _map_of(space, y), which returns the map (n, q) and sets
    # stress_, loss_curve_ and n_iter_.
    n_components: int = field(default=2, kw_only=False)
    metric: Any = "euclidean"
    verbose: bool = False
    callback: Any = None

    # The attributes with samples, which model files omit.
    _training_data: ClassVar[tuple[str, ...]] = ("embedding_", "training_X_")
    _learned: ClassVar[Learned] = {
        "training_X_": fitted_objects,
        "stress_": finite(),
        "loss_curve_": curve(),
        "n_iter_": whole(0),
    }

    @reports_to_callbacks
    @shared_parameters(MAP_TEXTS)
    def fit_transform(self, X, y=None) -> Array:
        """Compute the map of X and return it.

        Parameters
        ----------
        {X_and_y}

        {map}
        """
        check_params(self)
        self.embedding_ = self._map_of(self._space(X, y), y)
        self.training_X_ = None if is_given(self.metric) else check_X(self, X)
        return self.embedding_


class LinearMap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Base of the maps ``X @ components_.T`` that learn from labels."""

    _takes_sparse = False

    @lazy
    def transform(self, X) -> Array:
        """Map fitted or new samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples; `LFDA` also accepts a sparse matrix.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            Positions of the samples on the map: ``X @ components_.T``.
        """
        check_is_fitted(self)
        X = check_X(self, X, reset=False, accept_sparse=self._takes_sparse)
        with one_blas_thread():
            return X @ self.components_.T.astype(X.dtype)

    @property
    def _n_features_out(self):
        check_is_fitted(self)
        return len(self.components_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = self._takes_sparse
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _check_n_components(self, n_features):
        if self.n_components > n_features:
            raise InputError(
                "n_components must be at most the number of features "
                f"(n_features={n_features}), got {self.n_components}.",
                owner=type(self).__name__,
                parameter="n_components",
            )


def check_columns_of_metric(model, metric):
    """Raise an error if the classifier of a metric was fitted to other column names."""
    classifier = getattr(metric, "estimator", None)
    called = f"the estimator ({type(classifier).__name__}) of the metric"
    check_same_columns(model, classifier, called=called)


def warn_if_nothing_to_learn(metric, X, y, *, owner, stacklevel):
    """Warn if a fitted metric uses labels that cannot be predicted."""
    learned = hasattr(metric, "classes_") and hasattr(metric, "__sklearn_tags__")
    if learned and get_tags(metric).target_tags.required:
        class_of = np.searchsorted(metric.classes_, np.asarray(y).ravel())
        warn_if_labels_say_nothing(X, class_of, owner=owner, stacklevel=stacklevel + 1)


def warn_of_random_labels(space, codes, *, rows=slice(None), owner):
    """Warn if the data do not predict the classes of the selected samples."""
    precomputed = not isinstance(space, Points)
    X = space.D[:, rows] if precomputed else space.X
    how = {"owner": owner, "precomputed": precomputed, "stacklevel": 6}
    warn_if_labels_say_nothing(X[rows], codes, **how)


# New samples of a fitted map.


def rows_of_new(model, X):
    """Return checked new samples, and a function for distances to fitted samples."""
    X = checked_new(model, X)
    metric = getattr(model, "metric_", model.metric)
    name = type(model).__name__
    if metric is None:
        raise InputError(
            "transform needs the metric of the fit, but the model was saved without "
            "this metric. Set it again: model.set_params(metric=...).",
            owner=name,
            parameter="metric",
        )
    return X, dissimilarities_to(X, model.training_X_, metric, owner=name)


def checked_new(model, X):
    """Check that new samples match the fitted samples, and return them."""
    needed = model._needed_to_place()
    check_remembers(model, needed, "transform compares new samples with")
    return check_X(model, X, reset=False)


def check_remembers(model, names, words):
    """Raise an error if a model is not fitted or was saved without its samples."""
    check_is_fitted(model)
    if any(name not in vars(model) for name in names):
        raise InputError(
            f"{words} the fitted samples, but the model was saved without them. Use "
            "save(model, path, include_data=True), or fit again.",
            owner=type(model).__name__,
        )


def dissimilarities_to(X, training_X, metric, *, owner):
    """Return a function: slice of X -> its dissimilarities to the fitted samples."""
    if isinstance(metric, str) and metric == "euclidean":
        return lambda rows: np.sqrt(exact_squared_distances(X[rows], training_X))
    if isinstance(metric, str):
        D = X
    elif hasattr(metric, "pairwise"):
        D = metric.pairwise(X, training_X)
    else:

        def to_new(new, fitted):  # asymmetric metrics are measured toward new samples
            return metric(fitted, new)

        D = measured(to_new, X, training_X, owner=owner, called="new sample")
    D = np.ascontiguousarray(D, dtype=np.float64)
    check_finite(D, owner=owner, name="the dissimilarities")
    if D.min() < 0.0:
        i, j = np.argwhere(D < 0.0)[0]
        raise InputError(
            f"dissimilarities must not be negative, got {D[i, j]:.4g} between "
            f"new sample {i} and fitted sample {j}.",
            owner=owner,
        )
    return lambda rows: D[rows]


# Initial maps.

# Constant columns and coincident points of an initial map are moved by this share of
# its size.
JITTER = 1e-3


def initial_map(init, space, n_components, random_state, *, owner):
    """Return the initial map (n, n_components): ``init`` itself if it is an array."""
    shape = (space.n, n_components)
    if isinstance(init, str):
        if init == "random":
            return random_state.normal(size=shape)
        return separated(straight_map(space.mean_of_directions(), n_components))
    given = np.array(init, dtype=np.float64)
    if given.shape != shape:
        raise InputError(
            "init must contain one row per sample and one column per component: "
            f"shape {shape}, got shape {given.shape}.",
            owner=owner,
            parameter="init",
        )
    check_finite(given, owner=owner, name="init")
    return given


def separated(Z):
    """Return the map without coincident points and constant columns."""
    # Such points would have no direction to move in. The noise is always the same.
    noise = (
        JITTER * np.sqrt(np.mean(Z**2)) * np.random.default_rng(0).normal(size=Z.shape)
    )
    flat = np.ptp(Z, axis=0) == 0.0
    Z = Z + flat * noise
    return Z if len(np.unique(Z, axis=0)) == len(Z) else Z + noise


# Initial maps from eigenvectors: PCA scores and classical MDS.


def straight_map(space, n_components):
    """Return the PCA scores (n, n_components), or classical MDS of dissimilarities."""
    if isinstance(space, Points):
        return pca_scores(space.X, n_components)
    return classical_mds(space.squared_rows, space.n, n_components)


SMALL = 200  # for so few samples, computing all eigenvectors is fast


def pca_scores(X, n_components):
    """Return the PCA scores (n, n_components) of X (n, d), padded with zeros."""
    X = X - X.mean(axis=0)
    with one_blas_thread():
        if X.shape[1] <= X.shape[0]:
            axes = np.linalg.eigh(X.T @ X)[1][:, ::-1][:, :n_components]
            scores = X @ axes
        else:
            squares, vectors = np.linalg.eigh(X @ X.T)
            scores = _scores(squares, vectors, n_components)
    return _finished(scores, n_components)


def classical_mds(squared_rows, n, n_components):
    """Return the classical MDS map (n, n_components) of n samples."""
    # The columns are the leading eigenvectors of B = -1/2 J D^2 J, J = I - 11^T/n,
    # times the square roots of their eigenvalues. Block Lanczos needs only products
    # with D^2.
    blocks = row_blocks(n, 2 * 8 * n)

    def centered_product(Q):
        Q = Q - Q.mean(axis=0)
        product = np.concatenate(map_blocks(lambda r: squared_rows(r) @ Q, blocks))
        return -0.5 * (product - product.mean(axis=0))

    if n <= SMALL:
        B = centered_product(np.eye(n))
        squares, vectors = np.linalg.eigh((B + B.T) / 2.0)
    else:
        squares, vectors = _block_lanczos(centered_product, n, n_components)
    return _finished(_scores(squares, vectors, n_components), n_components)


def _block_lanczos(product, n, n_components, max_blocks=30, tol=1e-12):
    """Return the largest Ritz pairs of a symmetric operator, in ascending order."""
    # A block has two more vectors than the map, so that repeated eigenvalues are found.
    # The start is fixed, so that the same matrix always gives the same map.
    start = np.random.default_rng(0).normal(size=(n, n_components + 2))
    with one_blas_thread():
        block = np.linalg.qr(start - start.mean(axis=0))[0]
        basis, image = block, product(block)
        before = -np.inf
        for _ in range(max_blocks):
            squares, vectors = np.linalg.eigh(basis.T @ image)
            leading = squares[-n_components:].sum()
            size = np.abs(squares).max()
            rest = image[:, -block.shape[1] :]
            for _ in range(2):  # a single pass leaves rounding errors that grow
                rest = rest - basis @ (basis.T @ rest)
            if leading - before <= tol * size or np.abs(rest).max() <= tol * size:
                break
            before = leading
            block = np.linalg.qr(rest)[0]
            block = np.linalg.qr(block - basis @ (basis.T @ block))[0]
            basis = np.hstack([basis, block])
            image = np.hstack([image, product(block)])
        return squares, basis[:, : len(vectors)] @ vectors


def _scores(squares, vectors, n_components):
    """Return the leading eigenvectors times the square roots of their eigenvalues."""
    leading = np.arange(len(squares))[::-1][:n_components]
    return vectors[:, leading] * np.sqrt(np.maximum(squares[leading], 0.0))


def _finished(scores, n_components):
    """Return the scores with fixed signs, padded with zeros to n_components columns."""
    missing = n_components - scores.shape[1]
    return np.pad(with_positive_peaks(scores.T).T, ((0, 0), (0, missing)))


# All maps have the same orientation, so that the same data give the same picture.

# Entries this close to the largest are treated as equal to it. In a symmetric map, two
# entries may differ by rounding only, which must not determine the sign.
TIE = 1e-9


def with_positive_peaks(rows):
    """Return the rows, with signs that make their largest entries positive (eq. 8)."""
    size = np.abs(rows)
    peaks = np.argmax(size >= (1.0 - TIE) * size.max(axis=1, keepdims=True), axis=1)
    return np.where(rows[np.arange(len(rows)), peaks] < 0, -1.0, 1.0)[:, None] * rows


def on_principal_axes(Z):
    """Return the map Z (n, q), centered and rotated to its principal axes."""
    Z = Z - Z.mean(axis=0)
    with one_blas_thread():
        axes = np.linalg.svd(Z.T @ Z)[2]
        turned = Z @ axes.T
    return with_positive_peaks(turned.T).T
