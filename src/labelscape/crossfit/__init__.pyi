from .cross_fit import CrossFit
from .random_features import RandomFeatureClassifier

__all__ = ["CrossFit", "RandomFeatureClassifier"]
