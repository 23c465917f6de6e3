"""Push: move prototypes by giving doubtful objects more weight (specification B2)."""

import numpy as np

from labelscape.prototypes._growing import Model
from labelscape.prototypes._margin import confidence, margins

# Gains smaller than this are rounding.
LEAST_GAIN = 1e-12


def push(space, classes, group, owner, *, alpha, measure, max_push, patience):
    """Return the best model with given groups that reweighting their objects finds.

    Prototypes are weighted means. Each step multiplies an object's weight by
    ``2 - Conf``, so the prototypes follow the objects that are close to a border or
    beyond it, for as long as that raises the quality.

    Parameters
    ----------
    space : Vectors or Dissimilarities
        The objects.
    classes : ndarray of shape (n,)
        Class index of each object.
    group : ndarray of shape (n,)
        Index of the prototype that each object belongs to; fixed.
    owner : ndarray of shape (l,)
        Class index of each prototype.
    alpha : float
        Sharpness of the confidence, in units of one over distance.
    measure : callable
        `border_distances` or `literal_border_distances`.
    max_push : int
        Number of steps at most.
    patience : int
        Number of steps without gain to go on for.

    Returns
    -------
    Model
    """
    weights = np.ones(len(group))
    best, waited = None, 0
    for _ in range(max_push):
        prototypes = space.means(group, weights, len(owner))
        found = margins(space, prototypes, owner, classes, measure)
        model = Model(group, owner, weights, prototypes, confidence(found, alpha))
        if best is None or model.quality > best.quality + LEAST_GAIN:
            best, waited = model, 0
        elif waited == patience:
            break
        else:
            waited += 1
        weights = reweighted(weights, model.confidences, group)
    return best


def reweighted(weights, confidences, group):
    """Return ``weight * (2 - Conf)``, rescaled before it grows out of range."""
    weights = weights * (2.0 - confidences)
    if weights.max() > 1e100:  # only ratios inside a group matter
        largest = np.zeros(group.max() + 1)
        np.maximum.at(largest, group, weights)
        weights = weights / largest[group]
    return weights
