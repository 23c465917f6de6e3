"""Boundary: pictures of any classifier."""

from labelscape.boundary._classifier_map import ClassifierMap
from labelscape.boundary._comparison import ClassifierComparison
from labelscape.boundary._grid import Regions

__all__ = ["ClassifierComparison", "ClassifierMap", "Regions"]
