"""Distances to classes: a compiled loop over the distances to prototypes."""

from labelscape._core.jit import compiled


@compiled
def least_of_classes(D, owner, out):
    """Lower ``out`` (n, C) to the distances D (n, l) of each class's prototypes.

    ``owner`` (l,) are their classes. A distance that is no number stays visible.
    """
    for i in range(D.shape[0]):
        for p in range(D.shape[1]):
            c = owner[p]
            if D[i, p] < out[i, c] or D[i, p] != D[i, p]:
                out[i, c] = D[i, p]
