"""The door of this room: what views ask of a classifier, and no user does.

Other rooms import from here and from ``labelscape.boundary``, and nothing else.
"""

import numpy as np

from labelscape.boundary._classifier_output import ClassScores
from labelscape.boundary._grid import FAR, grid_axes, is_far, regions_on

__all__ = ["FAR", "ClassScores", "regions_of", "share_far"]


def regions_of(picture, x, y):
    """Return the regions of a fitted ClassifierMap on a grid of one's own."""
    return regions_on(x, y, picture.inverse_, picture._scores, picture._copied())


def share_far(picture, coarsest, resolution):
    """Return which share of a picture is far from data.

    That of its own grid; of another one, of this resolution, if its own is coarser than
    ``coarsest``, as where only its places are looked at.
    """
    if picture.resolution >= coarsest:
        return picture.share_far_from_data_
    grid = np.meshgrid(*grid_axes(picture.embedding_, resolution))
    places = np.stack(grid, axis=-1).reshape(-1, 2)
    return float(is_far(picture.inverse_.with_support(places)[1]).mean())
