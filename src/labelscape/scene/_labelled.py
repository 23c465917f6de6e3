"""The classes of a scene, and the label of each point among them."""

from typing import Any, NamedTuple

import numpy as np

from labelscape.scene._classes import Classes, distinct, is_label
from labelscape.scene.scene import Codes


class Labelled(NamedTuple):
    """Classes, and the class of each point; no codes where no labels were given."""

    classes: Classes
    codes: Codes | None

    @property
    def all_known(self) -> Codes | None:
        """The codes, if every point has a class and there are at least two."""
        if self.codes is None or (self.codes == self.classes.none).any():
            return None
        return self.codes if len(np.unique(self.codes)) > 1 else None


def labelled(y: Any, n_points: int, more: list[Any]) -> Labelled:
    """Return the classes in y and those of models (``more``), and codes of y."""
    if y is None:
        return Labelled(Classes(more), None)
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (n_points,):
        raise ValueError(
            f"build_scene: there are {n_points} points but y has shape {labels.shape}. "
            "Give one label per point."
        )
    found, _ = distinct(labels)
    classes = Classes([*(label for label in found if is_label(label)), *more])
    return Labelled(classes, classes.codes(labels))
