"""The scatter matrices of LFDA over chunks: pairs of chunks in place of a class.

Each object is compared with all of its class, so that the work grows with the square of
their number, as it does in memory; a task sees two chunks, and returns small matrices.
"""

import numpy as np

from labelscape._core.chunks.sums import added_up, computed, shipped, task, tree
from labelscape._core.points.distances import exact_squared_distances, squared_distances
from labelscape._core.points.spaces import first_of_each
from labelscape._core.threads import row_blocks


def scatter_of_chunks(chunks, n_neighbors):
    """Return S_w, S_b (N, N) of `local_scatter`, and the unit of length they are in."""
    n, counts = len(chunks), chunks.counts.sum(axis=0)
    mean = chunks.added(_sum) / n
    size = max(np.abs(end - mean).max() for end in (chunks.low, chunks.high)) or 1.0
    sums, products = chunks.added(_moments, mean, size, len(counts))
    frame = mean, size, sums / counts[:, None]
    G = _affinity_scatters(chunks, frame, n_neighbors)

    shares = (counts / n)[:, None, None]
    S_w = (G / counts[:, None, None]).sum(axis=0)
    own = np.einsum("ci,cj->ij", sums, sums) / n
    S_m = (G / n + (1.0 - shares) * products).sum(axis=0) + own
    total = sums.sum(axis=0)
    return S_w, S_m - np.outer(total, total) / n - S_w, size


def _affinity_scatters(chunks, frame, k):
    """Return ``1/2 sum A_ij (x_i - x_j)(x_i - x_j)^T`` of each class (C, N, N)."""
    out = shipped(frame)
    groups = [task(_by_class, piece, out) for piece in chunks.pieces]
    scales = [
        task(_farthest, tree(_nearest_of, [task(_near, a, b, k) for b in groups]))
        for a in groups
    ]
    pairs = [
        task(_laplacians, a, b, scales[i], scales[j], i == j)
        for i, a in enumerate(groups)
        for j, b in enumerate(groups[: i + 1])
    ]
    return computed([tree(added_up, pairs)])[0]


def _sum(piece):
    return piece.X.sum(axis=0, dtype=np.float64)


def _moments(piece, mean, size, n_classes):
    """Return sums (C, N) and products (C, N, N) of the objects of each class."""
    groups = [(piece.X[piece.classes == c] - mean) / size for c in range(n_classes)]
    return np.array([X.sum(axis=0) for X in groups]), np.array(
        [X.T @ X for X in groups]
    )


def _by_class(piece, frame):
    """Return the objects of each class about its mean, in the unit of all."""
    mean, size, centers = frame
    return [
        (piece.X[piece.classes == c] - mean) / size - center
        for c, center in enumerate(centers)
    ]


def _near(a, b, k):
    """Return k, and the nearest different objects in b of those in a, by class."""
    return k, [_nearest(A, B, k) for A, B in zip(a, b, strict=True)]


def _nearest(A, B, k):
    """Return squared distances (n, k) of A to objects of B, and the hashes of these.

    Without copies; infinite distances fill up the rows.
    """
    B = np.concatenate([B[first_of_each(B)[0]], np.full((k, B.shape[1]), np.inf)])
    hashes = _hashes(B)
    D, H = np.zeros((len(A), k)), np.zeros((len(A), k), dtype=np.uint64)
    for rows in row_blocks(len(A), 3 * 8 * len(B)):
        squares = exact_squared_distances(A[rows], B)
        squares[squares == 0.0] = np.inf  # an object itself, and its copies
        order = np.argsort(squares, axis=1, kind="stable")[:, :k]
        D[rows], H[rows] = np.take_along_axis(squares, order, axis=1), hashes[order]
    return D, H


def _hashes(X):
    """Return a number of each row (n,), the same for equal rows of any chunk."""
    bits = np.ascontiguousarray(X + 0.0).view(np.uint64)  # -0.0 equals 0.0
    odd = np.random.default_rng(0).integers(2**63, size=X.shape[1], dtype=np.uint64)
    return ((bits ^ (bits >> 32)) * (2 * odd + 1)).sum(axis=1)  # modulo 2**64


def _nearest_of(one, other):
    """Return the nearest different objects in two chunks together."""
    (k, ours), (_, theirs) = one, other
    return k, [_joined(*pair, k) for pair in zip(ours, theirs, strict=True)]


def _joined(one, other, k):
    D, H = (np.hstack(side) for side in zip(one, other, strict=True))
    order = np.lexsort((H, D), axis=1)
    D, H = (np.take_along_axis(side, order, axis=1) for side in (D, H))
    D[:, 1:][(D[:, 1:] == D[:, :-1]) & (H[:, 1:] == H[:, :-1])] = np.inf
    order = np.argsort(D, axis=1, kind="stable")[:, :k]
    return tuple(np.take_along_axis(side, order, axis=1) for side in (D, H))


def _farthest(near):
    """Return the distance of each object to the last of its nearest, sigma, by class.

    Zero where all objects of a class are copies.
    """
    _, groups = near
    known = [np.where(np.isfinite(D), D, 0.0) for D, _ in groups]
    return [np.sqrt(D.max(axis=1)) for D in known]


def _laplacians(a, b, of_a, of_b, is_same):
    """Return what pairs of objects of two chunks add to the scatter of each class."""
    groups = zip(a, b, of_a, of_b, strict=True)
    return np.array([_laplacian(*group, is_same) for group in groups])


def _laplacian(A, B, of_a, of_b, is_same):
    """Return ``sum_ij A_ij (x_i - x_j)(x_i - x_j)^T``, of which each pair counts once.

    With affinities W between A and B this is ``A^T diag(W 1) A + B^T diag(W^T 1) B``
    less ``A^T W B`` and its transpose; in one chunk each pair comes twice.
    """
    N = A.shape[1]
    G, of_columns = np.zeros((N, N)), np.zeros(len(B))
    for rows in row_blocks(len(A), 3 * 8 * max(len(B), 1)):
        spread = np.outer(of_a[rows], of_b)
        W = squared_distances(A[rows], B)
        np.divide(W, spread, out=W, where=spread > 0)
        np.exp(-W, out=W)
        W[spread == 0] = 0.0
        cross = A[rows].T @ (W @ B)
        G += (A[rows].T * W.sum(axis=1)) @ A[rows] - cross - cross.T
        of_columns += W.sum(axis=0)
    G += (B.T * of_columns) @ B
    return G / 2.0 if is_same else G
