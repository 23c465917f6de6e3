"""Objects of other libraries: their distances are worked out where they are.

What is small is done by NumPy, as for its own arrays: checks, duplicates and starts.
"""

import numpy as np
from sklearn.utils.validation import validate_data

from labelscape._core.checks import LARGEST_SINGLE
from labelscape._core.points.array_points import exact_distances
from labelscape._core.points.arrays import Frame, namespace_of, to_numpy
from labelscape._core.points.spaces import Points, Space, first_of_each
from labelscape._core.threads import row_blocks
from labelscape.embeddings._base import is_given

# Of what NumPy's check of dissimilarities lets pass as rounding.
ROUNDING = 1e-10
# Bytes of one table on the device; a dozen are alive at a time.
DEVICE_BYTES = 2**28


def array_space(model, X, y):
    """Check X, an array of another library, and return the space of a map of it."""
    xp = namespace_of(X)
    frame = Frame.of(xp, X)
    if xp.isdtype(X.dtype, "real floating"):
        X = frame.array(X)  # NumPy lacks some that are less precise
    if is_given(model.metric) and _are_dissimilarities(xp, X):
        validate_data(model, X, skip_check_array=True)
        vars(model).pop("metric_", None)  # of an earlier fit
        return ArrayDissimilarities(frame, frame.array(X))
    space = model._space(to_numpy(X), y)
    if isinstance(space, Points):
        return LocatedArrays(frame, space.X)
    if is_given(model.metric):  # larger than single precision can square
        frame = frame.double
    return ArrayDissimilarities(frame, frame.array(space.D))


def _are_dissimilarities(xp, D):
    """Return whether D passes; if not, NumPy's check says what is wrong with it."""
    if D.ndim != 2 or D.shape[0] != D.shape[1] or 0 in D.shape:
        return False
    if not xp.isdtype(D.dtype, "real floating"):
        return False
    largest = xp.max(D)  # NaN if any is
    small = ROUNDING * largest
    fine = (largest <= LARGEST_SINGLE) & (xp.min(D) >= 0.0)
    fine = fine & (xp.max(xp.linalg.diagonal(D)) <= small)
    return bool(fine & (xp.max(xp.abs(D - D.T)) <= small))


class ArraySpace(Space):
    """A space with a ``frame``, whose rows of distances are arrays there."""

    def blocks(self):
        """Cut the rows into slices whose distances fit on the device."""
        return row_blocks(self.n, 8 * self.n, DEVICE_BYTES)

    def distances(self, rows):
        """Return the distances (b, n) from some objects to all, on the device."""
        raise NotImplementedError


class LocatedArrays(ArraySpace, Points):
    """Points X (n, d) that NumPy holds too, with distances on a device."""

    def __init__(self, frame, X):
        Points.__init__(self, X)
        self.frame = frame
        self._located = frame.array(self.X)

    def distances(self, rows):
        """Return the distances (b, n) from some points to all, on the device."""
        return exact_distances(self.frame.xp, self._located[rows, :], self._located)

    def subset(self, index):
        """Return the space of some of the points."""
        return LocatedArrays(self.frame, self.X[index])


class ArrayDissimilarities(ArraySpace):
    """Objects known only by their dissimilarities D (n, n) on a device."""

    def __init__(self, frame, D):
        self.frame, self.D, self.n = frame, D, int(D.shape[0])

    def distances(self, rows):
        """Return the dissimilarities (b, n) from some objects to all."""
        return self.D[rows, :]

    def squared_rows(self, rows):
        """Return their squares, to be multiplied by arrays of NumPy."""
        return _Factor(self.frame, self.D[rows, :] ** 2)

    def distinct(self):
        """Return the first index of each different object, and each object's number.

        Only objects at 0 from another can be the same, and only these are compared.
        """
        xp = self.frame.xp
        near = ROUNDING * xp.max(self.D) >= self.D
        which = np.flatnonzero(to_numpy(xp.count_nonzero(near, axis=1)) > 1)
        leader = np.arange(self.n)
        if len(which):
            first, number = first_of_each(to_numpy(self._rows(which)))
            leader[which] = which[first[number]]
        return np.unique(leader, return_inverse=True)

    def subset(self, index):
        """Return the space of some of the objects."""
        columns = self.frame.xp.asarray(index, device=self.frame.device)
        D = self.frame.xp.take(self._rows(index), columns, axis=1)
        return ArrayDissimilarities(self.frame, D)

    def _rows(self, index):
        which = self.frame.xp.asarray(index, device=self.frame.device)
        return self.frame.xp.take(self.D, which, axis=0)


class _Factor:
    """An array on a device as NumPy's arrays may be multiplied by it."""

    def __init__(self, frame, A):
        self._frame, self._A = frame, A

    def __matmul__(self, Q):
        return to_numpy(self._A @ self._frame.array(Q)).astype(np.float64)
