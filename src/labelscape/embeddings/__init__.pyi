from ._base import LabelsSayNothing
from .hyperbolic import (
    hyperbolic_focus,
    hyperbolic_strength,
    hyperbolic_unfocus,
    mobius_refocus,
)
from .kernel_map.kernel_map import KernelMap
from .landmark_map import LandmarkMap
from .lfda import LFDA
from .nca import NCA
from .nerv.maps import SNE, ClassNeRV
from .pls import OPLSDA, PLSDA
from .stress.maps import CCA, DDHDS, ClassiMap, Sammon
from .tsne.cross_fitted_tsne import CrossFittedTSNE
from .tsne.maps import FisherKernelTSNE, FisherMDS, FisherTSNE, KernelTSNE
from .weighted_mds.estimator import WeightedMDS
from .weighted_mds.levels import (
    class_layout,
    compress_classes,
    object_layout,
)
from .weighted_mds.weights import (
    object_weights,
    picture_agreement,
    prototype_weights,
)
from .xom.nexom import NEXOM, NEXOMVariant
from .xom.xom import XOM

__all__ = [
    "CCA",
    "DDHDS",
    "LFDA",
    "NCA",
    "NEXOM",
    "OPLSDA",
    "PLSDA",
    "SNE",
    "XOM",
    "ClassNeRV",
    "ClassiMap",
    "CrossFittedTSNE",
    "FisherKernelTSNE",
    "FisherMDS",
    "FisherTSNE",
    "KernelMap",
    "KernelTSNE",
    "LabelsSayNothing",
    "LandmarkMap",
    "NEXOMVariant",
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
