"""Names of this package that other packages use but users do not."""

import numpy as np

from labelscape.boundary._classifier_output import ClassScores
from labelscape.boundary._grid import FAR, grid_axes, is_far, regions_on

__all__ = ["FAR", "ClassScores", "regions_of", "share_far"]


def regions_of(picture, x, y):
    """Return the regions of a fitted ClassifierMap on another grid."""
    return regions_on(x, y, picture.inverse_, picture._scores, picture._copied())


def share_far(picture, coarsest, resolution):
    """Return the share of the map far from data, on a finer grid if necessary."""
    if picture.resolution >= coarsest:
        return picture.share_far_from_data_
    grid = np.meshgrid(*grid_axes(picture.embedding_, resolution))
    places = np.stack(grid, axis=-1).reshape(-1, 2)
    return float(is_far(picture.inverse_.with_support(places)[1]).mean())
