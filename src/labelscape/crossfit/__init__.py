"""Class probabilities from models that never saw the object."""

from labelscape.crossfit.cross_fit import CrossFit
from labelscape.crossfit.random_features import RandomFeatureClassifier

__all__ = ["CrossFit", "RandomFeatureClassifier"]
