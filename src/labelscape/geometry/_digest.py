"""A short text that stands for a table, by which it is known again."""

from hashlib import sha256

import numpy as np

from labelscape._core.threads import row_blocks


def digest(X):
    """Return the digest of a table (n, d); equal tables of any precision have one."""
    found = sha256(repr(X.shape).encode())
    for rows in row_blocks(len(X), 8 * X.shape[1]):
        # Adding 0 turns -0.0 into 0.0: equal numbers, but other bytes.
        found.update((X[rows].astype(np.float64) + 0.0).tobytes())
    return found.hexdigest()
