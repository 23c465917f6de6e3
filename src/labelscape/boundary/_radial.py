"""Sums of radial kernels, with their slope."""

import numpy as np

from labelscape._core.distances import squared_distances, squared_norms


def radial_sum(points, U, offset, gamma):
    """Return the pass ``sum_s U_s exp(-gamma |z - s|^2) + offset`` over points s."""
    middle = points.mean(axis=0)  # far from the origin, the products would blur
    V = points - middle
    norms = squared_norms(V)

    def forward(Z):
        Z = Z - middle
        K = squared_distances(Z, V, norms)
        K *= -gamma
        np.exp(K, out=K)

        def back(R):
            H = R @ U.T
            H *= K
            return 2.0 * gamma * (H @ V - H.sum(axis=1, keepdims=True) * Z)

        return K @ U + offset, back

    return forward
