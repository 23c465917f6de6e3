r"""Distances, cost and gradient with functions of the array API standard, for GPUs.

The sums are those of `_batch_kernels`, in another order. Tables with one row per
prototype and one column per sample replace loops over samples:

- The nearest prototypes are found by :math:`|w|^2 - 2 w^T y`, one product; d itself is
  then computed from differences.
- The table R contains the slope :math:`g_J` for the nearest prototype of the own class,
  :math:`g_K` for the nearest of the others, and 0 elsewhere. All gradients are products
  with R.

With local matrices :math:`\Psi`, each sample has an image for each matrix: F contains a
row for each row of each matrix.
"""

from typing import Any, NamedTuple

import numpy as np

from labelscape._core.rows.device import (
    ArrayPlace,
    contracted,
    device_of,
    has_kernels,
    table_bytes,
)
from labelscape._core.rows.kinds import namespace_of, to_numpy
from labelscape._core.rows.rows import KMEANS_SAMPLES
from labelscape._core.threads import row_blocks
from labelscape.prototypes.lvq._forms import Variables

# Kernels for larger models would take long to compile.
MOST_OMEGA, MOST_W = (4, 16), 64


class Model(NamedTuple):
    """The arrays of a model, on a device."""

    # In the space of projected samples.
    center: Any
    Omega: Any
    # (l, S) and (l, M) prototypes before and after the local matrices; equal without
    # them.
    P: Any
    Q: Any
    # (l, S + 1) factors of a sample (y, 1), whose products determine the winners.
    search: Any
    Psi: Any  # (g M, S) local matrices stacked, or None
    # (l, S) the prototypes multiplied by the transposed matrices, or None.
    pulled: Any
    # (l, 1) class, local matrix and index of each prototype.
    owner: Any
    group: Any
    index: Any

    @property
    def n_matrices(self):
        """Number of local matrices."""
        return self.Psi.shape[0] // self.Q.shape[1]


def on_device(array, form, center, layout, variables):
    """Return a model of NumPy arrays on the device of an array of samples."""
    frame = ArrayPlace.of(array)
    P = form.project_prototypes(variables)
    Q, pulled, Psi = P, P, variables.Psi
    if Psi is not None:
        Q = np.einsum("lms,ls->lm", Psi[layout.group], P)
        pulled = np.einsum("lms,lm->ls", Psi[layout.group], Q)
    search = np.column_stack([-2.0 * pulled, np.einsum("lm,lm->l", Q, Q)])

    floats = frame.array

    def whole(values):
        column = np.asarray(values, dtype=np.int64)[:, None]
        return frame.xp.asarray(column, device=frame.device)

    return Model(
        floats(center),
        None if variables.Omega is None else floats(variables.Omega),
        floats(P),
        floats(Q),
        floats(search),
        None if Psi is None else floats(Psi.reshape(-1, Psi.shape[2])),
        None if Psi is None else floats(pulled),
        whole(layout.classes),
        whole(layout.group),
        whole(np.arange(len(P))),
    )


def projected(model, X):
    """Return samples in the space where distances are Euclidean, as in `_forms`."""
    if model.Omega is None:
        return X - model.center
    if model.Omega.ndim == 1:
        return (X - model.center) * model.Omega
    return X @ model.Omega.T - model.Omega @ model.center


def compared(xp, model, Y):
    """Return a table (l, b) for samples Y (b, S), smallest for the nearest prototype.

    Also return (y, 1) and, with local matrices, the images F (g, M, b) of the samples.
    Without local matrices, the table omits the squared length of y.
    """
    ones = xp.ones((Y.shape[0], 1), dtype=Y.dtype, device=device_of(Y))
    extended = xp.concat([Y, ones], axis=1)
    table = model.search @ extended.T
    if model.Psi is None:
        return table, extended, None
    F = xp.reshape(model.Psi @ Y.T, (model.n_matrices, model.Q.shape[1], Y.shape[0]))
    table += xp.take(xp.sum(F * F, axis=1), model.group[:, 0], axis=0)
    return table, extended, F


def device_distances(form, X, center, variables, layout):
    """Return the squared distances (b, l) of samples to all prototypes."""
    xp = namespace_of(X)
    model = on_device(X, form, center, layout, variables)
    Y = projected(model, X)
    table, _, F = compared(xp, model, Y)
    if F is None:
        table += xp.sum(Y * Y, axis=1)
    return xp.where(table > 0.0, table, xp.zeros_like(table)).T


def device_slopes(rows, form, layout, variables, terms):
    """Compute `summed_slopes` for `DeviceRows`."""
    if _has_kernel(rows.X, variables):
        from labelscape.prototypes.lvq._fused import fused_sums

        P = form.project_prototypes(variables)
        sums = fused_sums(rows, P, layout, variables, terms)
        return _assembled(sums, rows.center, form, layout, variables)
    xp = rows.xp
    model = on_device(rows.X, form, rows.center, layout, variables)
    terms = type(terms)(*map(float, terms))  # Python floats work with any array type

    def block(which):
        parts = _block(
            xp, model, rows.X[which, :], rows.codes[which], rows.shares[which], terms
        )
        return xp.concat([xp.reshape(part, (-1,)) for part in parts])

    widest = max(variables.W.shape)  # number of values per sample in the largest table
    if variables.Psi is not None:
        widest = max(widest, variables.Psi.shape[0] * variables.Psi.shape[1])
    sums = rows.summed(block, rows.dtype.itemsize * widest)
    return _assembled(sums, rows.center, form, layout, variables)


def _has_kernel(X, variables):
    """Return whether the Triton kernel can be used: on a GPU, for small matrices."""
    W, Omega, Psi = variables
    is_small = Psi is None and np.ndim(Omega) == 2 and len(W) <= MOST_W
    is_small = is_small and bool((np.array(Omega.shape) <= MOST_OMEGA).all())
    return is_small and has_kernels(X)


def _block(xp, model, X, classes, shares, terms):
    """Return the sums over a block that determine cost and gradient.

    cost, correct and blur (3,); R (y, 1) (l, S + 1); A^T X (M, N) or, for a diagonal,
    the sums of A (x - center) (N,), if there is an Omega; and R_g F (y, 1) (g M, S + 1)
    if there are local matrices, R_g being the rows of R by their matrices.
    """
    Y = projected(model, X)
    table, extended, F = compared(xp, model, Y)
    own = model.owner == classes[None, :]
    J = xp.argmin(xp.where(own, table, xp.inf), axis=0)
    K = xp.argmin(xp.where(own, xp.inf, table), axis=0)
    gaps = [Y - xp.take(model.P, winners, axis=0) for winners in (J, K)]
    pairs = zip((J, K), gaps, strict=True)
    d_J, d_K = [_squared(xp, model, F, winners, gap) for winners, gap in pairs]
    sums, g_J, g_K = _cost(xp, d_J, d_K, J < K, shares, terms)
    g_J, g_K = (xp.astype(g, Y.dtype, copy=False) for g in (g_J, g_K))
    R = _spread(xp, model.index, J, K, g_J, g_K)
    parts = [sums, contracted(xp, R, extended)]
    if F is not None:
        rows = xp.arange(model.n_matrices, device=device_of(Y))[:, None]
        first, second = (xp.take(model.group[:, 0], winners) for winners in (J, K))
        pulls = _spread(xp, rows, first, second, g_J, g_K)[:, None, :] * F
        pulls = xp.reshape(pulls, (-1, Y.shape[0]))
        parts.append(contracted(xp, pulls, extended))
    if model.Omega is not None:
        if F is None:
            A = g_J[:, None] * gaps[0] + g_K[:, None] * gaps[1]
        else:
            A = pulls.T @ model.Psi - R.T @ model.pulled
        if model.Omega.ndim == 2:
            parts.append(contracted(xp, A.T, X))
        else:
            weighted = A * (X - model.center)
            parts.append(xp.sum(weighted, axis=0, dtype=xp.float64))
    return parts


def _squared(xp, model, F, winners, gap):
    """Return the squared distances (b,) to the winners, from differences."""
    if F is not None:
        matrix = xp.take(model.group[:, 0], winners)
        M, b = F.shape[1:]
        at = xp.arange(M, device=device_of(gap))[:, None] * b
        at = at + (matrix * (M * b) + xp.arange(b, device=device_of(gap)))[None, :]
        images = xp.take(xp.reshape(F, (-1,)), xp.reshape(at, (-1,)))
        gap = xp.reshape(images, (M, b)).T - xp.take(model.Q, winners, axis=0)
    return xp.astype(xp.sum(gap * gap, axis=1), xp.float64, copy=False)


def _cost(xp, d_J, d_K, J_is_first, shares, terms):
    """Return cost, correct and blur derivative (3,), and g_J, g_K."""
    total = d_J + d_K + terms.blur
    nothing = xp.zeros_like(total)
    there = total > terms.tiny
    inverse = xp.where(there, 1.0 / xp.where(there, total, 1.0), nothing)
    mu = (d_J - d_K) * inverse
    phi, weight = mu, shares
    if terms.slope != 0.0:
        phi = 1.0 / (1.0 + xp.exp(-terms.slope * mu))
        weight = shares * (terms.slope * phi * (1.0 - phi))
    right = (d_J < d_K) | ((d_J == d_K) & J_is_first)
    g = weight * inverse
    # d mu / d blur = -mu / total
    parts = (shares * phi, xp.where(right, shares, nothing), -(g * mu))
    sums = xp.stack([xp.sum(part) for part in parts])
    return sums, g * (1.0 - mu), -(g * (1.0 + mu))


def _spread(xp, index, first, second, g_first, g_second):
    """Return a table with the slopes at the first and second index of each sample."""
    return xp.where(index == first, g_first, xp.where(index == second, g_second, 0.0))


def _assembled(sums, center, form, layout, variables):
    """Return cost, accuracy, blur and gradient from the sums of all blocks."""
    cost, correct, blur = sums[:3].tolist()
    W, Omega, Psi = variables
    P = form.project_prototypes(variables)
    S = P.shape[1]
    at = 3 + len(P) * (S + 1)
    RY = sums[3:at].reshape(len(P), S + 1)
    E = RY[:, :S] - RY[:, S:] * P  # gradients along y - P, added up
    dPsi = None
    if Psi is not None:
        g, M, _ = Psi.shape
        stop = at + g * M * (S + 1)
        own = Psi[layout.group]
        images, Q = np.einsum("lms,ls->lm", own, E), np.einsum("lms,ls->lm", own, P)
        dPsi = sums[at:stop].reshape(g, M, S + 1)[:, :, :S].copy()
        off = Q[:, :, None] * RY[:, None, :S] + images[:, :, None] * P[:, None, :]
        np.subtract.at(dPsi, layout.group, off)
        dPsi *= 2.0
        E, at = np.einsum("lms,lm->ls", own, images), stop
    dOmega = None
    if Omega is not None:
        of_samples = sums[at:].reshape(Omega.shape)
        if Omega.ndim == 2:
            of_samples = of_samples - np.outer(E.sum(axis=0), center)
        dOmega = form.matrix_slope(of_samples, E, W)
    return cost, correct, blur, Variables(form.pull_back(E, variables), dOmega, dPsi)


def kmeans_of_classes(rows, sizes, count, rng):
    """Return the k-means centers (l, N) of all classes, relative to the center.

    Random numbers and updates are the same as in scikit-learn's k-means.
    """
    xp, double = rows.xp, rows.frame.double.array
    N, steps = rows.shape[1], -(-sizes // KMEANS_SAMPLES)
    few = -(-sizes // steps)  # samples per class, for the largest class
    there = np.arange(few.max()) < few[:, None]
    ranks = (np.cumsum(sizes) - sizes)[:, None] + steps[:, None] * np.arange(few.max())
    draws = 1 + (count - 1) * (2 + int(np.log(count)))
    draws = double(rng.uniform(size=(len(sizes), draws)))
    by_class, centers = xp.argsort(rows.codes, stable=True), []
    for block in row_blocks(len(sizes), 8 * N * few.max(), table_bytes(rows.device)):
        flat = xp.asarray(np.where(there, ranks, 0)[block].ravel(), device=rows.device)
        some, mask = rows.chosen(xp.take(by_class, flat)), double(there[block] * 1.0)
        X = (double(some.X) - double(rows.center)) * xp.reshape(mask, (-1, 1))
        X = xp.reshape(X, (*mask.shape, N))
        weights = xp.reshape(some.shares, mask.shape) * mask
        first = _spread_centers(xp, X, weights, draws[block, :], count)
        centers.append(to_numpy(_moved_centers(xp, X, weights, mask, first)))
    return np.concatenate(centers).reshape(-1, N)


def _squares(xp, X, centers):
    """Return squared distances (C, k, n) of samples (C, n, N) to centers."""
    D = -2.0 * (centers @ xp.matrix_transpose(X))
    D += (
        xp.sum(centers * centers, axis=2)[:, :, None]
        + xp.sum(X * X, axis=2)[:, None, :]
    )
    return xp.clip(D, 0.0, None)


def _entries(xp, table, index):
    """Return the rows (C, t, N) of tables (C, n, N) that have the indices (C, t)."""
    C, n, N = table.shape
    flat = index + n * xp.arange(C, device=device_of(table))[:, None]
    flat = xp.take(xp.reshape(table, (-1, N)), xp.reshape(flat, (-1,)), axis=0)
    return xp.reshape(flat, (*index.shape, N))


def _spread_centers(xp, X, weights, draws, count):
    """Return the start of k-means++: each center is the best of several draws."""
    centers: list[Any] = []
    closest, at, trials = xp.ones_like(weights), 0, 1
    for _ in range(count):
        sums = xp.cumulative_sum(weights * closest, axis=1)
        wanted = draws[:, at : at + trials] * sums[:, -1:]
        drawn = xp.count_nonzero(sums[:, None, :] < wanted[:, :, None], axis=2)
        points = _entries(xp, X, drawn)
        nearer = _squares(xp, X, points)
        if centers:
            nearer = xp.where(nearer < closest[:, None, :], nearer, closest[:, None, :])
        best = xp.argmin(xp.sum(nearer * weights[:, None, :], axis=2), axis=1)[:, None]
        closest = _entries(xp, nearer, best)[:, 0, :]
        centers.append(_entries(xp, points, best))
        at, trials = at + trials, 2 + int(np.log(count))
    return xp.concat(centers, axis=1)


def _moved_centers(xp, X, weights, mask, centers):
    """Return the centers after Lloyd's algorithm, run until they converge."""
    sizes = xp.sum(mask, axis=1)[:, None]
    mean = xp.sum(X, axis=1) / sizes
    spread = xp.sum((X - mean[:, None, :]) ** 2 * mask[:, :, None], axis=1) / sizes
    least, index = 1e-4 * xp.mean(spread, axis=1), xp.arange(centers.shape[1])
    index = xp.asarray(index, device=device_of(X))[:, None]
    moving = least == least
    for _ in range(300):
        own = xp.argmin(_squares(xp, X, centers), axis=1)[:, None, :] == index
        own = xp.where(own, weights[:, None, :], 0.0)
        totals = xp.sum(own, axis=2)[:, :, None]
        means = own @ X / xp.where(totals > 0.0, totals, 1.0)
        after = xp.where(moving[:, None, None] & (totals > 0.0), means, centers)
        moving = moving & (xp.sum((after - centers) ** 2, axis=(1, 2)) > least)
        centers = after
        if not bool(xp.any(moving)):
            break
    return centers
