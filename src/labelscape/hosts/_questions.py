"""Answers to what a view asks: why an object got its class."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from labelscape._core.columns.categories import Categories
from labelscape.scene import Scene
from labelscape.scene._internal import Classes, Subject, explanations, opened

Explain = Callable[[int], dict[str, Any]]


def explainer(
    model: Any,
    X: Any,
    scene: Scene,
    feature_names: Sequence[str] | None = None,
    categories: Sequence[Categories] | None = None,
) -> Explain | None:
    """Return a function from a point to the explanation of its decision.

    Shapes: X (n_points, n_features).
    """
    if scene.model is None or scene.model.explanations is None:
        return None
    subject = opened(model, X, feature_names, None, categories or ())
    columns = _shown_columns(subject, scene)
    own = Classes(list(subject.prototypes.classes_))
    of_scene = [scene.classes.index(name) for name in own.names]

    def explain(point: int) -> dict[str, Any]:
        assert subject.X is not None
        if not np.isfinite(subject.X[point]).all():
            raise ValueError(
                "This object has missing values: they cannot be explained."
            )
        found = explanations(subject, np.array([point]), columns, own)
        distance = float(found.change_distances[0])
        after = int(found.change_classes[0])
        return {
            "contributions": found.contributions[0].tolist(),
            "change": found.changes[0].tolist(),
            "change_distance": distance if math.isfinite(distance) else None,
            "change_class": own.none if after == own.none else of_scene[after],
        }

    return explain


def _shown_columns(subject: Subject, scene: Scene) -> Any:
    """Return which columns of the data the features of the scene are, in order."""
    columns, names = [], iter(enumerate(subject.names))
    for feature in scene.features:
        columns.append(next(j for j, name in names if name == feature.name))
    return np.array(columns, dtype=np.intp)
