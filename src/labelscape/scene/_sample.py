"""Some of many objects, with every class among them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def spread_sample(codes: NDArray[Any], n_chosen: int, seed: int) -> NDArray[np.intp]:
    """Return indices of some objects, ascending, with classes in their proportions.

    Of every class there is one at least, as far as ``n_chosen`` goes.

    Examples
    --------
    >>> len(spread_sample(np.array([0] * 90 + [1] * 10), 10, seed=0))
    10
    """
    from labelscape._core.sampling import spread_over

    _, small = np.unique(codes, return_inverse=True)
    n_chosen = min(n_chosen, len(codes))
    if n_chosen == 0:
        return np.empty(0, dtype=np.intp)
    chosen: NDArray[np.intp] = spread_over(small, n_chosen, np.random.RandomState(seed))
    return chosen
