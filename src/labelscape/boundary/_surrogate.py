"""A smooth stand-in for a classifier that has no slope to offer.

Radial kernels are fitted to what the classifier says of some points: to its decision
values, or to the logarithms of its probabilities, of which a softmax is taken. Only the
slope is used, so it needs to point roughly downhill and no more.
"""

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from labelscape._core.distances import squared_distances
from labelscape.boundary._radial import radial_sum

# Points to fit to at most, and the weight of the penalty in the fit.
MOST_POINTS, RIDGE = 2000, 0.1
# Smaller probabilities count as this.
LEAST_PROBABILITY = 1e-6


def fitted_surrogate(points, r, kind):
    """Return the function ``(Z, r(Z), R) -> J^T R`` of a surrogate of r.

    Parameters
    ----------
    points : ndarray of shape (n, D)
        Where the classifier has been asked.
    r : ndarray of shape (n, C')
        Its answers.
    kind : {"probability", "decision"}
        What they are.
    """
    step = -(-len(points) // MOST_POINTS)
    points, r = points[::step], r[::step]
    is_probability = kind == "probability"
    scores = np.log(np.maximum(r, LEAST_PROBABILITY)) if is_probability else r
    kernels = _kernel_ridge(points, scores)

    def back(Z, values, R):
        if is_probability:
            # The softmax of scores has this slope; its values are the classifier's.
            R = values * (R - np.sum(values * R, axis=1, keepdims=True))
        return kernels(Z)[1](R)

    return back


def _kernel_ridge(points, scores):
    """Return the pass of radial kernels as wide as the usual distance of points."""
    mean = scores.mean(axis=0)
    centred = points - points.mean(axis=0)
    squares = squared_distances(centred, centred)
    usual = np.median(squares[squares > 0.0]) if (squares > 0.0).any() else 1.0
    gamma = 0.5 / usual
    K = np.exp(-gamma * squares)
    K.flat[:: len(K) + 1] += RIDGE
    U = cho_solve(cho_factor(K, overwrite_a=True), scores - mean)
    return radial_sum(points, U, mean, gamma)
