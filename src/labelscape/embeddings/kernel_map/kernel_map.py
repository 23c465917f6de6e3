"""KernelMap: any map, extended to place new samples."""

import inspect
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from labelscape._core.checks import check_finite, check_X
from labelscape._core.errors import InputError
from labelscape._core.estimator import reports_to_callbacks, shared_parameters
from labelscape._core.params import Rule, check_params
from labelscape._core.types import Array
from labelscape.embeddings.kernel_map._placement import KERNEL_TEXTS, KernelPlacement


def _embeds(value):
    return not isinstance(value, type) and (
        hasattr(value, "fit_transform") or hasattr(value, "fit")
    )


EMBEDDER = Rule("a map with fit_transform or fit, such as TSNE()", _embeds)


@shared_parameters(KERNEL_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class KernelMap(KernelPlacement):
    r"""Any map, extended to place new samples.

    t-SNE, MDS and similar methods place only the samples they are fitted to. A kernel
    map learns from the positions of these samples, and can then place new samples.

    Parameters
    ----------
    embedder : object
        A map with ``fit_transform``, or with ``fit`` and ``embedding_``, such as those
        of Labelscape, scikit-learn, openTSNE or UMAP. A copy is fitted.
    {metric}
        With "precomputed", the embedder must also accept dissimilarities.
    {kernels}
    random_state : int, RandomState or None, default=None
        Seed of centers and folds, and of an embedder without a seed.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map of the embedder.
    {kernel_attributes}
    training_X_ : ndarray of shape (n_samples, n_features) or None
        The fitted samples. None if ``metric="precomputed"``.
    {fitted_metric}
    {seen}

    Notes
    -----
    With the fitted samples :math:`x_j`, their distances :math:`d` and the widths
    :math:`\sigma_j`, a new sample is placed at

    .. math:: \sum_j \alpha_j \phi_j(x), \quad \phi_j(x) =
              \frac{\exp(-d(x, x_j)^2 / 2 \sigma_j^2)}
              {\sum_l \exp(-d(x, x_l)^2 / 2 \sigma_l^2)},

    where the :math:`\alpha_j` solve a ridge regression on the known positions. The
    weights always add up to 1, so even a distant sample is placed near its closest
    kernel. Use ``support`` to get its distance to this kernel.

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

    embedder: Any = field(kw_only=False)
    metric: Any = "euclidean"

    _keeps: ClassVar = "Extends the map of another method to new rows."
    _rules: ClassVar = {"embedder": EMBEDDER}

    @reports_to_callbacks
    @shared_parameters(KERNEL_TEXTS)
    def fit_transform(self, X, y=None) -> Array:
        """Compute the embedder's map of X and return it.

        Parameters
        ----------
        {X_and_y}

        {map}
        """
        check_params(self)
        space = self._space(X, y)
        X = check_X(self, X)
        embedder = clone(self.embedder, safe=False)
        parameters: dict[str, Any] = getattr(embedder, "get_params", dict)()
        if self.random_state is not None and parameters.get("random_state", 0) is None:
            seed = check_random_state(self.random_state).randint(2**31 - 1)
            embedder.set_params(random_state=seed)
        # A copy, because an embedder may change X in place.
        self._learn_places(X, _map_by(embedder, X.copy(), y), space)
        return self.embedding_

    def __sklearn_tags__(self):
        return tags_as_inside(super().__sklearn_tags__(), self.embedder)


def tags_as_inside(tags, embedder):
    """Return the tags of a map, with labels required if its embedder requires them."""
    inner = getattr(embedder, "__sklearn_tags__", None)
    if inner is not None and not isinstance(embedder, type):
        tags.target_tags.required = inner().target_tags.required
    return tags


def _map_by(embedder, X, y):
    """Return the map (n, q) that an embedder computes with fit_transform or fit."""
    name = type(embedder).__name__
    fit = getattr(embedder, "fit_transform", None) or embedder.fit
    # The second argument of openTSNE's fit is not the labels.
    takes_labels = y is not None and "y" in inspect.signature(fit).parameters
    with np.errstate(invalid="ignore"):  # PCA divides by 0 if all samples are equal
        embedding = fit(X, y=y) if takes_labels else fit(X)
    if not hasattr(embedder, "fit_transform"):
        embedding = getattr(embedder, "embedding_", embedding)
    is_table = hasattr(embedding, "__array__") or isinstance(embedding, list | tuple)
    # A copy, because openTSNE's array refers to its affinities.
    Z = np.array(embedding, dtype=np.float64) if is_table else np.empty(0)
    if Z.ndim != 2 or len(Z) != X.shape[0] or Z.shape[1] == 0:
        words = f"an object of type {type(embedding).__name__}"
        if is_table:
            words = f"an array of shape {np.shape(embedding)}"
        raise InputError(
            f"{name} returned {words} as a map of {X.shape[0]} samples. An embedder "
            "must return one row of coordinates per sample from fit_transform or fit, "
            "or store these rows in embedding_.",
            owner="KernelMap",
        )
    check_finite(Z, owner="KernelMap", name=f"the map of {name}")
    return Z
