"""Compiled radix sort of numbers that are not negative, with where they came from."""

import numpy as np

from labelscape._core.jit import compiled

# 64 bits in six digits.
DIGIT_BITS = 11
N_DIGITS = 6
RADIX = 1 << DIGIT_BITS


@compiled
def sorted_by_bits(keys, order, other_keys, other_order, counts):
    """Sort the bits of numbers (n,): return them, their places before, and free room.

    From the lowest digit to the highest: numbers that are not negative are in the order
    of their bits. Each round keeps the order of equals, so ties stay in the order that
    they came in. ``other_keys``, ``other_order`` and ``counts`` (N_DIGITS, RADIX) are
    room to work in; rounds go back and forth, so the result may be in either pair.
    """
    n = keys.shape[0]
    mask = np.uint64(RADIX - 1)
    counts[:] = 0
    for j in range(n):
        key = keys[j]
        for digit in range(N_DIGITS):
            counts[digit, (key >> np.uint64(digit * DIGIT_BITS)) & mask] += 1
    for digit in range(N_DIGITS):
        shift = np.uint64(digit * DIGIT_BITS)
        start = counts[digit]
        if start[(keys[0] >> shift) & mask] == n:  # all have the same digit
            continue
        total = 0
        for value in range(RADIX):
            count = start[value]
            start[value] = total
            total += count
        for j in range(n):
            key = keys[j]
            value = (key >> shift) & mask
            at = start[value]
            start[value] = at + 1
            other_keys[at] = key
            other_order[at] = order[j]
        keys, other_keys = other_keys, keys
        order, other_order = other_order, order
    return keys, order, other_keys


@compiled
def average_ranks(values):
    """Return the rank of each value (n,); equal values share the mean of their ranks.

    The values are not negative.
    """
    n = values.shape[0]
    keys, order, room = sorted_by_bits(
        (values + 0.0).view(np.uint64),  # + 0.0 turns -0.0 into 0.0, and copies
        np.arange(0, n, 1, np.int32),
        np.empty(n, np.uint64),
        np.empty(n, np.int32),
        np.empty((N_DIGITS, RADIX), np.int32),
    )
    ranks = room.view(np.float64)
    start = 0
    while start < n:
        stop = start + 1
        while stop < n and keys[stop] == keys[start]:
            stop += 1
        for at in range(start, stop):
            ranks[order[at]] = (start + 1 + stop) / 2.0
        start = stop
    return ranks
