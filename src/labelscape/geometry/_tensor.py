"""The factor G of the Fisher matrix: J = G^T G at each object (spec section 2)."""

import numpy as np

from labelscape._core.points.center import middle
from labelscape._core.threads import one_blas_thread
from labelscape.geometry._log_weights import log_weights

# Steps of the central differences, in units of a feature's standard deviation.
DIFFERENCE = 1e-3


def posterior_factor(X, parzen):
    """Return G (n, C, d) with ``J = G^T G``: roots of p(c|x) times its log-slope.

    G_c = sqrt(p(c|x)) b(x, c) / s^2,  b = E[q | x, c] - E[q | x]     (section 2)
    """
    weights = np.exp(log_weights(X, parzen, 1).a)
    weights /= weights.sum(axis=1, keepdims=True)
    classes = zip(parzen.starts[:-1], parzen.starts[1:], strict=True)
    # Far from the origin, differences would blur.
    Q = parzen.points - middle(parzen.points)
    with one_blas_thread():
        overall = weights @ Q
        G = np.zeros((len(X), len(parzen.starts) - 1, Q.shape[1]))
        for c, (start, stop) in enumerate(classes):
            share = weights[:, start:stop].sum(axis=1)
            there = share > 0.0  # a class that underflowed contributes nothing
            mean = weights[there, start:stop] @ Q[start:stop] / share[there, None]
            G[there, c] = np.sqrt(share[there, None]) * (mean - overall[there])
    G /= parzen.bandwidth**2
    return G


def difference_factor(X, classifier, scale):
    """Return G (n, C, d) with ``J = G^T G`` by central differences.

    J = 4 sum_c grad sqrt(p_c) grad sqrt(p_c)^T (identity B), so G = 2 grad sqrt(p).
    ``scale`` (d,) is the spread of each feature, 0 for one that is constant.
    """
    columns = []
    for k in range(X.shape[1]):
        step = np.zeros(X.shape[1])
        step[k] = DIFFERENCE * (scale[k] or 1.0)
        up = np.sqrt(classifier.probabilities(X + step))
        down = np.sqrt(classifier.probabilities(X - step))
        columns.append((up - down) / step[k])
    return np.stack(columns, axis=2)
