"""Where training starts: prototypes and matrices (specification A5)."""

import warnings

import numpy as np
import scipy.linalg
from threadpoolctl import threadpool_limits

from labelscape._core.errors import InputError
from labelscape._core.points.distances import squared_norms
from labelscape._core.points.sparse_objects import SparseObjects
from labelscape._core.threads import row_blocks

KMEANS_OBJECTS = 5000

# Beyond so many features a start is found in the span of so many objects.
WIDE, SPAN_OBJECTS, SAMPLE_OBJECTS = 1000, 800, 5000


def initial_prototypes(data, counts, init, labels, rng):
    """Return the first prototypes, relative to the centre of the data.

    Shapes: counts (C,), init (l, N), labels (C,).
    """
    if not isinstance(init, str):
        prototypes = np.asarray(init, dtype=np.float64)
        wanted = (int(np.sum(counts)), data.X.shape[1])
        if prototypes.shape != wanted:
            raise InputError(
                f"prototype_init must hold {wanted[0]} prototypes of {wanted[1]} "
                f"features, sorted by class; got an array of shape {prototypes.shape}.",
                parameter="prototype_init",
            )
        if not np.isfinite(prototypes).all():
            raise InputError(
                "prototype_init must hold finite numbers only.",
                parameter="prototype_init",
            )
        return prototypes - data.center
    sizes = data.class_sizes(len(counts)).tolist()
    for label, size, count in zip(labels.tolist(), sizes, counts, strict=True):
        if size < count:
            warnings.warn(
                f"Class {label!r} has {size} "
                f"object{'s' * (size > 1)} but prototypes_per_class asks for "
                f"{count}: some of its prototypes will coincide. Lower it, or pass "
                f"{{{label!r}: {size}, ...}}.",
                stacklevel=4,
            )
    return data.first_prototypes(init, counts, rng)


def first_prototypes(data, init, counts, rng):
    """Return the prototypes of all classes, relative to the centre of the data."""
    start = {"random": mean_of_third, "kmeans": kmeans_centers}[init]
    rows = [np.flatnonzero(data.classes == c) for c in range(len(counts))]
    return np.concatenate(
        [
            start(data, members, count, rng)
            for members, count in zip(rows, counts, strict=True)
        ]
    )


def mean_of_third(data, rows, count, rng):
    """Return means of random thirds of a class, a fresh draw for each prototype.

    The paper's start.
    """
    return np.stack([_mean(data, draw) for draw in thirds(rows, count, rng)])


def thirds(rows, count, rng):
    """Return sorted random thirds of some rows, or of so many."""
    n = rows if np.ndim(rows) == 0 else len(rows)
    size = max(1, round(n / 3))
    return [np.sort(rng.choice(rows, size=size, replace=False)) for _ in range(count)]


def kmeans_centers(data, rows, count, rng):
    """Return the centres of k-means inside a class; its mean for one prototype."""
    if count == 1:
        return _mean(data, rows)[None, :]
    if len(rows) <= count:
        return _complete(data, rows[np.arange(count) % len(rows)])
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    # Enough objects to find a start: k-means would copy all of a large class.
    rows = rows[:: -(-len(rows) // KMEANS_OBJECTS)]
    with warnings.catch_warnings():
        # Fewer distinct objects than prototypes: some prototypes coincide, which the
        # tie rule settles.
        warnings.simplefilter("ignore", ConvergenceWarning)
        with threadpool_limits(1):  # its sums depend on the number of threads
            search = KMeans(count, n_init=1, random_state=rng)
            if isinstance(data.X, SparseObjects):  # centred, it would be dense
                part, weights = data.X.part(rows), data.weights[rows]
                search.fit(part.astype(np.float64), sample_weight=weights)
                return search.cluster_centers_ - data.center
            search.fit(_complete(data, rows), sample_weight=data.weights[rows])
    return search.cluster_centers_


def _mean(data, rows):
    """Return the weighted mean of some objects, relative to the centre."""
    total = np.zeros(data.X.shape[1])
    for block in row_blocks(len(rows), 8 * data.X.shape[1]):
        total += data.weights[rows[block]] @ _complete(data, rows[block])
    return total / data.weights[rows].sum()


def _complete(data, rows):
    """Return centred objects, with missing values replaced by the feature's mean."""
    return np.nan_to_num(data.X[rows].astype(np.float64) - data.center, nan=0.0)


def weighted_moments(X, weights):
    """Return mean and variance of each feature, without a centred copy of X."""
    shares = weights / weights.sum()
    mean = shares @ X
    variance = np.zeros(X.shape[1])
    for rows in row_blocks(len(X), 8 * X.shape[1]):
        variance += shares[rows] @ (X[rows] - mean) ** 2
    return mean, variance


def class_scatters(data, n_classes):
    """Return class means, class shares and the within-class covariance.

    Adds up X^T X block by block, so that no centred copy of the objects is made.
    """
    N = data.X.shape[1]
    means, shares = np.zeros((n_classes, N)), np.zeros(n_classes)
    within = np.zeros((N, N))
    for c in range(n_classes):
        rows = np.flatnonzero(data.classes == c)
        shares[c] = data.weights[rows].sum()
        for block in row_blocks(len(rows), 8 * N):
            Xc, weights = _complete(data, rows[block]), data.weights[rows[block]]
            means[c] += weights @ Xc
            within += (Xc.T * weights) @ Xc
        if shares[c] == 0.0:  # a class that does not occur in this chunk of a stream
            continue
        means[c] /= shares[c]
        within -= shares[c] * np.outer(means[c], means[c])
    return means, shares, within


def initial_matrix(data, M, init, n_classes, rng):
    """Return the first Omega (M, N), of Frobenius norm 1.

    ``init``: "random" is independent uniform numbers in [-1, 1], the paper's start.
    """
    N = data.X.shape[1]
    if not isinstance(init, str):
        matrix = np.array(init, dtype=np.float64)
        if matrix.shape != (M, N):
            raise InputError(
                f"matrix_init must have shape ({M}, {N}), n_components × n_features; "
                f"got an array of shape {matrix.shape}.",
                parameter="matrix_init",
            )
        if not (np.isfinite(matrix).all() and matrix.any()):
            raise InputError(
                "matrix_init must hold finite numbers, not all of them 0.",
                parameter="matrix_init",
            )
        return normalized(matrix)
    if init == "random":
        return normalized(rng.uniform(-1.0, 1.0, size=(M, N)))
    if init == "identity":
        return normalized(np.eye(M, N))
    if N > WIDE:
        return normalized(_wide_matrix(data, M, init, n_classes, rng))
    means, shares, within = data.scatters(n_classes)
    if init == "pca":
        return normalized(principal_matrix(within + (means.T * shares) @ means, M))
    return normalized(discriminant_matrix(means, shares, within, M))


def _wide_matrix(data, M, init, n_classes, rng):
    """Return the same for many features, found in the span of some of the objects.

    Covariances of N features have N² entries; those of the span of m objects m².
    """
    sample = data.every(SAMPLE_OBJECTS).gathered()
    is_sparse = isinstance(data.X, SparseObjects)
    if is_sparse:
        few = sample.X[:: -(-len(sample.X) // SPAN_OBJECTS)] - data.center
    else:
        X = _complete(sample, np.arange(len(sample.X)))
        few = X[:: -(-len(X) // SPAN_OBJECTS)]
    values, vectors = np.linalg.eigh(few @ few.T)
    kept = values > 1e-10 * values[-1]
    basis = (few.T @ vectors[:, kept]) / np.sqrt(values[kept])  # (N, m), orthonormal
    rank = basis.shape[1]
    inside = sample._replace(
        X=sample.X.matrix @ basis - data.center @ basis if is_sparse else X @ basis,
        center=np.zeros(rank),
        patterns=None,
    )
    rows = initial_matrix(inside, min(M, rank), init, n_classes, rng) @ basis.T
    if len(rows) == M:
        return rows
    # More rows than the span has directions: the rest learn from small random numbers.
    more = rng.uniform(-1.0, 1.0, size=(M - len(rows), data.X.shape[1]))
    return np.vstack([rows, 1e-3 * np.abs(rows).max() * more])


def principal_matrix(covariance, M):
    """Return the M leading principal directions as rows."""
    _, vectors = scipy.linalg.eigh(covariance)
    return vectors[:, ::-1][:, :M].T


def discriminant_matrix(means, shares, within, M, shrinkage=0.1):
    """Return the leading discriminant directions as rows, up to M of them.

    Linear discriminant analysis with a within-class covariance that is drawn towards
    the identity. It has at most C - 1 directions; the remaining rows are the principal
    directions of what they leave, at the weight of the weakest.
    """
    N = within.shape[0]
    between = (means.T * shares) @ means
    available = min(M, len(means) - 1)
    if available == 0 or not between.any():
        return principal_matrix(within + between, M)
    # With one object per class there is no spread within classes to speak of.
    spread = max(np.trace(within), 1e-6 * np.trace(between)) / N
    softened = within + shrinkage * spread * np.eye(N)
    _, vectors = scipy.linalg.eigh(between, softened)
    rows = vectors[:, ::-1][:, :available].T
    if available == M:
        return rows
    basis = np.linalg.qr(rows.T)[0]
    rest = np.eye(N) - basis @ basis.T
    more = principal_matrix(rest @ (within + between) @ rest, M - available)
    return np.vstack([rows, more * np.sqrt(squared_norms(rows).min())])


def normalized(matrix):
    """Return a matrix of Frobenius norm 1, or of norm 1 each for a stack (eq. 17)."""
    axes = tuple(range(matrix.ndim))[-2:] if matrix.ndim > 1 else (0,)
    return matrix / np.sqrt(np.sum(matrix**2, axis=axes, keepdims=True))
