"""Which classes a model file may hold, and where in the library they live.

A file names a class: an estimator that one of our rooms offers in its ``__all__``, or
an entry of the tables here. Nothing else in it decides what is imported.
"""

import ast
import sys
from collections.abc import Callable, Collection
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from labelscape._model_file._skops import can_dump

# Rooms with estimators. A new one in their ``__all__`` can be saved without more ado.
ROOMS = (
    "labelscape.prototypes",
    "labelscape.crossfit",
    "labelscape.geometry",
    "labelscape.embeddings",
    "labelscape.boundary",
    "labelscape.newcomers",
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

# Named tuples and dataclasses that an estimator keeps as a fitted attribute.
RECORDS: dict[str, str] = {
    "Parzen": "labelscape.geometry._parzen",
    "PairPlaces": "labelscape.embeddings.tsne._places",
    "Trial": "labelscape.embeddings.tsne._joint",
    "Growth": "labelscape.embeddings.landmarks._growth",
    "GivenPlaces": "labelscape.boundary._projection",
    "InverseMap": "labelscape.boundary._inverse",
    "Regions": "labelscape.boundary._grid",
    "Strength": "labelscape.boundary._classifier_output",
}


def model_named(name: str) -> type[Any] | None:
    """Return the estimator of this name, None if there is none."""
    room = STEPS.get(name) or _room_of(name)
    found = None if room is None else getattr(import_module(room), name, None)
    return found if _is_estimator(found) else None


def record_named(name: str) -> type[Any] | None:
    """Return the named tuple or dataclass of this name, None if there is none."""
    module = RECORDS.get(name)
    return None if module is None else getattr(import_module(module), name, None)


def name_of(
    value: object, named: Callable[[str], type[Any] | None] = model_named
) -> str | None:
    """Return the name under which a file would hold the class of ``value``, if any.

    A subclass is not its parent: loading would give back another class.
    """
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
    """Return what a room offers, without opening it.

    A file that is damaged or hostile must not have anything imported.
    """
    if room in sys.modules:
        return list(sys.modules[room].__all__)
    spec = find_spec(room)
    source = spec.loader.get_source(room)  # type: ignore[union-attr]
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    raise AssertionError(f"{room} has no __all__.")


def _room_of(name: str) -> str | None:
    return next((room for room in ROOMS if name in public_names(room)), None)


def _is_estimator(found: object) -> bool:
    from sklearn.base import BaseEstimator

    return isinstance(found, type) and issubclass(found, BaseEstimator)


def record_fields(cls: type[Any]) -> tuple[str, ...]:
    """Return the field names of a named tuple or dataclass."""
    if is_dataclass(cls):
        return tuple(field.name for field in fields(cls))
    return tuple(cls._fields)
