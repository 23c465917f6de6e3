"""Classifiers that explain themselves: a few prototypes stand for each class."""

from labelscape.prototypes.grow.icf import ICF
from labelscape.prototypes.grow.kmeans_prototypes import KMeansPrototypes
from labelscape.prototypes.grow.lvq_and_grow import LVQAndGrow
from labelscape.prototypes.grow.push_and_grow import PushAndGrow
from labelscape.prototypes.lvq.glvq import GLVQ
from labelscape.prototypes.lvq.gmlvq import GMLVQ
from labelscape.prototypes.lvq.grlvq import GRLVQ
from labelscape.prototypes.lvq.lgmlvq import LGMLVQ
from labelscape.prototypes.lvq.liram import LiRaMLVQ
from labelscape.prototypes.lvq.local_liram import LocalLiRaMLVQ

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
