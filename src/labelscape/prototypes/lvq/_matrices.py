"""Starting points of prototypes and matrices, and canonical forms of matrices.

Omega is only determined up to a rotation of the projected space, and up to directions
in which the data do not vary. The reported Omega is the canonical form.
"""

import warnings

import numpy as np
import scipy.linalg

from labelscape._core.checks import ConstantFeatures, constant_words
from labelscape._core.errors import InputError
from labelscape._core.points.distances import squared_norms
from labelscape._core.rows.device import is_processor
from labelscape._core.rows.rows import KMEANS_SAMPLES, Rows

# Number of features above which Omega starts in the span of at most 800 samples.
WIDE, SPAN_SIZE, SAMPLE_SIZE = 1000, 800, 5000


def initial_prototypes(rows, counts, init, rng):
    """Return the initial prototypes (l, N), relative to the center of the rows."""
    if not isinstance(init, str):
        prototypes = np.asarray(init, dtype=np.float64)
        wanted = (int(np.sum(counts)), rows.shape[1])
        if prototypes.shape != wanted:
            raise InputError(
                f"prototype_init must contain {wanted[0]} prototypes of {wanted[1]} "
                f"features, sorted by class; got an array of shape {prototypes.shape}.",
                parameter="prototype_init",
            )
        if not np.isfinite(prototypes).all():
            raise InputError(
                "prototype_init must contain finite numbers only.",
                parameter="prototype_init",
            )
        return prototypes - rows.center
    sizes, labels = rows.class_sizes.tolist(), rows.labels.tolist()
    for label, size, count in zip(labels, sizes, counts, strict=True):
        if size < count:
            warnings.warn(
                f"Class {label!r} has {size} sample{'s' * (size > 1)} but "
                f"prototypes_per_class is {count}, so some of its prototypes will be "
                f"equal. Lower this number, or pass {{{label!r}: {size}, ...}}.",
                stacklevel=4,
            )
    many = 1 < min(counts) == max(counts) < min(sizes)
    # On a processor, compiled loops are faster.
    if init == "kmeans" and many and rows.on_device and not is_processor(rows.device):
        from labelscape.prototypes.lvq._device import kmeans_of_classes

        return kmeans_of_classes(rows, np.array(sizes), int(counts[0]), rng)
    start = {"random": _means_of_thirds, "kmeans": _kmeans_centers}[init]
    classes = enumerate(zip(sizes, counts, strict=True))
    return np.concatenate(
        [start(rows, c, size, count, rng) for c, (size, count) in classes]
    )


def _means_of_thirds(rows, c, size, count, rng):
    """Return means of random thirds of a class, as in the paper."""
    third = max(1, round(size / 3))
    draws = [np.sort(rng.choice(size, third, replace=False)) for _ in range(count)]
    return np.stack([rows.class_mean(c, ranks) for ranks in draws])


def _kmeans_centers(rows, c, size, count, rng):
    """Return the k-means centers of a class; one center is the mean."""
    if count == 1:
        return rows.class_mean(c)[None, :]
    if size <= count:
        return rows.of_class(c, np.arange(size)).centered(np.arange(count) % size)
    step = -(-size // KMEANS_SAMPLES)
    return rows.of_class(c, np.arange(0, size, step)).kmeans(count, rng)


def initial_matrix(rows, M, init, rng):
    """Return the initial Omega (M, N), with norm 1; the paper uses "random"."""
    N = rows.shape[1]
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
                "matrix_init must contain finite numbers, not all of them 0.",
                parameter="matrix_init",
            )
        return normalized(matrix)
    if init == "random":
        return normalized(rng.uniform(-1.0, 1.0, size=(M, N)))
    if init == "identity":
        return normalized(np.eye(M, N))
    if N > WIDE:
        return normalized(_wide_matrix(rows, M, init, rng))
    means, shares, within = rows.scatters()
    if init == "pca":
        return normalized(principal_matrix(within + (means.T * shares) @ means, M))
    return normalized(discriminant_matrix(means, shares, within, M))


def _wide_matrix(rows, M, init, rng):
    """Return the initial Omega for many features, in the span of some samples."""
    sample = rows.every(SAMPLE_SIZE).gathered()
    few = sample.centered(slice(None, None, -(-len(sample) // SPAN_SIZE)))
    values, vectors = np.linalg.eigh(few @ few.T)
    kept = values > 1e-10 * values[-1]
    basis = (few.T @ vectors[:, kept]) / np.sqrt(values[kept])  # (N, m), orthonormal
    rank = basis.shape[1]
    known = sample.labels, sample.codes, sample.weights, sample.shares
    inside = Rows(sample.projected(basis), *known, np.zeros(rank))
    directions = initial_matrix(inside, min(M, rank), init, rng) @ basis.T
    if len(directions) == M:
        return directions
    # If M is larger than the rank, the other rows start from small random numbers.
    more = rng.uniform(-1.0, 1.0, size=(M - len(directions), rows.shape[1]))
    return np.vstack([directions, 1e-3 * np.abs(directions).max() * more])


def principal_matrix(covariance, M):
    """Return the M leading principal directions as rows."""
    _, vectors = scipy.linalg.eigh(covariance)
    return vectors[:, ::-1][:, :M].T


def discriminant_matrix(means, shares, within, M, shrinkage=0.1):
    """Return up to M leading discriminant directions as rows.

    Linear discriminant analysis with a within-class covariance that is shrunk toward
    the identity. C classes have at most C - 1 directions. The remaining rows are
    principal directions of the residual, with the weight of the weakest direction.
    """
    N = within.shape[0]
    between = (means.T * shares) @ means
    available = min(M, len(means) - 1)
    if available == 0 or not between.any():
        return principal_matrix(within + between, M)
    # With one sample per class, the spread within classes is 0.
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
    """Return a matrix with Frobenius norm 1; for a stack, each with norm 1 (eq. 17)."""
    axes = tuple(range(matrix.ndim))[-2:] if matrix.ndim > 1 else (0,)
    return matrix / np.sqrt(np.sum(matrix**2, axis=axes, keepdims=True))


def canonical(Omega, Psi=None):
    """Return the canonical form of Omega (eq. 8), and local matrices rotated with it.

    The rows are ``sqrt(lambda_k) v_k^T``, the eigenpairs of Lambda = Omega^T Omega in
    descending order, with the largest entry of each v_k positive. From the thin SVD
    ``Omega = U S V^T`` the form is ``S V^T``; Lambda (N × N) is never built.
    """
    if not np.isfinite(Omega).all():
        raise InputError(
            "training ended with a matrix that is not finite. With warm_start=True, "
            "fit again with warm_start=False; otherwise, scale the features."
        )
    U, S, VT = np.linalg.svd(Omega, full_matrices=False)
    _settle_equal(U, S, VT)
    largest = np.abs(VT).argmax(axis=1)  # the first of equal ones
    signs = np.where(VT[np.arange(len(VT)), largest] < 0, -1.0, 1.0)
    turned = None if Psi is None else Psi @ (U * signs)
    return (S * signs)[:, None] * VT, turned


def _settle_equal(U, S, VT):
    """Transform rows with equal singular values to echelon form, in place."""
    starts = np.flatnonzero(np.diff(S, prepend=np.inf) < -1e-13 * S[0])
    for start, stop in zip(starts, [*starts[1:], len(S)], strict=True):
        if stop - start < 2:
            continue
        group = slice(start, stop)
        Q = _echelon_turn(VT[group])
        VT[group] = Q.T @ VT[group]
        U[:, group] = U[:, group] @ Q
        S[group] = S[group].mean()


def _echelon_turn(V):
    """Return orthogonal Q such that ``Q^T V`` is in echelon form, for orthonormal rows.

    Gram-Schmidt over the columns of V that are linearly independent. With this
    threshold, enough columns are selected, because the N columns together have norm 1
    in each missing direction.
    """
    k, N = V.shape
    Q = np.empty((k, 0))
    for column in V.T:
        rest = column - Q @ (Q.T @ column)
        size = np.sqrt(rest @ rest)
        if size > 0.5 / np.sqrt(N):
            rest = rest / size
            rest -= Q @ (Q.T @ rest)  # once more, for exact orthogonality
            Q = np.column_stack([Q, rest / np.sqrt(rest @ rest)])
            if Q.shape[1] == k:
                break
    return Q


def constant_features(model, rows):
    """Return a mask of constant features, with a warning."""
    if rows.is_part:
        return np.zeros(rows.shape[1], dtype=bool)
    lowest, highest = rows.ranges
    constant = lowest == highest
    if constant.all():
        raise InputError(
            "all features are constant, so they cannot separate the classes.",
            owner=type(model).__name__,
        )
    if constant.any():
        words = constant_words(constant, getattr(model, "feature_names_in_", None))
        warnings.warn(
            f"{type(model).__name__}: {words}; the relevance of constant features is "
            "reported as 0.",
            ConstantFeatures,
            stacklevel=5,
        )
    return constant


def without_null_space(Omega, rows):
    """Return Omega projected onto the span of the data; training stays in this span."""
    values, vectors = np.linalg.eigh(rows.scatter())
    span = vectors[:, values > 1e-12 * values[-1]]
    return (Omega @ span) @ span.T
