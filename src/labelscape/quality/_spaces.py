"""The two spaces that a measure compares: the data, and the map."""

from scipy.sparse import issparse

from labelscape._core.errors import InputError
from labelscape._core.points.array_points import ArrayPoints, array_points
from labelscape._core.points.arrays import namespace_of, to_numpy
from labelscape._core.points.spaces import Points, check_matrix, space_of
from labelscape._core.points.sparse_points import sparse_points


def both_spaces(X, embedding, metric, *, owner):
    """Return original space and map."""
    original = data_space(X, metric, owner=owner)
    return original, map_space(embedding, original, owner=owner)


def data_space(X, metric, *, owner):
    """Return the space of the data, which may be a sparse matrix."""
    if issparse(X) and isinstance(metric, str) and metric == "euclidean":
        return sparse_points(X, owner=owner)
    xp = namespace_of(X)
    if xp is not None and isinstance(metric, str) and metric == "euclidean":
        return array_points(xp, X, owner=owner, name="X")
    return space_of(X if xp is None else to_numpy(X), metric, owner=owner)


def map_space(embedding, original, *, owner):
    """Return the space of the map; it must show as many points as there are objects.

    It is where the data are.
    """
    shown = _shown(embedding, original, owner)
    if shown.n != original.n:
        raise InputError(
            f"X has {original.n} objects but the embedding has {shown.n} points. "
            "Pass the map of these objects, in the same order.",
            owner=owner,
        )
    return shown


def _shown(embedding, original, owner):
    if isinstance(original, ArrayPoints):
        xp, device = original.xp, original.device
        if namespace_of(embedding) is None:
            embedding = check_matrix(embedding, owner=owner, name="embedding")
        return ArrayPoints(xp, embedding, device=device, owner=owner, name="embedding")
    if namespace_of(embedding) is not None:
        embedding = to_numpy(embedding)
    return Points(check_matrix(embedding, owner=owner, name="embedding"))
