"""Which classes a model file may hold, and where in the library they live.

A file names a class: an estimator that one of our rooms offers in its ``__all__``, or
an entry of the tables here. Nothing else in it decides what is imported.
"""

from collections.abc import Callable, Collection
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

from labelscape._model_file._skops import can_dump

# Rooms with estimators. A new one in their ``__all__`` can be saved without more ado.
ROOMS = (
    "labelscape.prototypes",
    "labelscape.crossfit",
    "labelscape.geometry",
    "labelscape.embeddings",
    "labelscape.boundary",
    "labelscape.quality.drift",
)

# What often comes before a model, and the linear maps: held by their public attributes,
# see `_steps`. Other models of scikit-learn are held by skops.
STEPS = {
    "Pipeline": "sklearn.pipeline",
    "MinMaxScaler": "sklearn.preprocessing",
    "RobustScaler": "sklearn.preprocessing",
    "StandardScaler": "sklearn.preprocessing",
    "OneHotEncoder": "sklearn.preprocessing",
    "SimpleImputer": "sklearn.impute",
    "PCA": "sklearn.decomposition",
    "LinearDiscriminantAnalysis": "sklearn.discriminant_analysis",
    "NeighborhoodComponentsAnalysis": "sklearn.neighbors",
}

# Named tuples and dataclasses that an estimator keeps, fitted or as a parameter.
RECORDS: dict[str, str] = {
    "NEXOMVariant": "labelscape.embeddings",
    "LBFGS": "labelscape.prototypes",
    "SGD": "labelscape.prototypes",
    "Localization": "labelscape.prototypes",
    "Directions": "labelscape.prototypes",
    "Parzen": "labelscape.geometry._parzen",
    "PairPlaces": "labelscape.embeddings.tsne._joint",
    "Trial": "labelscape.embeddings.tsne._joint",
    "GivenPlaces": "labelscape.boundary._projection",
    "InverseMap": "labelscape.boundary._inverse",
    "Regions": "labelscape.boundary._grid",
    "ClassScores": "labelscape.boundary._classifier_output",
}


def model_named(name: str) -> type[Any] | None:
    """Return the estimator of this name, None if there is none."""
    from sklearn.base import BaseEstimator

    ours = (room for room in ROOMS if name in public_names(room))
    room = STEPS.get(name) or next(ours, None)
    model = None if room is None else getattr(import_module(room), name, None)
    is_estimator = isinstance(model, type) and issubclass(model, BaseEstimator)
    return model if is_estimator else None


def record_named(name: str) -> type[Any] | None:
    """Return the named tuple or dataclass of this name, None if there is none."""
    module = RECORDS.get(name)
    return None if module is None else getattr(import_module(module), name, None)


def name_of(
    value: object, named: Callable[[str], type[Any] | None] = model_named
) -> str | None:
    """Return the name of the class of ``value`` itself in a file, if it has one."""
    name = type(value).__name__
    return name if named(name) is type(value) else None


def can_hold(model: Any) -> bool:
    """Return whether a file can hold a model, and the steps of a pipeline."""
    if hasattr(model, "steps"):
        steps = [step for _, step in model.steps if step not in (None, "passthrough")]
        return all(can_hold(step) for step in steps)
    return name_of(model) is not None or can_dump(model)


def model_names() -> list[str]:
    """Return what all the estimators are called that a file may hold."""
    ours = [name for room in ROOMS for name in public_names(room)]
    return [name for name in [*ours, *STEPS] if model_named(name) is not None]


def public_names(room: str) -> Collection[str]:
    """Return what a room offers; its files are loaded when a name is used."""
    return list(import_module(room).__all__)


def record_fields(cls: type[Any]) -> tuple[str, ...]:
    """Return the field names of a named tuple or dataclass."""
    if is_dataclass(cls):
        return tuple(field.name for field in fields(cls))
    return tuple(cls._fields)
