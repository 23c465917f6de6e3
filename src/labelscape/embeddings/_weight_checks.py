"""Weights as the user gives them: their checks, and the words for what is wrong."""

import numpy as np
from scipy.sparse import csr_array, issparse

from labelscape._core.checks import check_finite, shown
from labelscape.embeddings._weighted_pairs import unlinked_parts


def checked_prototypes(is_prototype, n):
    """Return the mask of prototypes as an array of bool, or None."""
    if is_prototype is None:
        return None
    mask = np.asarray(is_prototype)
    if mask.shape != (n,) or mask.dtype != bool or not mask.any():
        raise ValueError(
            "WeightedMDS: is_prototype must be True or False for each of the "
            f"{n} objects, True for at least one, got {shown(is_prototype)}."
        )
    return mask


def checked_weights(weights, n):
    """Return the weights as a float array, or as a sparse one in rows."""
    sparse = issparse(weights)
    W = csr_array(weights, dtype=float) if sparse else np.asarray(weights, dtype=float)
    if W.shape != (n, n):
        raise ValueError(
            "WeightedMDS: weights must have one row and one column per object: shape "
            f"{(n, n)}, got {W.shape}."
        )
    check_finite(W, owner="WeightedMDS", name="weights")
    values = W.data if sparse else W
    if values.min(initial=0.0) < 0.0:
        raise ValueError(
            f"WeightedMDS: weights must not be negative, got {values.min():.4g}."
        )
    if abs(W - W.T).max() > 1e-10 * values.max(initial=0.0):
        raise ValueError(
            "WeightedMDS: weights must be symmetric, but some pair has two different "
            "weights. If their mean is what you want, pass (W + W.T) / 2."
        )
    return W


def check_linked(W, first):
    """Raise a ValueError if the weights leave a part of the map without a place."""
    n_parts, part = unlinked_parts(W, len(first))
    if n_parts > 1:
        other = first[np.argmax(part != part[0])]
        raise ValueError(
            f"WeightedMDS: the weights split the objects into {n_parts} parts with no "
            f"weight between them (objects {first[0]} and {other}, for example), so "
            "the parts have no place relative to each other. Give every object a path "
            "of positive weights to all others; a weight of 1e-8 is enough."
        )
