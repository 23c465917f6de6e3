"""The two spaces that a measure compares: the data, and the map."""

from scipy.sparse import issparse

from labelscape._core.errors import InputError
from labelscape._core.points.spaces import Points, check_matrix, space_of
from labelscape._core.points.sparse_points import sparse_points


def both_spaces(X, embedding, metric, *, owner):
    """Return original space and map."""
    original = data_space(X, metric, owner=owner)
    return original, map_space(embedding, original.n, owner=owner)


def data_space(X, metric, *, owner):
    """Return the space of the data, which may be a sparse matrix."""
    if issparse(X) and isinstance(metric, str) and metric == "euclidean":
        return sparse_points(X, owner=owner)
    return space_of(X, metric, owner=owner)


def map_space(embedding, n, *, owner):
    """Return the space of the map; it must show as many points as there are objects."""
    Y = check_matrix(embedding, owner=owner, name="embedding")
    if len(Y) != n:
        raise InputError(
            f"X has {n} objects but the embedding has {len(Y)} points. "
            "Pass the map of these objects, in the same order.",
            owner=owner,
        )
    return Points(Y)
