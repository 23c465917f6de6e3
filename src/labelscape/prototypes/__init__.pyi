from ._directions import Directions
from .directions import (
    center_batches,
    discriminative_directions,
    nuisance_directions,
)
from .grow.icf import ICF
from .grow.kmeans_prototypes import KMeansPrototypes
from .grow.lvq_and_grow import LVQAndGrow
from .grow.push_and_grow import PushAndGrow
from .lvq.glvq import GLVQ, GRLVQ
from .lvq.gmlvq import GMLVQ, LiRaMLVQ
from .lvq.local import LGMLVQ, LocalLiRaMLVQ
from .relevances import FeatureRelevance, RelevanceReport, relevance_report
from .solvers import LBFGS, SGD, Localization

__all__ = [
    "GLVQ",
    "GMLVQ",
    "GRLVQ",
    "ICF",
    "LBFGS",
    "LGMLVQ",
    "SGD",
    "Directions",
    "FeatureRelevance",
    "KMeansPrototypes",
    "LVQAndGrow",
    "LiRaMLVQ",
    "LocalLiRaMLVQ",
    "Localization",
    "PushAndGrow",
    "RelevanceReport",
    "center_batches",
    "discriminative_directions",
    "nuisance_directions",
    "relevance_report",
]
