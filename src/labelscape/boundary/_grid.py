"""The classifier's prediction and certainty, on a grid over the map."""

from typing import NamedTuple

import numpy as np

from labelscape._core.learned import classes, declares, indices, numbers
from labelscape._core.threads import row_blocks

MARGIN = 0.05  # margin around the points, as a share of the longer side
# Cells farther from all data than this many kernel widths are extrapolated.
FAR = 3.0
BLOCK_BYTES = 2**25  # memory of samples that are computed at a time


@declares(
    classes=classes(ordered=False),
    x=numbers("columns", ordered=True),
    y=numbers("rows", ordered=True),
    winners=indices("rows", "columns", of="classes"),
    certainty=numbers("rows", "columns", low=0.0, high=1.0 + 1e-9),
    lead=numbers("rows", "columns", low=0.0),
    support=numbers("rows", "columns", low=0.0),
)
class Regions(NamedTuple):
    """The decisions of a classifier on the map, on a grid of square cells.

    Attributes
    ----------
    x : ndarray of shape (n_columns,)
        Horizontal positions of the grid columns.
    y : ndarray of shape (n_rows,)
        Vertical positions of the grid rows.
    winners : ndarray of shape (n_rows, n_columns)
        Index of the class that the classifier predicts.
    certainty : ndarray of shape (n_rows, n_columns)
        How certain the classifier is, from 0 to 1.
    lead : ndarray of shape (n_rows, n_columns)
        Score of the predicted class minus the second highest score.
    support : ndarray of shape (n_rows, n_columns)
        Distance from the data, in widths of the closest kernel.
    classes : ndarray of shape (n_classes,)
        The classes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.decomposition import PCA
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from labelscape.boundary import ClassifierMap
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ClassifierMap(GaussianNB().fit(X, y), PCA(2), resolution=50).fit(X)
    >>> model.regions_.labels.shape == model.regions_.certainty.shape
    True
    >>> len(model.regions_.x)
    50
    """

    x: np.ndarray
    y: np.ndarray
    winners: np.ndarray
    certainty: np.ndarray
    lead: np.ndarray
    support: np.ndarray
    classes: np.ndarray

    def __repr__(self):
        return (
            f"Regions: {len(self.x)} x {len(self.y)} cells, {len(self.classes)} "
            f"classes, {self.share_far_from_data:.0%} of the cells far from data"
        )

    @property
    def labels(self):
        """The predicted class of each cell (n_rows, n_columns)."""
        return self.classes[self.winners]

    @property
    def box(self):
        """The corners of the grid: left, right, bottom, top."""
        return tuple(float(v) for v in (*self.x[[0, -1]], *self.y[[0, -1]]))

    @property
    def far(self):
        """Mask of the cells that are more than 3 kernel widths from all data."""
        return is_far(self.support)

    @property
    def share_far_from_data(self):
        """Share of the grid that is far from all data."""
        return float(self.far.mean())


def is_far(support):
    """Return which positions have no data near them; used by figures and scenes."""
    return support > FAR


def grid_axes(Z, resolution):
    """Return columns x and rows y of a grid of square cells around points Z (n, 2)."""
    low, high = Z.min(axis=0), Z.max(axis=0)
    longest = (high - low).max() or 1.0  # 1 if all points coincide
    low, high = low - MARGIN * longest, high + MARGIN * longest
    step = (high - low).max() / (resolution - 1)
    sizes = np.maximum(np.rint((high - low) / step).astype(int) + 1, 2)
    middle = (low + high) / 2
    return tuple(
        middle[k] + step * (np.arange(sizes[k]) - (sizes[k] - 1) / 2) for k in (0, 1)
    )


def regions_on(x, y, inverse, scores, answers=None):
    """Return the Regions of a classifier on the grid of columns x and rows y."""
    n, n_features = len(x) * len(y), inverse.coefficients.shape[1]
    winners = np.empty(n, dtype=np.intp)
    best, lead, support = np.empty(n), np.empty(n), np.empty(n)
    for cells in row_blocks(n, 8 * n_features, BLOCK_BYTES):
        row, column = np.divmod(np.arange(cells.start, cells.stop), len(x))
        places = np.column_stack([x[column], y[row]])
        X, support[cells] = inverse.with_support(places)
        r = scores.values(X) if answers is None else answers(places)
        winners[cells], best[cells], lead[cells] = scores.ranked(r)
    shape = len(y), len(x)
    values = winners, scores.certainty_of(best, lead), lead, support
    grid, certainty, leads, supports = (v.reshape(shape) for v in values)
    return Regions(x, y, grid, certainty, leads, supports, scores.classes_)
