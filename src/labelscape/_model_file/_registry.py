"""Which classes a model file may hold, and where in the library they live.

A file names a class by a key of these tables, and nothing else in it decides what is
imported.
"""

from collections import ChainMap
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

ESTIMATORS = {
    "GLVQ": "labelscape.prototypes",
    "GRLVQ": "labelscape.prototypes",
    "GMLVQ": "labelscape.prototypes",
    "LGMLVQ": "labelscape.prototypes",
    "LiRaMLVQ": "labelscape.prototypes",
    "LocalLiRaMLVQ": "labelscape.prototypes",
    "PushAndGrow": "labelscape.prototypes",
    "LVQAndGrow": "labelscape.prototypes",
    "KMeansPrototypes": "labelscape.prototypes",
    "ICF": "labelscape.prototypes",
    "FisherMetric": "labelscape.geometry",
    "Sammon": "labelscape.embeddings",
    "CCA": "labelscape.embeddings",
    "DDHDS": "labelscape.embeddings",
    "ClassiMap": "labelscape.embeddings",
    "WeightedMDS": "labelscape.embeddings",
    "XOM": "labelscape.embeddings",
    "NEXOM": "labelscape.embeddings",
    "LFDA": "labelscape.embeddings",
    "KernelMap": "labelscape.embeddings",
    "FisherTSNE": "labelscape.embeddings",
    "KernelTSNE": "labelscape.embeddings",
    "FisherKernelTSNE": "labelscape.embeddings",
    "FisherMDS": "labelscape.embeddings",
    "ClassifierMap": "labelscape.boundary",
}

# What stands before a model so often that a model is of no use without it. They keep
# plain numbers only.
STEPS = {
    "Pipeline": "sklearn.pipeline",
    "MinMaxScaler": "sklearn.preprocessing",
    "RobustScaler": "sklearn.preprocessing",
    "StandardScaler": "sklearn.preprocessing",
}

MODELS: Mapping[str, str] = ChainMap(ESTIMATORS, STEPS)

# Named tuples and dataclasses that an estimator keeps as a fitted attribute.
RECORDS: dict[str, str] = {
    "Parzen": "labelscape.geometry._parzen",
    "GivenPlaces": "labelscape.boundary._projection",
    "InverseMap": "labelscape.boundary._inverse",
    "Regions": "labelscape.boundary._grid",
    "Strength": "labelscape.boundary._classifier_output",
}


def class_named(name: str, table: Mapping[str, str]) -> type[Any] | None:
    """Return the class that ``table`` lists under ``name``, None if there is none."""
    module = table.get(name)
    if module is None or find_spec(module) is None:
        return None
    return getattr(import_module(module), name, None)


def name_of(value: object, table: Mapping[str, str]) -> str | None:
    """Return the name under which ``table`` lists the class of ``value``, if it does.

    A subclass is not its parent: loading would give back another class.
    """
    name = type(value).__name__
    return name if class_named(name, table) is type(value) else None


def record_fields(cls: type[Any]) -> tuple[str, ...]:
    """Return the field names of a named tuple or dataclass."""
    return tuple(getattr(cls, "_fields", None) or cls.__dataclass_fields__)
