"""Maps that are fitted to a part of their objects, and place the others."""

from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.checks import check_labels
from labelscape._core.errors import InputError
from labelscape._core.fits.learned import Learned, indices, numbers
from labelscape._core.fits.papers import AsInPaper, Printed
from labelscape._core.rules import either, number, one_of, whole
from labelscape._core.sampling import drawn_by_class

# So many objects are mapped in seconds, and show what there is to be seen.
QUICK = 5000


class PartlyFitted(AsInPaper):
    """Mixin of maps with ``train_size``: ``embedding_`` has a row for each object.

    A subclass sets ``train_indices_``, the sorted indices of the fitted objects, and
    has ``_placed_by_parts`` for the others.
    """

    _in_paper: ClassVar = {
        "train_size": Printed(
            0.1, "All objects are fitted; the paper takes a tenth to save time."
        ),
        "bandwidth": Printed(
            "global", "Of seven widths, the one that places held-out objects best."
        ),
        "ridge": Printed(0.0, "A little ridge keeps places from wild values."),
    }
    _rules: ClassVar = {
        "train_size": either(one_of("auto", None), whole(3), number(above=0, below=1))
    }
    _learned: ClassVar[Learned] = {
        "embedding_": numbers("mapped objects", "components"),
        "train_indices_": indices("objects", of="mapped objects"),
    }

    def _with_others(self, X, Z):
        """Keep and return the map of the fitted objects, with the others placed."""
        self.embedding_ = np.empty((len(X), Z.shape[1]))
        self.embedding_[self.train_indices_] = Z
        others = np.delete(np.arange(len(X)), self.train_indices_)
        if len(others):
            self.embedding_[others] = self._placed_by_parts(X[others])
        return self.embedding_

    def _fitted_places(self):
        return self.embedding_[self.train_indices_]


def drawn_objects(train_size, y, n, random_state, *, owner):
    """Return the sorted indices of the objects to fit, from each class its share.

    Shapes: y (n,).
    """
    if train_size is None:
        return np.arange(n)
    count = train_size
    if isinstance(train_size, str):
        count = min(n, QUICK)
    elif isinstance(train_size, float | np.floating):
        count = int(np.ceil(train_size * n))
    if count > n:
        raise InputError(
            f"train_size={train_size} is more than the {n} objects in X. Give "
            "fewer, a share between 0 and 1, or None for all.",
            owner=owner,
            parameter="train_size",
        )
    class_of = np.zeros(n, dtype=int)
    if y is not None:
        class_of = check_labels(y, n, owner=owner)[1]
    return drawn_by_class(class_of, count, check_random_state(random_state))
