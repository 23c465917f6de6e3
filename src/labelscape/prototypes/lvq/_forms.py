"""The distances of the LVQ family, each with the gradients that training needs.

A model of the family is a set of prototypes and a form (see `PrototypeMetric`). A
form contains no data. The form projects samples to the space in which distances are
Euclidean (``project``), and transforms gradients back from this space.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from labelscape.prototypes._distances import Kind

# Products with larger matrices are left to BLAS.
SMALL = 512


class Variables(NamedTuple):
    """The numbers that training changes, sorted by class, or their gradients."""

    W: np.ndarray  # (l, N) prototypes, relative to the center of the data
    Omega: np.ndarray | None = None  # (M, N) matrix, (N,) diagonal or None
    Psi: np.ndarray | None = None  # (g, M, S) local matrices or None

    def packed(self):
        """Return all numbers as one vector."""
        return np.concatenate([part.ravel() for part in self if part is not None])

    def unpacked(self, vector):
        """Return variables of this shape from one vector."""
        at = 0

        def taken(part):
            nonlocal at
            if part is None:
                return None
            at += part.size
            return vector[at - part.size : at].reshape(part.shape)

        return Variables._make(map(taken, self))

    def metric_size(self):
        """Return the squared norm of the metric, by which it amplifies noise."""
        # Local matrices in a shared space are replaced by their initial value I /
        # sqrt(M), so that the size depends on Omega only.
        if self.Omega is None:
            return 1.0 if self.Psi is not None else float(self.W.shape[1])
        squared = float(np.sum(self.Omega**2))
        return squared if self.Psi is None else squared / len(self.Omega)

    def copied(self):
        """Return a copy that shares no memory with these variables."""
        return Variables._make(None if part is None else part.copy() for part in self)


@dataclass(frozen=True, eq=False)
class Layout:
    """The class and the local matrix of each prototype."""

    # (C + 1,) prototypes of class c are ``first[c]`` to ``first[c + 1]``.
    first: np.ndarray
    group: np.ndarray  # (l,) index of each prototype's local matrix

    @cached_property
    def classes(self):
        """Class index of each prototype."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))


class Slopes(NamedTuple):
    """Cost of a block of samples, and its gradients in the projected space."""

    # Weighted sums, see `_batch_kernels`.
    cost: float
    correct: float
    blur: float
    A: np.ndarray  # (b, M) gradients with respect to each projected sample
    E: np.ndarray  # (l, M) gradients summed over the samples nearest to each prototype
    Psi: np.ndarray | None  # gradient with respect to the local matrices or None


class Sums(NamedTuple):
    """The sums over samples that determine the cost and its gradient."""

    cost: float
    correct: float
    blur: float
    E: np.ndarray
    of_samples: np.ndarray | None
    Psi: np.ndarray | None


class Plain:
    """``|x - w|^2``: the Euclidean distance; only prototypes are learned."""

    kind: Kind = "euclidean"
    # Whether samples occur only in products, so that they may remain sparse.
    takes_sparse = False
    # The function that trains for one epoch, in `_sgd_kernels`.
    epoch_kernel = "epoch_diagonal"

    def project(self, X, center, Omega):
        """Return the samples in the space where distances are Euclidean."""
        return X - center

    def project_prototypes(self, variables):
        """Return the prototypes in the same space; they are already centered."""
        return variables.W

    def pull_back(self, E, variables):
        """Return dE/dW from the summed gradients E in the projected space."""
        return -2.0 * E

    def of_samples(self, A, X, center):
        """Return a block's term of dE/dOmega; None, because there is no Omega."""
        return

    def matrix_slope(self, of_samples, E, W):
        """Return dE/dOmega from the term of the samples and the gradients E."""
        return

    def distances(self, X, center, variables, layout):
        """Return the squared distances of samples to all prototypes, (b, l)."""
        from labelscape.prototypes.lvq._batch_kernels import distances_of_projections

        Y = np.ascontiguousarray(self.project(X, center, variables.Omega))
        PT = _columns(self.project_prototypes(variables), Y.dtype)
        D = np.empty((len(Y), PT.shape[1]), dtype=Y.dtype)
        distances_of_projections(Y, PT, D)
        return D

    def slopes(self, X, center, variables, layout, classes, weights, terms):
        """Return cost and gradients of a block of samples."""
        from labelscape.prototypes.lvq._batch_kernels import cost_of_samples

        Y = np.ascontiguousarray(self.project(X, center, variables.Omega))
        P = self.project_prototypes(variables)
        A, E, nothing = np.empty_like(Y), np.zeros(P.shape), np.empty((P.shape[1], 0))
        model = np.zeros(P.shape[1], Y.dtype), nothing, _columns(P, np.float64)
        samples = classes, layout.classes, weights
        cost, correct, blur = cost_of_samples(
            Y, *model, *samples, *terms, A, E, nothing
        )
        return Slopes(cost, correct, blur, A, E, None)

    def is_small(self, variables):
        """Return whether compiled loops, rather than BLAS, project the samples."""
        return False

    def sums(self, X, center, *model):
        """Return the `Sums` of a block of samples; ``model`` as in `slopes`."""
        found = self.slopes(X, center, *model)
        of_samples = self.of_samples(found.A, X, center)
        sums = found.cost, found.correct, found.blur
        return Sums(*sums, found.E, of_samples, found.Psi)

    def gradient(self, sums, variables):
        """Return dE/dW, dE/dOmega and dE/dPsi from the sums over all samples."""
        E, of_samples, Psi = sums[3:]
        matrix = self.matrix_slope(of_samples, E, variables.W)
        return Variables(self.pull_back(E, variables), matrix, Psi)

    def epoch(self, samples, variables, layout, settings, rates):
        """Run an epoch of online training; return W^T and the norm of the matrix."""
        from labelscape.prototypes.lvq import _sgd_kernels

        WT = _columns(variables.W, np.float64)
        matrices = [part for part in variables[1:] if part is not None]
        if not matrices:  # GLVQ: all features have equal weight
            matrices, rates = [np.ones(len(WT))], rates._replace(matrices=0.0)
        train = getattr(_sgd_kernels, self.epoch_kernel)
        how = ((layout.first, layout.group), tuple(rates), settings.online(variables))
        return WT, train(samples, WT, *matrices, *how)


class Diagonal(Plain):
    """``sum_j omega_j^2 (x_j - w_j)^2``: one relevance per feature."""

    kind: Kind = "diagonal"

    def project(self, X, center, Omega):
        """Return the weighted features."""
        return (X - center) * Omega.astype(X.dtype)

    def project_prototypes(self, variables):
        """Return the prototypes' weighted features."""
        return variables.W * variables.Omega

    def pull_back(self, E, variables):
        """Return dE/dW: ``-2 E omega``."""
        return -2.0 * E * variables.Omega

    def of_samples(self, A, X, center):
        """Return ``sum_i A_ij x_ij``, where x is relative to the center."""
        return np.einsum("ij,ij->j", A, X - center, dtype=np.float64)

    def matrix_slope(self, of_samples, E, W):
        """Return dE/domega: ``2 (sum_i A_ij x_ij - sum_l E_lj w_lj)``."""
        return 2.0 * (of_samples - np.einsum("lj,lj->j", E, W))


class Matrix(Plain):
    """``|Omega (x - w)|^2``: the matrix learns the relevant directions."""

    kind: Kind = "matrix"
    takes_sparse = True
    epoch_kernel = "epoch_matrix"

    def project(self, X, center, Omega):
        """Return ``Omega (x - center)``, without a centered copy of the samples."""
        Omega = Omega.astype(X.dtype, copy=False)
        return X @ Omega.T - Omega @ center

    def project_prototypes(self, variables):
        """Return ``Omega w``."""
        return variables.W @ variables.Omega.T

    def pull_back(self, E, variables):
        """Return dE/dW: ``-2 E Omega`` (eq. 10 summed over the samples)."""
        return -2.0 * E @ variables.Omega

    def is_small(self, variables):
        """Return whether compiled loops, rather than BLAS, project the samples."""
        return variables.Psi is None and variables.Omega.size <= SMALL

    def sums(self, X, center, variables, layout, classes, weights, terms):
        """Return the `Sums` of a block of samples; in one pass if the matrix is small.

        One pass needs no temporary arrays, and does not hold the interpreter lock.
        """
        if not self.is_small(variables) or hasattr(X, "tocsr"):
            given = variables, layout, classes, weights, terms
            return super().sums(X, center, *given)
        from labelscape.prototypes.lvq._batch_kernels import cost_of_samples

        P, Omega = self.project_prototypes(variables), variables.Omega
        A = np.empty((0, len(Omega)), X.dtype)
        E, S = np.zeros(P.shape), np.zeros(Omega.shape)
        model = center, _columns(Omega, np.float64), _columns(P, np.float64)
        samples = classes, layout.classes, weights
        X = np.ascontiguousarray(X)
        cost, correct, blur = cost_of_samples(X, *model, *samples, *terms, A, E, S)
        return Sums(cost, correct, blur, E, S, None)

    def of_samples(self, A, X, center):
        """Return ``A^T X``, where X is relative to the center."""
        # The center is subtracted at the end, which avoids a centered copy.
        return A.T @ X - np.outer(A.sum(axis=0), center)

    def matrix_slope(self, of_samples, E, W):
        """Return dE/dOmega: ``2 (A^T X - E^T W)`` (eq. 15 summed over the samples)."""
        return 2.0 * (of_samples - E.T @ W)


class Local(Plain):
    """``|Psi_L (x - w_L)|^2``: every prototype or class has its own matrix."""

    kind: Kind = "local"
    epoch_kernel = "epoch_local"

    def _stages(self, X, center, variables, layout):
        """Return samples and prototypes before and after the local matrices."""
        Y = np.ascontiguousarray(self.project(X, center, variables.Omega))
        P = self.project_prototypes(variables)
        F = np.matmul(Y, variables.Psi.astype(Y.dtype, copy=False).transpose(0, 2, 1))
        Q = np.einsum("lms,ls->lm", variables.Psi[layout.group], P)
        return Y, F, P, _columns(Q, Y.dtype)

    def distances(self, X, center, variables, layout):
        """Return the squared distances of samples to all prototypes, (b, l)."""
        from labelscape.prototypes.lvq._batch_kernels import (
            distances_of_local_projections,
        )

        Y, F, _, QT = self._stages(X, center, variables, layout)
        D = np.empty((len(Y), QT.shape[1]), dtype=Y.dtype)
        distances_of_local_projections(F, QT, layout.group, D)
        return D

    def slopes(self, X, center, variables, layout, classes, weights, terms):
        """Return cost and gradients of a block of samples."""
        from labelscape.prototypes.lvq._batch_kernels import cost_of_local_projections

        Y, F, P, QT = self._stages(X, center, variables, layout)
        A = np.empty_like(Y)
        E, G = np.zeros(P.shape), np.zeros(variables.Psi.shape)
        images = (Y, F, P.astype(Y.dtype, copy=False), QT, variables.Psi, layout.group)
        samples = (classes, layout.first, weights)
        cost, correct, blur = cost_of_local_projections(
            *images, *samples, *terms, A, E, G
        )
        return Slopes(cost, correct, blur, A, E, G)


class SharedLocal(Local, Matrix):
    """``|Psi_L Omega (x - w_L)|^2``: local metrics in one common plane."""

    epoch_kernel = "epoch_shared_local"


def _columns(P, dtype):
    """Return prototypes transposed, contiguous along the prototypes."""
    return np.ascontiguousarray(P.T, dtype=dtype)
