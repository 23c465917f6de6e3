"""How far two groupings agree, group by group."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape.quality.stability.density import NONE


def best_matches(
    groups: NDArray[np.intp], others: NDArray[np.intp], n_groups: int
) -> NDArray[np.float64]:
    r"""Return for each group how far the best of the others agrees with it.

    The Jaccard index :math:`|A \cap B| / |A \cup B|` of a group A and another one B, or
    of the objects outside both, whichever is less: a group of nearly all objects
    agrees with any other such, and says nothing by that. NaN for a group without
    objects here.
    """
    n = len(groups)
    n_others = int(others.max(initial=NONE)) + 1
    # The last row and column are for objects in no group.
    both = np.zeros((n_groups + 1, n_others + 1))
    np.add.at(both, (groups, others), 1)
    sizes, other_sizes = both.sum(axis=1), both.sum(axis=0)
    inside, one, other = (
        part[:n_groups, :n_others]
        for part in (both, *np.broadcast_arrays(sizes[:, None], other_sizes))
    )
    outside = n - one - other + inside
    agree = np.minimum(_ratio(inside, n - outside), _ratio(outside, n - inside))
    best = agree.max(axis=1, initial=0.0)
    best[sizes[:n_groups] == 0] = np.nan
    return best


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    """Return the share of a whole, 0 of nothing."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
