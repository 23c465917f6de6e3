"""Labels as indices of classes, for those of the data and those of models alike."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.errors import shown
from labelscape._core.labels import exact_labels, is_label
from labelscape._core.types import Ints
from labelscape.scene.scene import MANY_CLASSES, Codes, scene_error

MOST_CLASSES = 65535  # indices must fit into 16 bits, with one left for "none"


class Classes:
    """The classes of a scene, sorted."""

    def __init__(self, labels: Sequence[Any]) -> None:
        different = list(dict.fromkeys(labels))
        try:
            self.labels = sorted(different)
        except TypeError:  # numbers and texts have no common order
            self.labels = sorted(
                different, key=lambda one: (type(one).__name__, str(one))
            )
        if len(self.labels) >= MOST_CLASSES:
            raise scene_error(
                f"y holds {len(self.labels):,} different labels, but a scene shows at "
                f"most {MOST_CLASSES - 1:,} classes. Does y really hold classes?"
            )
        # The labels as texts; whole numbers without a decimal point.
        self.names = tuple(
            str(int(one) if isinstance(one, float) and one.is_integer() else one)
            for one in self.labels
        )
        self._index = {label: c for c, label in enumerate(self.labels)}

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def dtype(self) -> type[np.uint8] | type[np.uint16]:
        """The type of class indices."""
        return np.uint8 if len(self) < MANY_CLASSES else np.uint16

    @property
    def none(self) -> int:
        """The index that means "none"."""
        return int(np.iinfo(self.dtype).max)

    def name(self, label: Any) -> str:
        """Return what the view calls a label, also one that is not a class."""
        code = int(self.codes([label])[0])
        return str(label) if code == self.none else self.names[code]

    def codes(self, labels: Any) -> Codes:
        """Return the index of each label; "none" for those that are not a class."""
        known, inverse = distinct(labels)
        index = [self._index.get(label, self.none) for label in known]
        codes: Any = np.array(index, dtype=self.dtype)[inverse]
        return codes  # type: ignore[no-any-return]


def distinct(labels: Any) -> tuple[list[Any], Ints]:
    """Return the different labels, None and NaN too, and which of them each one is."""
    array = exact_labels(labels)
    if array.dtype.kind != "O":
        known, inverse = np.unique(array, return_inverse=True)
        return known.tolist(), inverse
    index: dict[Any, int] = {}
    inverse = np.array(
        [index.setdefault(label, len(index)) for label in array.tolist()], dtype=np.intp
    )
    return list(index), inverse


# The classes of a scene, and the label of each point among them.


class Labeled(NamedTuple):
    """Classes, and the class of each point; no codes where no labels were given."""

    classes: Classes
    codes: Codes | None

    def indices(self, codes: Codes) -> Ints:
        """Return codes as numbers to count with, -1 for none."""
        return np.where(codes == self.classes.none, -1, codes.astype(np.intp))

    @property
    def all_known(self) -> Codes | None:
        """The codes, if every point has a class and there are at least two."""
        if self.codes is None or (self.codes == self.classes.none).any():
            return None
        return self.codes if len(np.unique(self.codes)) > 1 else None


def labeled(y: Any, n_points: int, more: list[Any]) -> Labeled:
    """Return the classes in y and those of models (``more``), and codes of y."""
    if y is None:
        return Labeled(Classes(more), None)
    try:
        labels = exact_labels(y)
    except ValueError:  # lists of several lengths
        labels = np.empty((len(y), 0))
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (n_points,):
        raise scene_error(
            f"there are {n_points} points but y has shape {labels.shape}. "
            "Give one label per point."
        )
    for row, label in enumerate(labels.tolist()):
        if not isinstance(label, Hashable):
            raise scene_error(
                f"y must hold one label per point, got {shown(label)} in row {row}.",
                "y",
            )
    known, _ = distinct(labels)
    classes = Classes([*(label for label in known if is_label(label)), *more])
    return Labeled(classes, classes.codes(labels))
