"""Small random models of every kind, as the reference and as the library hold them."""

import numpy as np

from labelscape._core.rows.rows import Rows
from labelscape.prototypes import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    LGMLVQ,
    LiRaMLVQ,
    LocalLiRaMLVQ,
)
from labelscape.prototypes.lvq._forms import (
    Diagonal,
    Layout,
    Local,
    Matrix,
    Plain,
    SharedLocal,
    Variables,
)

FAMILY = [GLVQ, GRLVQ, GMLVQ, LGMLVQ, LiRaMLVQ, LocalLiRaMLVQ]
MATRIX_MODELS = [GMLVQ, LiRaMLVQ, LocalLiRaMLVQ]
FORMS = {
    "plain": Plain(),
    "diagonal": Diagonal(),
    "matrix": Matrix(),
    "local": Local(),
    "shared": SharedLocal(),
}
# kind, number of rows (of 5 features), local matrix per class or per prototype
CASES = [
    ("plain", 5, "class"),
    ("diagonal", 5, "class"),
    ("matrix", 5, "class"),
    ("matrix", 2, "class"),
    ("local", 5, "class"),
    ("local", 2, "prototype"),
    ("shared", 2, "class"),
    ("shared", 3, "prototype"),
]
NAMES = [f"{kind}-{rows}-{where}" for kind, rows, where in CASES]
PER_CLASS = np.array([2, 1, 3])


def unit(matrix):
    return matrix / np.linalg.norm(matrix)


def blobs(n=100, n_features=5, n_classes=3, seed=0):
    """Overlapping groups of objects, with their class indices."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    centers = 1.5 * rng.normal(size=(n_classes, n_features))
    return centers[y] + rng.normal(size=(n, n_features)), y


def random_model(kind, rows, where, seed=1):
    """A model of the reference with 6 prototypes of 3 classes and 5 features."""
    rng = np.random.default_rng(seed)
    c = np.repeat(np.arange(3), PER_CLASS)
    group = c if where == "class" else np.arange(len(c))
    model = {"kind": kind, "W": rng.normal(size=(len(c), 5)), "c": c}
    if kind == "diagonal":
        model["omega"] = unit(rng.uniform(0.2, 1.0, size=5))
    if kind in ("matrix", "shared"):
        model["omega"] = unit(rng.normal(size=(rows, 5)))
    if kind in ("local", "shared"):
        width = 5 if kind == "local" else rows
        model["group"] = group
        model["local"] = [
            unit(rng.normal(size=(rows, width))) for _ in range(group.max() + 1)
        ]
    return model


def as_variables(model, center=0.0):
    """The same model as the library holds it: form, layout, parameters."""
    group = model.get("group", np.zeros(len(model["W"])))
    first = np.concatenate([[0], np.cumsum(PER_CLASS)]).astype(np.intp)
    parameters = Variables(
        model["W"] - center,
        np.array(model["omega"]) if "omega" in model else None,
        np.stack(model["local"]) if "local" in model else None,
    )
    return FORMS[model["kind"]], Layout(first, group.astype(np.intp)), parameters


def as_training_set(X, y, weights=None, allow_nan=False):
    """Objects as the library holds them, around a centre that is not their mean."""
    weights = np.ones(len(X)) if weights is None else weights
    center = np.linspace(-1.0, 1.0, X.shape[1])
    classes = np.asarray(y, dtype=np.intp)
    return Rows(X, np.arange(3), classes, weights, center=center, allow_nan=allow_nan)
