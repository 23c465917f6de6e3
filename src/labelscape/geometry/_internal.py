"""Access to a fitted FisherMetric for maps; not for ``method="graph"``."""

import numpy as np

from labelscape.geometry._calibration import warn_if_saturated
from labelscape.geometry._distances import single_suffices, squares_in_reach

__all__ = ["distances_among", "kernel_squares", "roots_of", "warn_if_saturated"]


def roots_of(metric, X=None):
    """Return square roots (n, C) of the probabilities of X, or of fitted samples."""
    backend = metric._at(None)
    return (backend.fitted if X is None else backend.distances.points(X)).rows.U


def distances_among(metric, indices):
    """Return the distances (m, m) between some of the fitted samples."""
    backend = metric._at(None)
    return backend.distances.symmetric_matrix(backend.fitted.take(indices))


def kernel_squares(metric, X, columns, scales):
    """Return a function that computes squared distances (b, m) to kernel centers."""
    # Distances to the fitted samples ``columns``, for kernels exp(-scale d^2).
    backend, same = metric._at(None), np.array_equal(X, metric._X)
    distances, fitted = backend.distances, backend.fitted
    single = single_suffices(scales)
    if single:
        fitted = distances.lighter(fitted)
    B = fitted.take(columns)
    if not same:  # in a common precision, once for all slices
        B = distances.common(distances.points(X[:1], single=single), B)[1]

    def squares(rows):
        A = fitted.take(rows) if same else distances.points(X[rows], single=single)
        return squares_in_reach(distances, A, B, scales)

    def each(slices, function=lambda block: block):
        return distances.map_slices(lambda rows: function(squares(rows)), slices)

    return each
