"""Maps: labelled data as points on a plane."""

from labelscape.embeddings._compression import compress_classes
from labelscape.embeddings._hyperbolic import (
    hyperbolic_focus,
    hyperbolic_strength,
    hyperbolic_unfocus,
    mobius_refocus,
)
from labelscape.embeddings._level_layouts import class_layout, object_layout
from labelscape.embeddings._level_weights import (
    object_weights,
    picture_agreement,
    prototype_weights,
)
from labelscape.embeddings._lfda import LFDA
from labelscape.embeddings._weighted_mds import WeightedMDS

__all__ = [
    "LFDA",
    "WeightedMDS",
    "class_layout",
    "compress_classes",
    "hyperbolic_focus",
    "hyperbolic_strength",
    "hyperbolic_unfocus",
    "mobius_refocus",
    "object_layout",
    "object_weights",
    "picture_agreement",
    "prototype_weights",
]
