"""Names of this package that other packages use but users do not."""

from labelscape.prototypes._base import (
    PrototypeClassifier,
    are_samples,
    class_scores_in_plane,
)
from labelscape.prototypes.directions import remaining_batches
from labelscape.prototypes.explain._explanation import explained_rows

__all__ = [
    "PrototypeClassifier",
    "are_samples",
    "class_scores_in_plane",
    "explained_rows",
    "remaining_batches",
]
