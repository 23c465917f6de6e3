"""Weights of distances for each level of explanation (Kriegel and Schubert).

A view of the *data* gives every pair the same weight and does not use labels: weights
by class would separate classes on the map that overlap in the data. Views of the
*model* give weight to pairs of a sample and a prototype, which the classifier compares.
"""

import numpy as np
from scipy.sparse import csr_array, issparse

from labelscape._core.checks import (
    check_finite,
    check_sparse,
    mask_argument,
    matrix_argument,
    numbers_in,
)
from labelscape._core.errors import InputError
from labelscape._core.labels import labels_argument
from labelscape._core.params import arguments, number
from labelscape._core.types import Array
from labelscape.embeddings.weighted_mds._pairs import refused, unlinked_parts

LIGHT = 1e-4


@arguments(same_class=number(0.0))
def prototype_weights(labels, is_prototype, *, same_class=LIGHT) -> Array:
    """Return weights for a map of all prototypes and samples (the class level).

    The weight is 1 for a sample and a prototype, and for two prototypes of different
    classes; it is 1e-4 for two samples.

    Parameters
    ----------
    labels : array-like of shape (n,)
        The class of each prototype; the classes of samples are not used.
    is_prototype : array-like of bool, shape (n,)
        Which of the n points are prototypes; the others are samples.
    same_class : float, default=1e-4
        Weight of two prototypes of one class.

    Returns
    -------
    W : ndarray of shape (n, n)
        The weights, zero on the diagonal.

    Examples
    --------
    >>> from labelscape.embeddings import prototype_weights
    >>> prototype_weights(["a", "b", "a"], [True, True, False])
    array([[0., 1., 1.],
           [1., 0., 1.],
           [1., 1., 0.]])
    """
    owner = "prototype_weights"
    is_prototype = mask_argument(owner, "is_prototype", is_prototype)
    own = _prototype_labels(owner, labels, is_prototype)
    classes = np.zeros(len(is_prototype), dtype=np.int64)
    classes[is_prototype] = np.unique(own, return_inverse=True)[1]
    return _role_weights(is_prototype, classes, same_class)


def object_weights(is_prototype) -> Array:
    """Return weights for a map of one sample and the prototypes (the object level).

    The weight is 1 for a sample and a prototype, and 1e-4 for all other pairs.

    Parameters
    ----------
    is_prototype : array-like of bool, shape (n,)
        Which of the n points are prototypes.

    Returns
    -------
    W : ndarray of shape (n, n)
        The weights, zero on the diagonal.

    Examples
    --------
    >>> from labelscape.embeddings import object_weights
    >>> object_weights([False, True, True])
    array([[0.e+00, 1.e+00, 1.e+00],
           [1.e+00, 0.e+00, 1.e-04],
           [1.e+00, 1.e-04, 0.e+00]])
    """
    is_prototype = mask_argument("object_weights", "is_prototype", is_prototype)
    return _role_weights(is_prototype, np.zeros(len(is_prototype)), LIGHT)


def _role_weights(is_prototype, classes, same_class):
    """Return the weights (n, n) of samples and prototypes, 0 on the diagonal."""
    one, other = is_prototype[:, None], is_prototype[None, :]
    is_same = classes[:, None] == classes[None, :]
    W = np.where(one & other & is_same, same_class, LIGHT)
    W = np.where((one != other) | (one & other & ~is_same), 1.0, W)
    np.fill_diagonal(W, 0.0)
    return W


def picture_agreement(embedding, labels, is_prototype) -> float:
    """Return the share of samples whose nearest prototype on the map has their label.

    With predicted classes as labels, 1 means that the map shows every decision.

    Parameters
    ----------
    embedding : array-like of shape (n, n_components)
        The map of prototypes and samples.
    labels : array-like of shape (n,)
        Classes of the prototypes, and the predicted classes of the samples.
    is_prototype : array-like of bool, shape (n,)
        Which points are prototypes: at least one, but not all.

    Returns
    -------
    agreement : float
        Between 0 and 1.

    Examples
    --------
    >>> from labelscape.embeddings import picture_agreement
    >>> Z = [[0, 0], [4, 0], [1, 0], [3, 1]]
    >>> picture_agreement(Z, ["a", "b", "a", "a"], [True, True, False, False])
    0.5
    """
    owner = "picture_agreement"
    Z = matrix_argument(owner, "embedding", embedding)
    labels = labels_argument(owner, "labels", labels, size=len(Z))
    is_prototype = mask_argument(owner, "is_prototype", is_prototype, size=len(Z))
    if is_prototype.all() or not is_prototype.any():
        raise InputError(
            "is_prototype must be True for at least one point and False for "
            f"another, got {is_prototype[0]} for all.",
            owner=owner,
            parameter="is_prototype",
        )
    gaps = Z[~is_prototype, None] - Z[None, is_prototype]
    nearest = np.argmin((gaps**2).sum(axis=2), axis=1)
    return float(np.mean(labels[is_prototype][nearest] == labels[~is_prototype]))


def _prototype_labels(owner, labels, is_prototype):
    """Return the classes of the prototypes; other labels are ignored."""
    with numbers_in(labels, owner=owner, name="labels"):
        labels = np.asarray(labels)
    if labels.shape != is_prototype.shape:
        raise InputError(
            f"labels must contain one label for each of the {len(is_prototype)} "
            f"points, got an array of shape {labels.shape}.",
            owner=owner,
            parameter="labels",
        )
    own = labels[is_prototype]
    return labels_argument(owner, "labels", own) if len(own) else own


# Checks of weights that users pass.


def checked_prototypes(is_prototype, n):
    """Return the mask of prototypes as an array of bool, or None."""
    if is_prototype is None:
        return None
    mask = mask_argument("WeightedMDS", "is_prototype", is_prototype, size=n)
    if not mask.any():
        raise refused(
            "is_prototype must be True for at least one sample, got none.",
            parameter="is_prototype",
        )
    return mask


def checked_weights(weights, n):
    """Return the weights as a float array, or as a sparse matrix."""
    sparse = issparse(weights)
    check_sparse(weights, owner="WeightedMDS")
    with numbers_in(weights, owner="WeightedMDS", name="weights"):
        W = (csr_array if sparse else np.asarray)(weights, dtype=float)
    if W.shape != (n, n):
        raise refused(
            "weights must have one row and one column per sample: shape "
            f"{(n, n)}, got {W.shape}.",
            parameter="weights",
        )
    check_finite(W, owner="WeightedMDS", name="weights")
    values = np.asarray(W.data) if sparse else W
    if values.min(initial=0.0) < 0.0:
        raise refused(
            f"weights must not be negative, got {values.min():.4g}.",
            parameter="weights",
        )
    if abs(W - W.T).max() > 1e-10 * values.max(initial=0.0):
        raise refused(
            "weights must be symmetric, but the two weights of some pair differ. To "
            "use the mean of both directions, pass (W + W.T) / 2.",
            parameter="weights",
        )
    return W


def check_linked(W, first):
    """Raise a ValueError if the weights do not connect all points."""
    n_parts, part = unlinked_parts(W, len(first))
    if n_parts > 1:
        other = first[np.argmax(part != part[0])]
        raise refused(
            f"the weights split the samples into {n_parts} parts with no "
            f"weight between them (samples {first[0]} and {other}, for example), so "
            "their relative positions are undefined. Connect the parts with positive "
            "weights; a weight of 1e-8 is enough.",
        )
