from ._grid import Regions
from .classifier_map import ClassifierMap
from .comparison import ClassifierComparison

__all__ = ["ClassifierComparison", "ClassifierMap", "Regions"]
