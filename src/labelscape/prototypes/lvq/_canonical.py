"""What is reported of a learned matrix: one form out of many that mean the same.

Omega is only determined up to a rotation of the projected space, and up to whatever it
does to directions in which the data do not vary.
"""

import warnings

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.features import ConstantFeatures, constant_words
from labelscape._core.points.array_objects import ArrayObjects
from labelscape._core.points.sparse_objects import range_of_features
from labelscape._core.threads import row_blocks


def canonical(Omega, Psi=None):
    """Return the canonical form of Omega (eq. 8), and local matrices turned with it.

    The rows are ``sqrt(lambda_k) v_k^T``, the eigenpairs of Lambda = Omega^T Omega in
    descending order, with the largest entry of each v_k positive. From the thin SVD
    ``Omega = U S V^T`` the form is ``S V^T``; Lambda (N × N) is never built.
    """
    if not np.isfinite(Omega).all():
        raise InputError(
            "training ended with a matrix that is not finite. If it began where an "
            "earlier fit had ended, fit anew; else put the features on one scale."
        )
    U, S, VT = np.linalg.svd(Omega, full_matrices=False)
    _settle_equal(U, S, VT)
    signs = signs_of_rows(VT)
    turned = None if Psi is None else Psi @ (U * signs)
    return (S * signs)[:, None] * VT, turned


def _settle_equal(U, S, VT):
    """Choose one basis where singular values are equal, in place.

    Their rows are only determined up to a rotation: take the one that brings them to
    echelon form. The tolerance is that of the SVD, so that distances stay the same.
    """
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

    Gram-Schmidt over the columns of V, leaving out those that add nothing new. With
    this threshold enough are left: while a direction lacks, what all N columns have of
    it adds up to 1.
    """
    k, N = V.shape
    Q = np.empty((k, 0))
    for column in V.T:
        rest = column - Q @ (Q.T @ column)
        size = np.sqrt(rest @ rest)
        if size > 0.5 / np.sqrt(N):
            rest = rest / size
            rest -= Q @ (Q.T @ rest)  # once more, for orthogonality to the last digit
            Q = np.column_stack([Q, rest / np.sqrt(rest @ rest)])
            if Q.shape[1] == k:
                break
    return Q


def signs_of_rows(V):
    """Return for each row the sign of its entry of largest magnitude (lowest index)."""
    largest = np.abs(V).argmax(axis=1)
    return np.where(V[np.arange(len(V)), largest] < 0, -1.0, 1.0)


def constant_features(model, data):
    """Return which features do not vary, with a warning: nothing speaks for them."""
    if data.is_chunk:
        return np.zeros(data.X.shape[1], dtype=bool)
    lowest, highest = range_of_features(data.X)
    constant = lowest == highest
    if constant.all():
        raise InputError(
            "no feature varies, so there is nothing to tell the classes apart by.",
            owner=type(model).__name__,
        )
    if constant.any():
        words = constant_words(constant, getattr(model, "feature_names_in_", None))
        warnings.warn(
            f"{type(model).__name__}: {words}; there the relevance is reported as 0.",
            ConstantFeatures,
            stacklevel=5,
        )
    return constant


def without_null_space(Omega, data):
    """Return Omega with its rows projected onto the span of the centred data.

    What it does outside of that span was never trained: it is left over from the start.
    """
    values, vectors = np.linalg.eigh(data.added(_scatter))
    span = vectors[:, values > 1e-12 * values[-1]]
    return (Omega @ span) @ span.T


def _scatter(data):
    if isinstance(data.X, ArrayObjects):
        return data.X.scatter(data.center)
    N = data.X.shape[1]
    scatter = np.zeros((N, N))
    for rows in row_blocks(len(data.X), 8 * N):
        centered = np.nan_to_num(data.X[rows].astype(np.float64) - data.center)
        scatter += centered.T @ centered
    return scatter
