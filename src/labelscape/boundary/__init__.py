"""Boundary: pictures of any classifier."""

from labelscape.boundary._grid import Regions
from labelscape.boundary.classifier_map import ClassifierMap
from labelscape.boundary.comparison import ClassifierComparison

__all__ = ["ClassifierComparison", "ClassifierMap", "Regions"]
