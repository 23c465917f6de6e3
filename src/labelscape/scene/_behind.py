"""The real objects behind each prototype: nearest, most typical, hardest."""

from typing import Any, NamedTuple

import numpy as np

from labelscape.scene._nearest import NO_PROTOTYPE, Nearest
from labelscape.scene._numbers import Matrix
from labelscape.scene.scene import Points


class Behind(NamedTuple):
    """One object per prototype, -1 for none."""

    medoids: Points
    typical: Points
    hardest: Points


def objects_behind(model: Any, near: Nearest, sureness: Matrix) -> Behind:
    """Return the objects behind prototypes.

    A prototype stands for the objects of its class that it is nearest to. ``sureness``
    (n,) tells how sure the model is of their class; below 0 where it says another one.
    Where that is the same of several, the one with the greater lead is more typical.
    """
    kept = _kept_by(model, near.own_distances)
    if kept is not None:
        return kept
    k, sure = len(model.prototypes_), (sureness, near.leads)
    scores = ((-near.own_distances,), sure, tuple(-score for score in sure))
    return Behind(*(_best(near.of_own, score, k) for score in scores))


def _kept_by(model: Any, distances: Matrix) -> Behind | None:
    """Return what the model kept of its training objects, if the shown ones are these.

    They are if the members nearest to the prototypes are those that the model says.
    """
    members = getattr(model, "members_", None)
    if members is None or sum(len(m) for m in members) != len(distances):
        return None
    if not np.array_equal([m[distances[m].argmin()] for m in members], model.medoids_):
        return None
    kept = (model.medoids_, model.typical_, model.hardest_)
    return Behind(*(np.asarray(objects, dtype=np.int32) for objects in kept))


def _best(own: Matrix, scores: tuple[Matrix, ...], n_prototypes: int) -> Points:
    """Return the object with the highest score for each prototype.

    Ties of the first of ``scores`` are broken by the next.
    """
    objects = np.flatnonzero(own != NO_PROTOTYPE)
    # Stable, so that what is still tied goes to the lowest.
    keys = [-score[objects] for score in reversed(scores)]
    order = objects[np.lexsort((*keys, own[objects]))]
    prototypes, starts = np.unique(own[order], return_index=True)
    best = np.full(n_prototypes, -1, dtype=np.int32)
    best[prototypes] = order[starts]
    return best
