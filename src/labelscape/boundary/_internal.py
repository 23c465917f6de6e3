"""The door of this room: what views ask of a classifier, and no user does.

Other rooms import from here and from ``labelscape.boundary``, and nothing else.
"""

from labelscape.boundary._changes import decision_changes
from labelscape.boundary._classifier_output import Strength
from labelscape.boundary._grid import FAR, is_far, regions_on

__all__ = ["FAR", "Strength", "decision_changes", "is_far", "regions_of"]


def regions_of(picture, x, y):
    """Return the regions of a fitted ClassifierMap on a grid of one's own."""
    return regions_on(x, y, picture.inverse_, picture._strength, picture._copied())
