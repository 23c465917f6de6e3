"""What maps ask of a fitted FisherMetric, and no user does: distances to some objects.

The door between the rooms: maps import from here, and nothing else that is private.
None of this is for ``method="graph"``.
"""

import copy

import numpy as np

from labelscape.geometry._neighbors import single_suffices, squares_in_reach
from labelscape.geometry._warnings import warn_if_saturated

__all__ = [
    "array_squares",
    "distances_among",
    "kernel_squares",
    "over_slices",
    "relearned",
    "roots_of",
    "warn_if_saturated",
]


def roots_of(metric, X=None):
    """Return the roots (n, C) of the probabilities of checked X, None: as fitted."""
    if X is None:
        return metric._fitted.rows.U
    return metric._distances.points(X).rows.U


def relearned(metric, X, y):
    """Return a cross-fitted metric after other labels of the objects of its fit."""
    after = copy.copy(metric)
    after.cross_fit_ = copy.copy(metric.cross_fit_).refit(X, y)
    return after


def distances_among(metric, indices):
    """Return the distances (m, m) of some of the fitted objects."""
    return metric._distances.symmetric_matrix(metric._fitted.take(indices))


def kernel_squares(metric, X, columns, scales):
    """Return the function from a slice of checked X to squared distances (b, m).

    To the fitted objects ``columns``, and infinite where their kernels
    ``exp(-scale d^2)`` carry no weight.
    """
    distances, same = metric._distances, np.array_equal(X, metric._X)
    fitted, single = metric._fitted, single_suffices(scales)
    if single:
        fitted = distances.lighter(fitted)
    B = fitted.take(columns)
    if not same:  # in the precision of both, once for all slices
        B = distances.common(distances.points(X[:1], single=single), B)[1]

    def squares(rows):
        A = fitted.take(rows) if same else distances.points(X[rows], single=single)
        return squares_in_reach(distances, A, B, scales, metric._bounded)

    return squares


def array_squares(metric, columns):
    """Return the function from checked tensors (b, d) to squared distances (b, m).

    To the fitted objects ``columns``. The metric has its arrays where the tensors are.
    """
    distances = metric._distances
    xp = distances.xp
    B = metric._fitted.chosen(xp, columns)

    def squares(A):
        D = distances.matrix(distances.points(A), B, xp.float64)
        return D * D

    return squares


def over_slices(metric, function, slices):
    """Apply a function to slices of objects, by threads where the metric bears it."""
    return metric._distances.map_slices(function, slices)
