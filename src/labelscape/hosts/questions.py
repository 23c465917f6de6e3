"""Explanations of single points, requested by a view."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the app's server imports the record, but computes nothing
    from labelscape._core.columns import Categories
    from labelscape.scene import Scene


@dataclass(frozen=True)
class Answer:
    """The explanation of a prediction; ``change_distance`` is None without a change."""

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
    """Return a function that explains predictions for points; None if impossible."""
    from labelscape.scene._internal import point_explainer

    if scene.model is None or scene.model.explanations is None:
        return None
    explained = point_explainer(model, X, scene, feature_names, categories or ())

    def explain(point: int) -> Answer:
        explanations = explained(point)
        distance = float(explanations.change_distances[0])
        return Answer(
            contributions=explanations.contributions[0].tolist(),
            change=explanations.changes[0].tolist(),
            change_distance=distance if math.isfinite(distance) else None,
            change_class=int(explanations.change_classes[0]),
        )

    return explain
