"""Maps: labelled data as points on a plane."""

from labelscape._core.label_signal import LabelsSayNothing
from labelscape.embeddings._cca import CCA
from labelscape.embeddings._classimap import ClassiMap
from labelscape.embeddings._compression import compress_classes
from labelscape.embeddings._ddhds import DDHDS
from labelscape.embeddings._fisher_kernel_tsne import FisherKernelTSNE
from labelscape.embeddings._fisher_mds import FisherMDS
from labelscape.embeddings._fisher_tsne import FisherTSNE
from labelscape.embeddings._hyperbolic import (
    hyperbolic_focus,
    hyperbolic_strength,
    hyperbolic_unfocus,
    mobius_refocus,
)
from labelscape.embeddings._kernel_map import KernelMap
from labelscape.embeddings._kernel_tsne import KernelTSNE
from labelscape.embeddings._level_layouts import class_layout, object_layout
from labelscape.embeddings._level_weights import (
    object_weights,
    picture_agreement,
    prototype_weights,
)
from labelscape.embeddings._lfda import LFDA
from labelscape.embeddings._nexom import NEXOM
from labelscape.embeddings._sammon import Sammon
from labelscape.embeddings._weighted_mds import WeightedMDS
from labelscape.embeddings._xom import XOM

__all__ = [
    "CCA",
    "DDHDS",
    "LFDA",
    "NEXOM",
    "XOM",
    "ClassiMap",
    "FisherKernelTSNE",
    "FisherMDS",
    "FisherTSNE",
    "KernelMap",
    "KernelTSNE",
    "LabelsSayNothing",
    "Sammon",
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
