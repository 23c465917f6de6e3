"""Maps: labelled data as points on a plane."""

from labelscape._core.label_signal import LabelsSayNothing
from labelscape.embeddings.hyperbolic import (
    hyperbolic_focus,
    hyperbolic_strength,
    hyperbolic_unfocus,
    mobius_refocus,
)
from labelscape.embeddings.kernel_map.kernel_map import KernelMap
from labelscape.embeddings.landmarks.landmark_map import LandmarkMap
from labelscape.embeddings.lfda import LFDA
from labelscape.embeddings.nerv.class_nerv import ClassNeRV
from labelscape.embeddings.nerv.sne import SNE
from labelscape.embeddings.stress.cca import CCA
from labelscape.embeddings.stress.classimap import ClassiMap
from labelscape.embeddings.stress.ddhds import DDHDS
from labelscape.embeddings.stress.sammon import Sammon
from labelscape.embeddings.tsne.fisher_kernel_tsne import FisherKernelTSNE
from labelscape.embeddings.tsne.fisher_mds import FisherMDS
from labelscape.embeddings.tsne.fisher_tsne import FisherTSNE
from labelscape.embeddings.tsne.kernel_tsne import KernelTSNE
from labelscape.embeddings.weighted_mds.estimator import WeightedMDS
from labelscape.embeddings.weighted_mds.levels import (
    class_layout,
    compress_classes,
    object_layout,
)
from labelscape.embeddings.weighted_mds.weights import (
    object_weights,
    picture_agreement,
    prototype_weights,
)
from labelscape.embeddings.xom.nexom import NEXOM
from labelscape.embeddings.xom.xom import XOM

__all__ = [
    "CCA",
    "DDHDS",
    "LFDA",
    "NEXOM",
    "SNE",
    "XOM",
    "ClassNeRV",
    "ClassiMap",
    "FisherKernelTSNE",
    "FisherMDS",
    "FisherTSNE",
    "KernelMap",
    "KernelTSNE",
    "LabelsSayNothing",
    "LandmarkMap",
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
