"""Joint coordinates of features and class probabilities.

The square roots of cross-fitted probabilities are points on a sphere. The distance
between two points on this sphere is a Fisher distance. After sharpening, samples of a
class differ mainly in their features, and little in the certainty of the models. The
features are additional coordinates, so two samples are far apart if their features or
their probabilities differ.
"""

import numpy as np

from labelscape._core.points.spaces import Points

# At focus 1/2, two samples with certain but different classes are this many times as
# far apart as tenth neighbors (times the square root of 2).
STRENGTH = 4.0
NEIGHBOR = 10
LEAST_POINTS = 4  # copies are joined if at least this many different samples are left
COPY_DIGITS = 9  # coordinates that agree to this number of digits are copies
FEW = 1500  # number of samples that show typical distances


def neighbor_gap(A, most=FEW):
    """Return the median distance of some samples to the tenth neighbor, never 0."""
    if len(A) < 2:
        return 1.0
    some = A[:: -(-len(A) // most)]
    gaps = Points(some).kneighbors(min(NEIGHBOR, len(some) - 1))[1][:, -1]
    return float(np.median(gaps)) or float(gaps.max()) or 1.0


def sharpened(U, sharpness):
    """Return the roots (n, C) raised to the power ``sharpness``, with unit length."""
    if sharpness == 1:
        return U
    V = U**sharpness
    return V / np.sqrt(np.sum(V * V, axis=1, keepdims=True))


def joint_coordinates(X, U, focus, unit):
    """Return the joint coordinates (n, d + C) of features and probability roots."""
    if focus == 1.0:
        return np.hstack([np.zeros_like(X), STRENGTH * U])
    return np.hstack([X / unit, STRENGTH * focus / (1.0 - focus) * U])


def without_copies(A, least):
    """Return indices of distinct samples, and each sample's number among them."""
    rounded = np.round(A, COPY_DIGITS)
    _, first, copy = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    return (first, copy) if least <= len(first) < len(A) else (np.arange(len(A)),) * 2
