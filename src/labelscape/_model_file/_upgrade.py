"""Parameters of older files, at the place that they have now.

A parameter that gets another name or joins a group is listed here, so that the models
people have saved still load. Fitted attributes that follow from others by now are left
out, and those that came later get the value that says what was done before; none has
been renamed so far.
"""

from typing import Any, NamedTuple


class Moved(NamedTuple):
    """Where an older parameter went.

    Attributes
    ----------
    parameter : str
        The parameter that holds it now, a dict.
    key : str
        Its key there.
    default : object
        What it was by default. A default is left out, so that a model loaded from an
        older file has the parameters of one made today.
    """

    parameter: str
    key: str
    default: Any


_SGD = {
    "learning_rate_decay": Moved("sgd_params", "decay", 1e-4),
    "clip_step": Moved("sgd_params", "clip_step", False),
}
_MATRIX_SGD = _SGD | {"matrix_start": Moved("sgd_params", "matrix_epoch", 100)}

# Class, parameter as it was once called, its place now.
MOVED: dict[str, dict[str, Moved]] = {
    "GLVQ": _SGD,
    "GRLVQ": _MATRIX_SGD,
    "GMLVQ": _MATRIX_SGD,
    "LGMLVQ": _MATRIX_SGD,
    "LiRaMLVQ": _MATRIX_SGD,
    "LocalLiRaMLVQ": _MATRIX_SGD,
}

# Class, attributes that older files hold and that follow from others now.
DERIVED: dict[str, tuple[str, ...]] = {"FisherMetric": ("parzen_points_",)}

# Class, attributes that older files do not have, and what they would be.
ADDED: dict[str, dict[str, Any]] = {
    "ClassifierMap": {"coloring_": "inverse", "_answers": None}
}


def of_this_version(name: str, state: dict[str, Any]) -> dict[str, Any]:
    """Return the learned attributes of a class as this version keeps them."""
    derived = DERIVED.get(name, ())
    kept = {key: value for key, value in state.items() if key not in derived}
    added = ADDED.get(name, {})
    is_older = bool(kept) and not added.keys() & kept.keys()
    return added | kept if is_older else kept


def upgraded(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a class as this version calls them.

    Examples
    --------
    >>> upgraded("GLVQ", {"tol": 0.1, "clip_step": True, "learning_rate_decay": 1e-4})
    {'tol': 0.1, 'sgd_params': {'clip_step': True}}
    """
    moved = MOVED.get(name, {})
    now = {key: value for key, value in parameters.items() if key not in moved}
    for old, place in moved.items():
        if place.parameter in parameters and old in parameters:
            return parameters  # of no version: what is wrong with it is told elsewhere
        if old in parameters and parameters[old] != place.default:
            now.setdefault(place.parameter, {})[place.key] = parameters[old]
    return now
