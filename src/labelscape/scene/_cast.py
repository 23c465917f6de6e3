"""Who plays which part: the map, the model with prototypes, whose decisions count."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelscape._core.checks import shown
from labelscape.scene._subject import Subject, opened, plain


@dataclass(frozen=True, eq=False)
class Cast:
    """The parts of a scene and who plays them.

    Attributes
    ----------
    subject : Subject
        The main thing, or the bare data where places were given.
    model : Subject or None
        The prototype model that is shown.
    decider : Subject or None
        The classifier whose decisions are shown.
    n_points : int
        How many points there are.
    """

    subject: Subject
    model: Subject | None
    decider: Subject | None
    n_points: int

    @property
    def reader(self) -> Subject:
        """Whose features are shown: the model's, because its prototypes have them."""
        return self.subject if self.model is None else self.model


def cast(
    thing: Any,
    X: Any,
    feature_names: Sequence[str] | None,
    prototypes: Any,
    classifier: Any,
) -> Cast:
    """Return who plays which part."""
    n = _n_points(thing, X)
    if prototypes is None:
        model, names = None, feature_names
    else:
        model, names = opened(prototypes, X, feature_names), None
        if model.prototypes is None:
            raise TypeError(
                "build_scene: prototypes must be a fitted classifier of "
                "labelscape.prototypes, or a pipeline that ends in one; got "
                f"{model.name}."
            )
    subject = plain(X, names, n) if is_places(thing) else opened(thing, X, names)
    if model is None and subject.prototypes is not None:
        model = subject
    decider = model if model is not None else subject
    if classifier is not None:
        decider = opened(classifier, X, None)
    decides = decider.classifier is not None
    if classifier is not None and not decides:
        raise TypeError(
            f"build_scene: classifier must be a fitted classifier, got {decider.name}."
        )
    return Cast(subject, model, decider if decides else None, n)


def is_places(thing: Any) -> bool:
    """Return whether a thing is an array of places rather than an estimator."""
    if isinstance(thing, np.ndarray | list | tuple):
        return True
    return hasattr(thing, "__array__") and not hasattr(thing, "fit")


def _n_points(thing: Any, X: Any) -> int:
    if isinstance(thing, type) or not (is_places(thing) or hasattr(thing, "fit")):
        raise TypeError(
            "build_scene: the first argument must be a fitted model or map, or an "
            f"array of places with one row per point; got {shown(thing)}."
        )
    rows = thing if X is None and is_places(thing) else X
    if rows is None:
        raise ValueError(
            f"build_scene: X is missing. {type(thing).__name__} is shown with the data "
            "it was fitted to, or with others of their kind: pass them as X."
        )
    n = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    if n == 0:
        raise ValueError("build_scene: there are no points to show.")
    return int(n)
