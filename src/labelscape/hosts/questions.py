"""Answers to what a view asks: why a point got its class."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # the app's server knows the record, and computes nothing
    from labelscape._core.columns import Categories
    from labelscape.scene import Scene


@dataclass(frozen=True)
class Answer:
    """The decision for one point; see the scene's format.

    ``change_distance`` is None if no change makes it another class.
    """

    contributions: list[float]
    change: list[float]
    change_distance: float | None
    change_class: int


Explain = Callable[[int], Answer]


def explainer(
    model: Any,
    X: Any,
    scene: "Scene",
    feature_names: Sequence[str] | None = None,
    categories: "Sequence[Categories] | None" = None,
) -> Explain | None:
    """Return a function from a point to the explanation of its decision.

    Shapes: X (n_points, n_features).
    """
    from labelscape.scene._internal import Classes, explanations, unwrap

    if scene.model is None or scene.model.explanations is None:
        return None
    subject = unwrap(model, X, feature_names, categories or ())
    columns = _shown_columns(subject, scene)
    own = Classes(list(subject.prototypes.classes_))
    of_scene = [scene.classes.index(name) for name in own.names]

    def explain(point: int) -> Answer:
        assert subject.X is not None
        if not np.isfinite(subject.X[point]).all():
            raise ValueError("This point has missing values: they cannot be explained.")
        found = explanations(subject, np.array([point]), columns, own)
        distance = float(found.change_distances[0])
        after = int(found.change_classes[0])
        return Answer(
            contributions=found.contributions[0].tolist(),
            change=found.changes[0].tolist(),
            change_distance=distance if math.isfinite(distance) else None,
            change_class=own.none if after == own.none else of_scene[after],
        )

    return explain


def _shown_columns(subject: Any, scene: "Scene") -> Any:
    """Return which columns of the data the features of the scene are, in order."""
    columns, names = [], iter(enumerate(subject.names))
    for feature in scene.features:
        columns.append(next(j for j, name in names if name == feature.name))
    return np.array(columns, dtype=np.intp)
