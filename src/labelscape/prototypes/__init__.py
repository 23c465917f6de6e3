"""Classifiers that explain themselves: a few prototypes stand for each class."""

from labelscape.prototypes._glvq import GLVQ
from labelscape.prototypes._gmlvq import GMLVQ
from labelscape.prototypes._grlvq import GRLVQ
from labelscape.prototypes._icf import ICF
from labelscape.prototypes._kmeans_prototypes import KMeansPrototypes
from labelscape.prototypes._lgmlvq import LGMLVQ
from labelscape.prototypes._liram import LiRaMLVQ
from labelscape.prototypes._local_liram import LocalLiRaMLVQ
from labelscape.prototypes._lvq_and_grow import LVQAndGrow
from labelscape.prototypes._push_and_grow import PushAndGrow

__all__ = [
    "GLVQ",
    "GMLVQ",
    "GRLVQ",
    "ICF",
    "LGMLVQ",
    "KMeansPrototypes",
    "LVQAndGrow",
    "LiRaMLVQ",
    "LocalLiRaMLVQ",
    "PushAndGrow",
]
