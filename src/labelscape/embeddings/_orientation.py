"""One orientation for every picture, so that the same data look the same again."""

import numpy as np

from labelscape._core.threads import one_blas_thread

# Entries this close to the largest count as tied with it: in a symmetric picture two
# entries differ by rounding alone, and rounding must not choose the sign.
TIE = 1e-9


def with_positive_peaks(rows):
    """Return the rows, each with its entry of largest magnitude positive (eq. 8).

    Of tied entries the one with the lowest index decides.
    """
    size = np.abs(rows)
    peaks = np.argmax(size >= (1.0 - TIE) * size.max(axis=1, keepdims=True), axis=1)
    peak_values = rows[np.arange(len(rows)), peaks]
    return np.where(peak_values < 0, -1.0, 1.0)[:, None] * rows


def on_principal_axes(Z):
    """Return the map Z (n, q) centred and turned: its widest direction comes first.

    Distances on the map stay as they are. For methods whose cost does not see rotation.
    """
    Z = Z - Z.mean(axis=0)
    with one_blas_thread():
        axes = np.linalg.svd(Z.T @ Z)[2]
        turned = Z @ axes.T
    return with_positive_peaks(turned.T).T
