"""The classes that a model file may contain, and the modules that define them.

The classes in a file must be estimators in the ``__all__`` of a package listed here, or
entries of the tables below. Loading a file imports no other classes.
"""

from collections.abc import Callable, Collection
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

# Packages with estimators. A new estimator in their ``__all__`` can be saved.
ROOMS = (
    "labelscape.prototypes",
    "labelscape.crossfit",
    "labelscape.geometry",
    "labelscape.embeddings",
    "labelscape.boundary",
    "labelscape.quality.drift",
)

# Preprocessing and linear maps, stored as their public attributes, see `_declared`.
# Other models of scikit-learn are stored by skops.
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

# Named tuples and dataclasses in parameters or fitted attributes.
RECORDS: dict[str, str] = {
    "NEXOMVariant": "labelscape.embeddings",
    "LBFGS": "labelscape.prototypes",
    "SGD": "labelscape.prototypes",
    "Localization": "labelscape.prototypes",
    "Directions": "labelscape.prototypes",
    "Parzen": "labelscape.geometry._parzen",
    "PairPlaces": "labelscape.embeddings.tsne._pairs",
    "Trial": "labelscape.embeddings.tsne._focus",
    "GivenPlaces": "labelscape.boundary._projection",
    "InverseMap": "labelscape.boundary._inverse",
    "Regions": "labelscape.boundary._grid",
    "ClassScores": "labelscape.boundary._classifier_output",
}


def model_named(name: str) -> type[Any] | None:
    """Return the estimator class of this name, or None."""
    from sklearn.base import BaseEstimator

    ours = (room for room in ROOMS if name in public_names(room))
    room = STEPS.get(name) or next(ours, None)
    model = None if room is None else getattr(import_module(room), name, None)
    is_estimator = isinstance(model, type) and issubclass(model, BaseEstimator)
    return model if is_estimator else None


def record_named(name: str) -> type[Any] | None:
    """Return the named tuple or dataclass of this name, or None."""
    module = RECORDS.get(name)
    return None if module is None else getattr(import_module(module), name, None)


def name_of(
    value: object, named: Callable[[str], type[Any] | None] = model_named
) -> str | None:
    """Return the name of a value's class in model files, or None."""
    name = type(value).__name__
    return name if named(name) is type(value) else None


def model_names() -> list[str]:
    """Return the names of all estimators that a file may contain."""
    ours = [name for room in ROOMS for name in public_names(room)]
    return [name for name in [*ours, *STEPS] if model_named(name) is not None]


def public_names(room: str) -> Collection[str]:
    """Return the public names of a package; its modules load when a name is used."""
    return list(import_module(room).__all__)


def record_fields(cls: type[Any]) -> tuple[str, ...]:
    """Return the field names of a named tuple or dataclass."""
    if is_dataclass(cls):
        return tuple(field.name for field in fields(cls))
    return tuple(cls._fields)
