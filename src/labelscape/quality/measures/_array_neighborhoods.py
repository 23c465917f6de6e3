"""False and lost neighbors with functions of the array API standard, for GPUs.

The sums are the same as in the compiled loops. Nothing is sorted: the k nearest are the
points up to the k-th distance, and only the required ranks are counted.
"""

import numpy as np

from labelscape._core.points.array_distances import (
    in_one_kernel,
    nearest,
    picked,
    without_self,
)
from labelscape._core.rows.device import has_kernels
from labelscape._core.rows.kinds import to_numpy
from labelscape._core.threads import row_blocks

# Bytes of one table of distances on the device; about six exist at a time.
DEVICE_BYTES = 2**30


def array_sums(original, mapped, codes, k, queries):
    """Return the sums of `Neighborhoods` (q, 8), for spaces of `ArrayPoints`."""
    blocks = row_blocks(len(queries), 8 * original.n, DEVICE_BYTES)
    parts = [_block(original, mapped, codes, k, queries[rows]) for rows in blocks]
    return np.concatenate(parts)


def _block(original, mapped, codes, k, own):
    xp, device = original.xp, original.device
    index = xp.arange(original.n, device=device)
    codes = xp.asarray(codes, device=device)
    place = xp.asarray(own, device=device)
    own_code = xp.take(codes, place)[:, None]
    spaces = original, mapped
    D, E = (without_self(xp, space.distances(own), place) for space in spaces)

    def sums(here, there):
        near = nearest(xp, here, k)
        is_same = xp.take(codes, xp.reshape(near, (-1,)))
        is_same = xp.reshape(is_same, near.shape) == own_code
        excess = ranks(xp, there, near, index) - k
        zeros = xp.zeros_like(excess)
        excess = xp.where(excess > 0, excess, zeros)
        # Columns ascend, so the first of equal distances has the lowest index.
        closest = xp.argmin(picked(xp, here, near), axis=1)[:, None]
        first = picked(xp, is_same, closest)
        return (
            xp.sum(xp.where(is_same, excess, zeros), axis=1),
            xp.sum(xp.where(is_same, zeros, excess), axis=1),
            xp.sum(xp.astype(is_same, excess.dtype), axis=1),
            xp.astype(first[:, 0], excess.dtype),
        )

    tears_in, tears_out, same, first = sums(D, E)
    false_in, false_out, same_map, first_map = sums(E, D)
    listed = [false_in, false_out, tears_in, tears_out, same, same_map]
    return to_numpy(xp.stack([*listed, first, first_map], axis=1))


def ranks(xp, D, near, index):
    """Return the ranks (b, k) of some columns in rows D (b, n): 1 is the nearest."""
    distances = picked(xp, D, near)
    before, not_after = counts(xp, D, distances)
    if not bool(xp.any(not_after > before + 1)):
        return not_after
    # Other points are equally far. Among equal distances, lower indices come first.
    ties = [
        (distances[:, t : t + 1] == D) & (near[:, t : t + 1] > index)
        for t in range(near.shape[1])
    ]
    return 1 + before + _stacked(xp, ties)


def counts(xp, D, d):
    """Return the numbers of values in rows of D (b, n) that are < d and <= d (b, k).

    On a GPU, one kernel reads D once, 25 times as fast as one kernel per value.
    """
    if has_kernels(D):
        return in_one_kernel(_counts_of_tensors)(D, d)
    columns = [d[:, t : t + 1] for t in range(d.shape[1])]
    return (
        _stacked(xp, [column > D for column in columns]),
        _stacked(xp, [column >= D for column in columns]),
    )


def _stacked(xp, masks):
    counted = [xp.count_nonzero(mask, axis=1) for mask in masks]
    return xp.astype(xp.stack(counted, axis=1), xp.int64)


def _counts_of_tensors(D, d):
    D, d = D[:, None, :], d[:, :, None]
    return (d > D).sum(-1), (d >= D).sum(-1)
