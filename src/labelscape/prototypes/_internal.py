"""Names of prototypes for other rooms only."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import named_as
from labelscape._core.errors import InputError
from labelscape.prototypes._base import (
    PrototypeClassifier,
    class_scores,
    prototype_classes,
)
from labelscape.prototypes.explain._explanation import distance_terms

__all__ = [
    "PrototypeClassifier",
    "are_samples",
    "check_prototype_model",
    "class_scores",
    "class_scores_in_plane",
    "distance_terms",
    "prototype_classes",
    "prototypes_in_plane",
]


def are_samples(model):
    """Return which prototypes of a fitted model are samples of the fit (k,)."""
    return model._is_sample


def check_prototype_model(model, *, owner):
    """Raise unless the model is a fitted one with prototypes that have features."""
    check_is_fitted(model)
    if not isinstance(model, PrototypeClassifier):
        raise InputError(
            f"{type(model).__name__} has no prototypes_. Use a model of "
            "labelscape.prototypes.",
            owner=owner,
        )
    if model.metric_.kind == "precomputed":
        raise InputError(
            "with metric='precomputed' prototypes have no features to draw.",
            owner=owner,
        )


def prototypes_in_plane(model):
    """Return the positions of the prototypes of a matrix LVQ model on its map."""
    W = model.transform(named_as(model, model.prototypes_))
    return np.asarray(W, dtype=np.float64)


def class_scores_in_plane(model):
    """Return a function from positions on the map (m, M) to class scores (m, C).

    The score of a class is minus the squared distance to its nearest prototype.
    """
    W, metric = prototypes_in_plane(model), model.metric_
    local = [np.eye(W.shape[1])] * len(W)
    if metric.local is not None:
        local = metric.local[metric.local_of]

    def scores(Z):
        d = np.full((len(Z), len(model.classes_)), np.inf)
        for w, c, Psi in zip(W, prototype_classes(model), local, strict=True):
            images = (Z - w) @ Psi.T
            distance = np.einsum("ij,ij->i", images, images)
            np.minimum(d[:, c], distance, out=d[:, c])
        return -d

    return scores
