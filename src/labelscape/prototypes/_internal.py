"""Names of prototypes for other rooms only."""

import numpy as np

from labelscape._core.checks import named_as
from labelscape._core.numerics import softmax
from labelscape.prototypes._base import (
    PrototypeClassifier,
    class_scores,
    prototype_classes,
)
from labelscape.prototypes.explain._explanation import explained_rows

__all__ = [
    "PrototypeClassifier",
    "are_samples",
    "class_scores_in_plane",
    "explained_rows",
]


def are_samples(model):
    """Return which prototypes of a fitted model are samples of the fit (k,)."""
    return model._is_sample


def class_scores_in_plane(model, *, as_probabilities=False):
    """Return the function from places (m, M) to scores ``-d^2`` or probabilities."""
    places = model.transform(named_as(model, model.prototypes_))
    W = np.asarray(places, dtype=np.float64)
    metric = model.metric_
    local = [np.eye(W.shape[1])] * len(W)
    if metric.local is not None:
        local = metric.local[metric.local_of]

    def scores(Z):
        d = np.full((len(Z), len(model.classes_)), np.inf)
        for w, c, Psi in zip(W, prototype_classes(model), local, strict=True):
            images = (Z - w) @ Psi.T
            np.minimum(d[:, c], np.einsum("ij,ij->i", images, images), out=d[:, c])
        return softmax(class_scores(d) / model.temperature_) if as_probabilities else -d

    return scores
