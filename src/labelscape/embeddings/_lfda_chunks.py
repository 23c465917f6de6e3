"""The scatter matrices of LFDA for Dask arrays, from pairs of chunks."""

import numpy as np

from labelscape._core.points.distances import exact_squared_distances, squared_distances
from labelscape._core.points.spaces import first_of_each
from labelscape._core.rows.chunks import added_up, computed, shipped, task, tree
from labelscape._core.threads import row_blocks


def scatter_of_chunks(rows, n_neighbors):
    """Return S_w and S_b (N, N) of scaled samples in chunks, and their scale."""
    n, counts = len(rows), rows.class_sizes
    mean = rows.added(_sum) / n
    size = max(np.abs(end - mean).max() for end in rows.ranges) or 1.0
    sums, products = rows.added(_moments, mean, size, len(counts))
    frame = mean, size, sums / counts[:, None]
    G = _affinity_scatters(rows, frame, n_neighbors)

    shares = (counts / n)[:, None, None]
    S_w = (G / counts[:, None, None]).sum(axis=0)
    own = np.einsum("ci,cj->ij", sums, sums) / n
    S_m = (G / n + (1.0 - shares) * products).sum(axis=0) + own
    total = sums.sum(axis=0)
    return S_w, S_m - np.outer(total, total) / n - S_w, size


def _affinity_scatters(rows, frame, k):
    """Return ``1/2 sum A_ij (x_i - x_j)(x_i - x_j)^T`` of each class (C, N, N)."""
    out = shipped(frame)
    groups = [task(_by_class, piece, out) for piece in rows.pieces]
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
    """Return the sum (C, N) and X^T X (C, N, N) of the samples of each class."""
    groups = [(piece.X[piece.codes == c] - mean) / size for c in range(n_classes)]
    sums, products = [X.sum(axis=0) for X in groups], [X.T @ X for X in groups]
    return np.array(sums), np.array(products)


def _by_class(piece, frame):
    """Return the scaled samples of each class, minus the class mean."""
    mean, size, centers = frame
    return [
        (piece.X[piece.codes == c] - mean) / size - center
        for c, center in enumerate(centers)
    ]


def _near(a, b, k):
    """Find for each class the nearest neighbors in chunk b of samples in chunk a."""
    return [_nearest(A, B, k) for A, B in zip(a, b, strict=True)]


def _nearest(A, B, k):
    """Return squared distances (n, k) to the k nearest rows of B, and their hashes."""
    B = np.concatenate([B[first_of_each(B)[0]], np.full((k, B.shape[1]), np.inf)])
    hashes = _hashes(B)
    D, H = np.zeros((len(A), k)), np.zeros((len(A), k), dtype=np.uint64)
    for rows in row_blocks(len(A), 3 * 8 * len(B)):
        squares = exact_squared_distances(A[rows], B)
        squares[squares == 0.0] = np.inf  # a sample itself, and its copies
        order = np.argsort(squares, axis=1, kind="stable")[:, :k]
        D[rows], H[rows] = np.take_along_axis(squares, order, axis=1), hashes[order]
    return D, H


def _hashes(X):
    """Return a hash of each row (n,); equal rows have equal hashes in all chunks."""
    bits = np.ascontiguousarray(X + 0.0).view(np.uint64)  # -0.0 becomes 0.0
    odd = np.random.default_rng(0).integers(2**63, size=X.shape[1], dtype=np.uint64)
    return ((bits ^ (bits >> 32)) * (2 * odd + 1)).sum(axis=1)  # modulo 2**64


def _nearest_of(one, other):
    """Merge the nearest samples found in two chunks."""
    return [_joined(*pair) for pair in zip(one, other, strict=True)]


def _joined(one, other):
    k = one[0].shape[1]
    D, H = (np.hstack(side) for side in zip(one, other, strict=True))
    order = np.lexsort((H, D), axis=1)
    D, H = (np.take_along_axis(side, order, axis=1) for side in (D, H))
    D[:, 1:][(D[:, 1:] == D[:, :-1]) & (H[:, 1:] == H[:, :-1])] = np.inf
    order = np.argsort(D, axis=1, kind="stable")[:, :k]
    return tuple(np.take_along_axis(side, order, axis=1) for side in (D, H))


def _farthest(groups):
    """Return sigma for each class: the distances to the k-th nearest sample, or 0."""
    known = [np.where(np.isfinite(D), D, 0.0) for D, _ in groups]
    return [np.sqrt(D.max(axis=1)) for D in known]


def _laplacians(a, b, of_a, of_b, is_same):
    """Return the part of each class's scatter that comes from pairs in two chunks."""
    groups = zip(a, b, of_a, of_b, strict=True)
    return np.array([_laplacian(*group, is_same) for group in groups])


def _laplacian(A, B, of_a, of_b, is_same):
    """Return ``sum A_ij (x_i - x_j)(x_i - x_j)^T`` over pairs, each counted once."""
    # With affinities W, this is A^T diag(W 1) A + B^T diag(W^T 1) B minus A^T W B and
    # its transpose; within one chunk, each pair occurs twice.
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
