"""Other models of scikit-learn in a model file: bytes that skops writes and reads.

skops runs no code from a file: it makes objects of classes that it trusts, which are
scikit-learn's public ones and those named here.
"""

import io
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from labelscape._model_file._archive import ModelFileError

# What common models are made of beside public classes.
TRUSTED = (
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
    "sklearn.tree._tree.Tree",
)
INSTALL = "pip install 'labelscape[skops]'"


def is_other(value: Any) -> bool:
    """Return whether a value is an estimator of scikit-learn."""
    from sklearn.base import BaseEstimator

    ours = isinstance(value, BaseEstimator)
    return ours and type(value).__module__.startswith("sklearn.")


def can_dump(model: Any) -> bool:
    """Return whether skops is here, and writes a model that `loaded` reads."""
    try:
        return is_other(model) and bool(dumped(model, "model"))
    except TypeError:
        return False


def dumped(model: Any, where: str) -> bytes:
    """Return the bytes of a model; ``where`` names it in errors."""
    if find_spec("skops") is None:
        raise TypeError(
            f"save: {where} is a {type(model).__name__} of scikit-learn, which a model "
            f"file holds by skops. Install it: {INSTALL}."
        )
    import skops.io

    try:
        data: bytes = skops.io.dumps(model)
    except Exception as error:  # whatever the parts of a model raise
        raise TypeError(f"save: skops can not write {where}: {error}") from error
    if unknown := sorted({*skops.io.get_untrusted_types(data=data)} - {*TRUSTED}):
        raise TypeError(
            f"save: {where} has parts of the type {unknown[0]}, which a model file "
            "does not hold, so that loading runs no code. Replace them before saving; "
            "list the columns in place of a function that selects them."
        )
    return data


def loaded(data: bytes, name: str) -> Any:
    """Return the model of a class ``name`` that `dumped` wrote."""
    if find_spec("skops") is None:
        raise ModelFileError(
            f"it holds a {name[:40]} of scikit-learn, for which skops is needed. "
            f"Install it: {INSTALL}"
        )
    import skops.io

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise ModelFileError("members of its scikit-learn model are compressed")
    if sum(member.file_size for member in members) > len(data):
        raise ModelFileError("members of its scikit-learn model are too large")
    model = skops.io.loads(data, trusted=list(TRUSTED))
    if not is_other(model) or type(model).__name__ != name:
        raise ModelFileError(f"what it calls a {name[:40]} is none of scikit-learn's")
    _check_trees(model)
    return model


def _check_trees(model: Any, n_features: float = np.inf) -> None:
    """Raise unless every way down a decision tree ends, past features that exist.

    scikit-learn's loops go where a node points without looking. Trees of an ensemble
    are given its features.
    """
    n_features = min(n_features, getattr(model, "n_features_in_", np.inf))
    if hasattr(model, "tree_"):
        left, right = model.tree_.children_left, model.tree_.children_right
        at, inner = np.arange(len(left)), left != -1
        feature = model.tree_.feature[inner]
        sound = [((c > at) & (c < len(at)))[inner].all() for c in (left, right)]
        sound += [(right[~inner] == -1).all(), (feature >= 0).all()]
        if not all(sound) or not (feature < n_features).all():
            raise ModelFileError("it holds a decision tree whose nodes lead outside")
    for name, value in vars(model).items():
        for part in _objects_in(value):
            _check_trees(part, n_features if name == "estimators_" else np.inf)


def _objects_in(value: Any) -> Iterator[Any]:
    """Yield the objects of scikit-learn in a value, or in containers of them."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = value.ravel().tolist()
    if isinstance(value, list | tuple):
        for one in value:
            yield from _objects_in(one)
    elif type(value).__module__.startswith("sklearn.") and hasattr(value, "__dict__"):
        yield value
