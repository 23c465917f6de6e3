"""The map on which regions are drawn: given by the user, or fitted."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import check_finite, named_as
from labelscape._core.errors import InputError
from labelscape._core.params import Rule, array, either, one_of
from labelscape.embeddings import FisherKernelTSNE, KernelMap
from labelscape.geometry import FisherMetric

OWNER = "ClassifierMap"
# Weight of the Euclidean distance relative to class probabilities; the choice is
# explained in docs/classifier_map.md.
REGULARIZATION = 0.1


def _maps(value):
    return not isinstance(value, type) and (
        hasattr(value, "fit") or hasattr(value, "transform")
    )


PROJECTION = either(
    one_of(None),
    Rule("a map with fit or transform, such as PCA(2)", _maps),
    array(2),
)


@dataclass(eq=False)
class GivenPlaces:
    """A map with given positions."""

    places: Any
    _training_data: ClassVar = ("places",)

    def fit_transform(self, X):
        """Return the positions, one per sample."""
        return self.places


def default_projection(scores, *, random_state, verbose, callback):
    """Return unfitted t-SNE; distances are angles between class probabilities."""
    # A small weight of the Euclidean distance orders samples with equal probabilities.
    metric = FisherMetric(
        estimator=scores,
        method="endpoint",
        regularization=REGULARIZATION,
        random_state=random_state,
    )
    return FisherKernelTSNE(
        metric=metric,
        n_jobs=-1,
        random_state=random_state,
        verbose=verbose,
        callback=callback,
    )


def placed_by(projection, X, y, random_state):
    """Return a fitted map with ``transform``, and its positions (n, 2) of X."""
    # A fitted map is used if it can place samples. Any other map is copied and fitted.
    # A map without ``transform`` becomes a KernelMap.
    if is_places(projection):
        return _by_kernels(GivenPlaces(_checked_places(projection, X)), X, random_state)
    can_place = hasattr(projection, "transform")
    if _is_fitted(projection):
        if can_place:
            return projection, projection.transform(named_as(projection, X))
        # For example, a fitted t-SNE has a map already.
        places = _checked_places(getattr(projection, "embedding_", ()), X)
        return _by_kernels(GivenPlaces(places), X, random_state)
    if not can_place:
        return _by_kernels(projection, X, random_state, y)
    copy = clone(projection, safe=False)
    if getattr(copy, "random_state", 0) is None:
        copy.set_params(random_state=random_state)
    # Copies of X, because a map may change X in place.
    if hasattr(copy, "fit_transform"):
        return copy, copy.fit_transform(X.copy(), y)
    copy.fit(X.copy(), y)
    return copy, copy.transform(X.copy())


def checked_map(Z, n, name):
    """Return positions as floats (n, 2), after a check of the projection's result."""
    Z = np.array(Z, dtype=np.float64)
    if Z.shape != (n, 2):
        raise InputError(
            f"the map has 2 dimensions, so the projection must return an array of "
            f"shape ({n}, 2); {name} returned shape {Z.shape}. Use n_components=2.",
            owner=OWNER,
        )
    check_finite(Z, owner=OWNER, name=f"the map of {name}")
    return Z


def _by_kernels(embedder, X, random_state, y=None):
    model = KernelMap(embedder, random_state=random_state)
    return model, model.fit_transform(X, y)


def is_places(projection):
    """Return whether a user passed the positions of the samples."""
    # Checked first, because data frames have a method called transform.
    return hasattr(projection, "__array__") or isinstance(projection, list | tuple)


def _checked_places(places, X):
    Z = np.asarray(places, dtype=np.float64)
    if Z.ndim != 2 or len(Z) != len(X):
        raise InputError(
            f"positions must be given for all {len(X)} samples, as an array of shape "
            f"({len(X)}, 2); got one of shape {Z.shape}.",
            owner=OWNER,
        )
    return checked_map(Z, len(X), "projection")


def _is_fitted(projection):
    try:
        check_is_fitted(projection)
    except NotFittedError:
        return False
    except TypeError:  # it has transform, but is not an estimator of scikit-learn
        return True
    return True
