"""Weighted stress of arrays of other libraries, and majorisation, on their device.

The formulas of `_kernels.py` by functions of the array standard, over all pairs in both
orders. Maps go in and slopes come out as arrays of NumPy: they are small, and the ways
down are those of NumPy's arrays.
"""

from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, issparse

from labelscape._core.points.arrays import Frame, as_numpy, namespace_of, to_numpy
from labelscape.embeddings.weighted_mds._pairs import FLOOR, nothing_to_draw, unit_of
from labelscape.embeddings.weighted_mds.weights import (
    LIGHT,
    check_linked,
    checked_weights,
    levels_of,
    prototype_classes,
    role_weights,
)

# From here on one kernel that reads each pair once saves more seconds than it takes to
# be compiled.
COMPILED_FROM = 10_000


class ArrayPairs(NamedTuple):
    """Targets T and factors V of all pairs, as in `Pairs`, in blocks of rows (b, n).

    The diagonal of V is 0.
    """

    n: int
    unit: float
    frame: Frame
    blocks: list[tuple[slice, Any, Any]]

    @property
    def collapsed(self):
        """The stress of the map that has all points in one place."""
        xp = self.frame.xp
        return sum(_total(xp, V * T**2) for _, T, V in self.blocks) / 2.0

    def evaluation(self):
        """Return the function that gives stress and gradient (q, n) of a map Z."""
        xp = self.frame.xp
        of_rows = _rows_function(xp, self.frame.device, self.n)

        def evaluate(Z):
            placed = self.frame.array(Z)
            parts = [
                of_rows(placed[:, rows], placed, T, V) for rows, T, V in self.blocks
            ]
            found = to_numpy(xp.concat(parts, axis=1)).astype(np.float64)
            return float(found[0].sum()) / 2.0, found[1:]

        return evaluate

    def solver(self):
        """Return the function that multiplies a centred gradient (q, n) by V^+.

        In double precision: near objects make V far less even than the stress is.
        """
        xp = self.frame.xp
        double = self.frame.double
        V = xp.concat([double.array(V) for *_, V in self.blocks], axis=0)
        degrees = xp.sum(V, axis=1)
        index = xp.arange(self.n, device=self.frame.device)
        L = xp.where(index[:, None] == index, degrees, -V)
        # As for NumPy's arrays: no gradient has a part along 1.
        inverse = xp.linalg.inv(L + xp.sum(degrees) / self.n**2)

        def solve(gradient):
            return to_numpy(inverse @ double.array(gradient.T)).T

        return solve


def weighted_pairs(space, W, power):
    """Return the pairs for targets D^power and merged weights W, on the device."""
    frame, rows_of = space.frame, space.blocks()
    xp = frame.xp
    T = [space.distances(rows) for rows in rows_of]
    largest = max(float(xp.max(block)) for block in T) or 1.0
    T = [(block / largest) ** float(power) for block in T]
    w = [_weights_of_rows(frame, W, rows) for rows in rows_of]
    total = sum(_total(xp, a * b) for a, b in zip(w, T, strict=True))
    if total == 0.0:
        raise nothing_to_draw()
    mass = sum(_total(xp, block) for block in w)
    unit = unit_of(largest, total / mass, power)
    blocks = []
    for rows in rows_of:
        t = T.pop(0) / (total / mass)
        # The sum of w T over the pairs i < j, in this unit, is that of w.
        v = w.pop(0) / xp.where(t > FLOOR, t, FLOOR) / (mass / 2.0)
        blocks.append((rows, t, v))
    return ArrayPairs(space.n, unit, frame, blocks)


def _weights_of_rows(frame, W, rows):
    """Return the weights (b, n) of some objects with all, 0 with themselves."""
    xp = frame.xp
    w = W[rows, None] * W[None, :] if W.ndim == 1 else W[rows, :]
    index = xp.arange(W.shape[0], device=frame.device)
    return xp.where(index[rows, None] == index, 0.0, w)


def _total(xp, A):
    # Rows are added up in double precision, whatever theirs is.
    return float(np.sum(to_numpy(xp.sum(A, axis=1)), dtype=np.float64))


# The kernel.


def stress_of_rows(xp, own, Z, T, V):
    """Return the stress of some points with all, and their slopes: (1 + q, b).

    ``own`` (q, b) are the images of the points, Z (q, n) those of all, T and V (b, n)
    the targets and factors of their pairs. Images in one place have no direction to
    part in: their gap is 0, whatever it is multiplied by.
    """
    gaps = [own[k, :, None] - Z[k, None, :] for k in range(Z.shape[0])]
    d = xp.sqrt(sum(gap * gap for gap in gaps))
    error = d - T
    pull = 2.0 * V * error / xp.where(d > 0.0, d, 1.0)
    slopes = [xp.sum(pull * gap, axis=1) for gap in gaps]
    return xp.stack([xp.sum(V * error * error, axis=1), *slopes])


def _rows_function(xp, device, n):
    if n >= COMPILED_FROM and getattr(device, "type", None) == "cuda":
        return _compiled_rows()
    return partial(stress_of_rows, xp)


@cache
def _compiled_rows():
    import torch

    return torch.compile(partial(stress_of_rows, torch), dynamic=True)


# Weights.


def given_weights(space, weights):
    """Return the user's weights (n, n) on the device, or sparse as they are."""
    xp = namespace_of(weights)
    if xp is None or not _are_weights(xp, weights, space.n):
        weights = checked_weights(as_numpy(weights), space.n)
    return weights if issparse(weights) else space.frame.array(weights)


def _are_weights(xp, W, n):
    """Return whether W passes; if not, NumPy's check says what is wrong with it."""
    if tuple(W.shape) != (n, n) or not xp.isdtype(W.dtype, "real floating"):
        return False
    largest = xp.max(W)
    fine = (xp.min(W) >= 0.0) & xp.isfinite(largest)
    return bool(fine & (xp.max(xp.abs(W - W.T)) <= 1e-10 * largest))


def weights_by_role(space, is_prototype, labels):
    """Return the weights (n, n) of the views of a model, on the device.

    Those of `prototype_weights`; without labels, those of `object_weights`.
    """
    frame = space.frame
    one_class = np.zeros(space.n, dtype=np.int64)
    classes = one_class if labels is None else prototype_classes(labels, is_prototype)
    mask, classes = (
        frame.xp.asarray(one, device=frame.device) for one in (is_prototype, classes)
    )
    return role_weights(frame.xp, mask, classes, frame.array(levels_of(LIGHT)))


def merged_weights(frame, W, first, number):
    """Return the weights between groups of objects, as `_pairs.merged_weights` does.

    None, every pair weighs 1, becomes the sizes (n,) of the groups: their products are
    the weights. Raise a ValueError if a part of the map is left without a place.
    """
    n = len(first)
    if W is None:
        return frame.array(np.bincount(number, minlength=n))
    if issparse(W):
        W = frame.array(W.toarray())
    if n < len(number):
        groups = frame.array(np.eye(n)[number])
        W = groups.T @ W @ groups
    xp = frame.xp
    index = xp.arange(n, device=frame.device)
    if not bool(xp.all((W > 0.0) | (index[:, None] == index))):
        check_linked(csr_array(to_numpy(W)), first)
    return W
