"""The temperature that turns distances into class probabilities."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

# More objects than this would not make one number more precise.
ENOUGH = 20_000


def fitted_temperature(scores, classes, weights):
    """Return the s for which ``softmax(scores / s)`` makes the labels most likely.

    Parameters
    ----------
    scores : ndarray of shape (n, C)
        How well each class fits each object; differences count.
    classes : ndarray of shape (n,)
        Class indices.
    weights : ndarray of shape (n,)
        Weights of the objects.

    Notes
    -----
    The search is over log s, three decades around the mean lead of the best class over
    the second; on data that are told apart without error it ends at the lower limit.
    """
    scores = scores.astype(np.float64)
    second, first = np.partition(scores, -2, axis=1)[:, -2:].T
    lead = np.average(first - second, weights=weights)
    if not 0.0 < lead < np.inf:  # infinite while only one class has prototypes
        return 1.0

    def surprise(log_s):
        scaled = scores / np.exp(log_s)
        own = scaled[np.arange(len(scaled)), classes]
        return np.average(logsumexp(scaled, axis=1) - own, weights=weights)

    around, reach = np.log(lead), np.log(1e3)
    found = minimize_scalar(
        surprise,
        bounds=(around - reach, around + reach),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return float(np.exp(found.x))
