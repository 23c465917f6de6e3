"""Which objects a map is fitted to, where it is not fitted to all."""

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.checks import check_labels, either, number, one_of, whole
from labelscape._core.sampling import drawn_by_class

TRAIN_SIZE = either(one_of(None), whole(3), number(above=0, below=1))


def drawn_objects(train_size, y, n, random_state, *, owner):
    """Return the sorted indices of the objects to fit, from each class its share.

    Parameters
    ----------
    train_size : int, float or None
        How many, which share, or None for all.
    y : array-like of shape (n,) or None
        Class labels; None to draw from all objects alike.
    n : int
        Number of objects.
    random_state : int, RandomState or None
        Draws them.
    owner : str
        Whose error messages these are.
    """
    if train_size is None:
        return np.arange(n)
    count = train_size
    if isinstance(train_size, float | np.floating):
        count = int(np.ceil(train_size * n))
    if count > n:
        raise ValueError(
            f"{owner}: train_size={train_size} is more than the {n} objects in X. Give "
            "fewer, a share between 0 and 1, or None for all."
        )
    class_of = np.zeros(n, dtype=int)
    if y is not None:
        class_of = check_labels(y, n, owner=owner)[1]
    return drawn_by_class(class_of, count, check_random_state(random_state))
