"""The real objects behind a prototype (prototype_views, part D).

A prototype is an average, not an object of its own. What a user can open are its
members, and among them the medoid, the most typical and the hardest one.
"""

import numpy as np


def members_of(group, count):
    """Return for each prototype the indices of its objects, ascending.

    Parameters
    ----------
    group : ndarray of int of shape (n,)
        Index of the prototype that each object belongs to.
    count : int
        Number of prototypes.

    Returns
    -------
    list of ndarray

    Examples
    --------
    >>> import numpy as np
    >>> [m.tolist() for m in members_of(np.array([0, 1, 0]), 2)]
    [[0, 2], [1]]
    """
    order = np.argsort(group, kind="stable")
    return np.split(order, np.cumsum(np.bincount(group, minlength=count))[:-1])


def shares(weights, members):
    """Return for each prototype the shares of its members, adding up to 1.

    Parameters
    ----------
    weights : ndarray of shape (n,)
        Weight of each object.
    members : list of ndarray
        Objects of each prototype.

    Returns
    -------
    list of ndarray

    Examples
    --------
    >>> import numpy as np
    >>> shares(np.array([1.0, 3.0]), [np.array([0, 1])])
    [array([0.25, 0.75])]
    """
    return [weights[m] / weights[m].sum() for m in members]


def first_of_each(score, members):
    """Return for each prototype the member with the highest score.

    Parameters
    ----------
    score : ndarray of shape (n,)
        Minus the distance to the prototype gives the medoid, the confidence the most
        typical member, minus the confidence the hardest.
    members : list of ndarray
        Objects of each prototype; none is empty.

    Returns
    -------
    ndarray of int of shape (l,)
        Indices of objects. Ties go to the lowest.

    Examples
    --------
    >>> import numpy as np
    >>> first_of_each(np.array([0.1, 0.9, 0.5]), [np.array([0, 2]), np.array([1])])
    array([2, 1])
    """
    return np.array([m[score[m].argmax()] for m in members])
