"""Other models of scikit-learn in a model file, as bytes written and read by skops.

skops runs no code from a file: it only creates objects of trusted classes, which are
the public classes of scikit-learn and the classes in `TRUSTED`.
"""

from importlib.util import find_spec
from typing import Any

from labelscape._model_file._archive import ModelFileError
from labelscape._model_file._innards import check_innards
from labelscape._model_file._registry import name_of
from labelscape._model_file._schema import TRUSTED, check_skops

INSTALL = "pip install 'labelscape[skops]'"


def is_other(value: Any) -> bool:
    """Return whether a value is an estimator of scikit-learn."""
    from sklearn.base import BaseEstimator

    ours = isinstance(value, BaseEstimator)
    return ours and type(value).__module__.startswith("sklearn.")


def can_hold(model: Any) -> bool:
    """Return whether a file can store a model, including all steps of a pipeline."""
    if hasattr(model, "steps"):
        steps = [step for _, step in model.steps if step not in (None, "passthrough")]
        return all(can_hold(step) for step in steps)
    return name_of(model) is not None or _can_dump(model)


def _can_dump(model: Any) -> bool:
    """Return whether skops is installed, and can store a model for `loaded`."""
    try:
        return is_other(model) and bool(dumped(model, "model"))
    except (TypeError, ValueError):
        return False


def dumped(model: Any, where: str) -> bytes:
    """Return the bytes of a model; error messages call it ``where``."""
    if find_spec("skops") is None:
        raise TypeError(
            f"save: {where} is a {type(model).__name__} of scikit-learn. To save it, "
            f"install skops: {INSTALL}."
        )
    import skops.io

    try:
        data: bytes = skops.io.dumps(model)
    except Exception as error:  # parts of the model may raise any error
        raise TypeError(f"save: skops cannot write {where}: {error}") from error
    if unknown := sorted({*skops.io.get_untrusted_types(data=data)} - TRUSTED.keys()):
        raise TypeError(
            f"save: {where} has parts of the type {unknown[0]}, which a model file "
            "cannot contain, because loading must not run code. Replace them first. "
            "For example, select columns with a list of names instead of a function."
        )
    try:
        check_skops(data)
        check_innards(model)
    except ModelFileError as error:
        raise TypeError(f"save: {where} cannot be loaded again: {error}.") from error
    return data


def loaded(data: bytes, name: str) -> Any:
    """Return the model of class ``name`` that `dumped` wrote."""
    if find_spec("skops") is None:
        raise ModelFileError(
            f"it contains a {name[:40]} of scikit-learn, for which skops is needed. "
            f"Install it: {INSTALL}"
        )
    import skops.io

    check_skops(data)
    model = skops.io.loads(data, trusted=list(TRUSTED))
    if not is_other(model) or type(model).__name__ != name:
        raise ModelFileError(f"its {name[:40]} is not a model of scikit-learn")
    if name_of(model):  # whose parameters and attributes are then all checked
        raise ModelFileError(f"its {name} must not be stored by skops")
    check_innards(model)
    return model
