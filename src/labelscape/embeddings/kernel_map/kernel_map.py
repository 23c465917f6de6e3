"""KernelMap: any map learns to place new objects."""

import inspect
from typing import ClassVar

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils import check_random_state, get_tags

from labelscape._core.checks import check_dissimilarities, check_finite
from labelscape._core.docs import shared_parameters
from labelscape._core.errors import InputError, InputTypeError, shown
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.points.array_objects import check_objects
from labelscape._core.points.arrays import (
    as_numpy,
    namespace_of,
    to_numpy,
    where_is,
)
from labelscape._core.points.following import as_tag
from labelscape._core.points.moving import Movable
from labelscape._core.rules import Rule, check_params
from labelscape.embeddings._base import is_given
from labelscape.embeddings._docs import MAP_TEXTS
from labelscape.embeddings._out_of_sample import check_can_place
from labelscape.embeddings.kernel_map._arrays import CenterSquares
from labelscape.embeddings.kernel_map._docs import KERNEL_TEXTS
from labelscape.embeddings.kernel_map._placement import KernelPlacement
from labelscape.embeddings.tsne._fisher import warn_if_nothing_to_learn
from labelscape.geometry import FisherMetric


def _embeds(value):
    return not isinstance(value, type) and (
        hasattr(value, "fit_transform") or hasattr(value, "fit")
    )


EMBEDDER = Rule("a map with fit_transform or fit, such as TSNE()", _embeds)


@shared_parameters(KERNEL_TEXTS | MAP_TEXTS)
class KernelMap(Movable, KernelPlacement):
    r"""Any map, and new objects on it.

    t-SNE, MDS and their like place the objects they were given, and no others. A kernel
    map learns from these places where objects belong, and so gives ``transform`` to any
    of them.

    Parameters
    ----------
    embedder : object
        A map with ``fit_transform``, or with ``fit`` and ``embedding_``: one of
        Labelscape, scikit-learn, openTSNE or UMAP. A copy of it is fitted.
    {metric}
        With "precomputed" the embedder must take dissimilarities too.
    {kernels}
    random_state : int, RandomState or None, default=None
        Draws centres and folds, and is the seed of an embedder that has none.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map that the embedder made.
    {kernel_attributes}
    training_X_ : ndarray of shape (n_samples, n_features) or None
        The fitted objects. None if ``metric="precomputed"``.
    {fitted_metric}

    Notes
    -----
    With the fitted objects :math:`x_j`, their distances :math:`d` and the widths
    :math:`\sigma_j`, a new object goes to

    .. math:: \sum_j \alpha_j \phi_j(x), \quad \phi_j(x) =
              \frac{\exp(-d(x, x_j)^2 / 2 \sigma_j^2)}
              {\sum_l \exp(-d(x, x_l)^2 / 2 \sigma_l^2)},

    where the :math:`\alpha_j` solve a ridge regression on the known places. However
    far an object is, its weights add up to 1 and it goes to the closest kernel:
    ``support`` tells how far that is.

    References
    ----------
    A. Gisbrecht, A. Schulz, B. Hammer. Parametric nonlinear dimensionality reduction
    using kernel t-SNE. Neurocomputing, 2015.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.manifold import SpectralEmbedding
    >>> from labelscape.embeddings import KernelMap
    >>> X, _ = load_iris(return_X_y=True)
    >>> spectral = SpectralEmbedding(affinity="rbf")
    >>> model = KernelMap(spectral, random_state=0).fit(X[::2])
    >>> model.transform(X[1::2]).shape
    (75, 2)
    >>> bool(model.support([[50.0, 50.0, 50.0, 50.0]])[0] > 100)
    True
    """

    _following = (
        "embedding_",
        "training_X_",
        "center_indices_",
        "widths_",
        "coefficients_",
    )
    _keeps: ClassVar = "The map of another method, continued to new rows."
    _rules: ClassVar = {"embedder": EMBEDDER}

    def __init__(
        self,
        embedder,
        *,
        metric="euclidean",
        bandwidth="cv",
        bandwidth_factor=0.1,
        ridge=1e-3,
        n_centers=None,
        random_state=None,
    ):
        self.embedder = embedder
        self.metric = metric
        self.bandwidth = bandwidth
        self.bandwidth_factor = bandwidth_factor
        self.ridge = ridge
        self.n_centers = n_centers
        self.random_state = random_state

    @tells_callbacks
    def fit_transform(self, X, y=None):
        """Compute the map of X and return it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The objects, or their dissimilarities if ``metric="precomputed"``.
        y : array-like of shape (n_samples,), default=None
            Class labels, where the embedder or the metric uses them.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            The embedder's map.
        """
        check_params(self)
        follows = namespace_of(X) is not None
        space = self._space_of_tensors(X, y) if follows else self._space(X, y)
        X = check_objects(self, X)
        embedder = clone(self.embedder, safe=False)
        if self.random_state is not None:
            _seed(embedder, check_random_state(self.random_state))
        # A copy, because an embedder may work in place.
        given = X if follows and _takes_tensors(embedder) else to_numpy(X).copy()
        self._learn_places(X, _map_by(embedder, given, as_numpy(y)), space)
        self._move(*where_is(X))
        return self.embedding_

    def _space_of_tensors(self, X, y):
        """Return distances of the fitted objects, where they are."""
        self._check_followed(X)
        vars(self).pop("metric_", None)  # of an earlier fit
        X, y = check_objects(self, X), as_numpy(y)
        if is_given(self.metric):
            check_dissimilarities(to_numpy(X), owner="KernelMap")
            return CenterSquares(None, X)
        if self._is_euclidean():
            return CenterSquares(X)
        self.metric_ = clone(self.metric).fit(X, y)
        here = to_numpy(X)
        warn_if_nothing_to_learn(self.metric_, here, y, owner="KernelMap", stacklevel=4)
        return CenterSquares(None, self.metric_.pairwise())

    def _coefficients(self, X, Z, space):
        if not isinstance(space, CenterSquares):
            return super()._coefficients(X, Z, space)
        return space.coefficients(Z, self.center_indices_, self.widths_, self.ridge)

    def _with(self, X, asked):
        check_can_place(self)
        self._check_followed(X)
        there = self._at(X, asked)
        return there, check_objects(there, X, reset=False)

    def _moved(self, xp, device):
        there = super()._moved(xp, device)
        if isinstance(vars(self).get("metric_"), FisherMetric):
            there.metric_ = self.metric_._moved(xp, device)
        return there

    def _check_followed(self, X):
        """Raise if X is a tensor, and the metric is asked about NumPy's arrays."""
        if namespace_of(X) is None or self._takes_arrays():
            return
        raise InputTypeError(
            "tensors are followed with metric='euclidean', 'precomputed', or a "
            f"FisherMetric of labels, got {shown(self.metric)}. Pass NumPy arrays.",
            owner="KernelMap",
            parameter="metric",
        )

    def _takes_arrays(self):
        if isinstance(self.metric, FisherMetric):
            return self.metric._takes_arrays()
        return isinstance(self.metric, str)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = getattr(self.embedder, "__sklearn_tags__", None)
        if inner is not None and not isinstance(self.embedder, type):
            tags.target_tags.required = inner().target_tags.required
        tags.array_api_support = as_tag(self._takes_arrays())
        return tags


def _takes_tensors(embedder):
    """Return whether an embedder follows tensors: ours do, others where it is on."""
    if type(embedder).__module__.startswith("labelscape."):
        return hasattr(embedder, "_takes_arrays") and embedder._takes_arrays()
    says = get_config()["array_api_dispatch"] and hasattr(embedder, "__sklearn_tags__")
    return says and get_tags(embedder).array_api_support


def _seed(embedder, random_state):
    """Give a seed to an embedder that would draw its own."""
    parameters = getattr(embedder, "get_params", dict)()
    if "random_state" in parameters and parameters["random_state"] is None:
        embedder.set_params(random_state=random_state.randint(2**31 - 1))


def _map_by(embedder, X, y):
    """Return the map (n, q) that an embedder makes, whatever its customs."""
    name = type(embedder).__name__
    fit = getattr(embedder, "fit_transform", None) or embedder.fit
    # The second argument of openTSNE's fit is no label.
    labels = (
        {} if y is None or "y" not in inspect.signature(fit).parameters else {"y": y}
    )
    found = fit(X, **labels)
    if not hasattr(embedder, "fit_transform"):
        found = getattr(embedder, "embedding_", found)
    found = as_numpy(found)
    # A copy, because openTSNE's array carries its affinities with it.
    Z = np.array(found, dtype=np.float64) if _is_table(found) else np.empty(0)
    if Z.ndim != 2 or len(Z) != X.shape[0] or Z.shape[1] == 0:
        raise InputError(
            f"{name} gave {_shown(found)} for a map of {X.shape[0]} objects. An "
            "embedder returns one row of coordinates per object from fit_transform or "
            "fit, or keeps them in embedding_.",
            owner="KernelMap",
        )
    check_finite(Z, owner="KernelMap", name=f"the map of {name}")
    return Z


def _is_table(found):
    return hasattr(found, "__array__") or isinstance(found, list | tuple)


def _shown(found):
    if _is_table(found):
        return f"an array of shape {np.shape(found)}"
    return f"an object of type {type(found).__name__}"
