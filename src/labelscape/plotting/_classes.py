"""Which class each point has, and how classes look on a figure."""

from typing import NamedTuple

import numpy as np

from labelscape.plotting._palette import class_colors, class_markers
from labelscape.plotting._theme import short


class Classes(NamedTuple):
    """The classes of a figure, in the order of their colours."""

    labels: np.ndarray
    colors: list
    markers: list

    @property
    def names(self):
        """Labels as they are written on a figure."""
        return [short(label) for label in self.labels]

    def indices(self, y):
        """Return the class index of each label."""
        y = np.asarray(y)
        last = len(self.labels) - 1
        found = np.searchsorted(self.labels, y).clip(max=last)
        strange = y[self.labels[found] != y]
        if len(strange):
            raise ValueError(
                f"The label {strange[0]!r} is not among the classes "
                f"{self.labels.tolist()}. Pass all of them as classes=…"
            )
        return found


def classes_of(y, classes=None):
    """Return how to draw the classes in y, or those given, sorted."""
    labels = np.unique(np.asarray(y) if classes is None else np.asarray(classes))
    n = len(labels)
    return Classes(labels, class_colors(n), class_markers(n))


def checked_map(embedding, y=None, *, owner):
    """Return an embedding as floats (n, 1 to 3), after comparing it with its labels."""
    Z = np.asarray(embedding, dtype=np.float64)
    if Z.ndim != 2 or not 1 <= Z.shape[1] <= 3:
        raise ValueError(
            f"{owner}: a map has 1, 2 or 3 columns, got an array of shape {Z.shape}. "
            "Pass embedding[:, :2] to see the first two."
        )
    if len(Z) == 0:
        raise ValueError(f"{owner}: the map has no points.")
    if y is not None and np.shape(y) != (len(Z),):
        raise ValueError(
            f"{owner}: the map has {len(Z)} points but y has shape {np.shape(y)}. Give "
            "one label per point."
        )
    if not np.isfinite(Z).all():
        raise ValueError(f"{owner}: the map holds NaN or infinity. Fit it again.")
    return Z
