"""What other rooms ask of prototype models, and no user does.

The door between the rooms: boundary, plotting and scene import from here, and nothing
else that is private. How a model measures is in its ``metric_``, which is public.
"""

import numpy as np

from labelscape._core.checks import named_as
from labelscape.prototypes._base import (
    PrototypeClassifier,
    class_scores,
    prototype_classes,
)

__all__ = [
    "PrototypeClassifier",
    "are_objects",
    "class_scores",
    "class_scores_in_plane",
]


def are_objects(model):
    """Return which prototypes of a fitted model are samples of the fit (k,)."""
    return model._is_object


def class_scores_in_plane(model):
    """Return a function from places on the map (m, M) to class scores (m, C).

    The score of a class is minus the distance ``|Psi_L (z - Omega w_L)|^2`` to its
    nearest prototype, with ``Psi_L`` the identity for models without local matrices.
    """
    W = model.transform(named_as(model, model.prototypes_)).astype(np.float64)
    metric = model.metric_
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
