"""How far objects are inside their class's region, and how sure that makes a decision.

Specification B1. The border between two prototypes is the hyperplane midway between
them; an object's margin is its signed distance from the nearest such border between its
own class and the others. Positive means classified correctly.
"""

import numpy as np
from scipy.special import expit

# Two prototypes nearer than this, relative to the object's distance, share their place:
# the plane between them is made of rounding errors.
COINCIDENT = 1e-12


def signed_distances(D_own, D_foreign, gaps):
    r"""Return how far objects are on the own side of the planes between prototypes.

    .. math:: \frac{d(P_2, o)^2 - d(P_1, o)^2}{2\, d(P_1, P_2)}

    Lemma 4.1 with its sign mended: positive on the side of the own prototype P1.

    Shapes: D_foreign (n, l).
    """
    apart = gaps > COINCIDENT * (np.sqrt(D_own) + np.sqrt(D_foreign))
    lead = D_foreign - D_own
    return np.divide(lead, 2.0 * gaps, out=np.zeros_like(lead), where=apart)


def border_distances(D, between, owner, classes):
    """Return each object's distance from the nearest border of its class (Def. 4.1).

    The own prototype is the nearest one: the cell that the object is in, as the text of
    the paper wants it. The sign then says if the object is classified correctly.

    Shapes: D (n, l), owner (l,), classes (n,).
    """
    foreign = owner != classes[:, None]
    own = np.where(foreign, np.inf, D).argmin(axis=1)
    used, where_used = np.unique(own, return_inverse=True)
    margins = signed_distances(
        np.take_along_axis(D, own[:, None], axis=1), D, between(used)[where_used]
    )
    return np.where(foreign, margins, np.inf).min(axis=1)


def literal_border_distances(D, between, owner, classes):
    """Return Def. 4.1 as it is printed: the minimum over all own prototypes, too.

    With several prototypes per class this is the margin to the worst of them. It is
    here for comparison only.
    """
    worst = np.full(len(D), np.inf)
    for own in range(len(owner)):
        rows = np.flatnonzero(classes == owner[own])
        foreign = np.flatnonzero(owner != owner[own])
        margins = signed_distances(
            D[rows, own, None],
            D[np.ix_(rows, foreign)],
            between(np.array([own]))[:, foreign],
        )
        worst[rows] = np.minimum(worst[rows], margins.min(axis=1))
    return worst


def confidence(margins, alpha):
    r"""Return :math:`1 / (1 + \exp(-\alpha\, d_{min}))` (Def. 4.2).

    Its mean over the training set is the quality of a model (Def. 4.3).
    """
    return expit(alpha * margins)


def margins(space, prototypes, owner, classes, measure=border_distances):
    """Return the distances from the border of all objects of a space, in blocks."""

    def block(rows, D):
        return measure(
            D, lambda which: space.between(prototypes, which), owner, classes[rows]
        )

    return np.concatenate(space.map(block, prototypes))


def margin_scale(space, classes):
    """Return s, the unit of margins: their mean size for the plain class centroids.

    ``alpha / s`` does not feel the scale of the features. Centroids that nearly
    coincide would make s tiny and alpha huge, so s is at least a thousandth of the
    objects' root mean square distance from their centroid.
    """
    owner = np.arange(classes.max() + 1)
    centroids = space.means(classes, np.ones(len(classes)), len(owner))
    s = np.abs(margins(space, centroids, owner, classes)).mean()
    spread = np.sqrt(np.mean(space.own_squared_distances(centroids, classes)))
    return max(s, 1e-3 * spread) or 1.0
