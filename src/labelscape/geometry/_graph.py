"""Shorter than straight: paths from neighbour to neighbour (spec section 3)."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

# A zero is no edge to a sparse graph; duplicates are joined by this.
SHORTEST = 1e-300


def shortest_paths(lists, n_nodes, sources):
    """Return the lengths (s, n_nodes) of shortest paths in a graph of neighbours."""
    i = np.concatenate(
        [np.repeat(first + np.arange(len(d)), d.shape[1]) for first, d, _ in lists]
    )
    j = np.concatenate([indices.ravel() for _, _, indices in lists])
    lengths = np.concatenate([d.ravel() for _, d, _ in lists]).astype(np.float64)
    # Two nodes may be neighbours of each other: one edge, listed once.
    low, high = np.minimum(i, j), np.maximum(i, j)
    edges = low * n_nodes + high
    _, first = np.unique(edges, return_index=True)
    weights = np.maximum(lengths[first], SHORTEST)
    shape = (n_nodes, n_nodes)
    graph = coo_array((weights, (low[first], high[first])), shape=shape).tocsr()
    starts = np.arange(n_nodes)[sources]
    return dijkstra(graph, directed=False, indices=starts)


def shortened(D, A, B, fitted, joined):
    """Return the smaller of the distances D (n, m) and of path lengths from A to B."""
    lists = [(0, *joined(fitted))]
    first, n_nodes = {id(fitted): 0}, len(fitted.X)
    for points in (A, B):
        if id(points) not in first:
            first[id(points)] = n_nodes
            lists.append((n_nodes, *joined(points)))
            n_nodes += len(points.X)
    sources = slice(first[id(A)], first[id(A)] + len(A.X))
    paths = shortest_paths(lists, n_nodes, sources)
    targets = slice(first[id(B)], first[id(B)] + len(B.X))
    shorter = np.minimum(D, paths[:, targets]).astype(D.dtype)
    # Forth and back, a path is added up in another order.
    return np.minimum(shorter, shorter.T) if A is B else shorter
