"""The temperature that turns distances into class probabilities."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

# More objects than this would not make one number more precise.
ENOUGH = 20_000


def fitted_temperature(scores, classes, weights):
    """Return the s for which ``softmax(scores / s)`` fits the labels best.

    Notes
    -----
    Least is the cross-entropy with the targets of Platt: 1 - e for the object's own
    class and e = 1 / (n + 2) for its closest rival. That is the rule of succession, as
    if one object more had been decided rightly and one wrongly. Without it the
    temperature of data that are told apart without error is 0, and every probability
    0 or 1; a hundred objects without an error do not show as much.

    The search is over log s, three decades around the mean lead of the best class over
    the second.

    Shapes: scores (n, C), classes (n,), weights (n,).
    """
    scores = scores.astype(np.float64)
    second, first = np.partition(scores, -2, axis=1)[:, -2:].T
    lead = np.average(first - second, weights=weights)
    if not 0.0 < lead < np.inf:  # infinite while only one class has prototypes
        return 1.0
    own = scores[np.arange(len(scores)), classes]
    rival = np.where(own < first, first, second)
    # Weights below 1, such as shares, do not make the objects fewer than they are.
    doubt = 1.0 / (max(weights.sum(), np.count_nonzero(weights)) + 2.0)
    target = (1.0 - doubt) * own + doubt * rival

    def surprise(log_s):
        s = np.exp(log_s)
        return np.average(logsumexp(scores / s, axis=1) - target / s, weights=weights)

    around, reach = np.log(lead), np.log(1e3)
    found = minimize_scalar(
        surprise,
        bounds=(around - reach, around + reach),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return float(np.exp(found.x))
