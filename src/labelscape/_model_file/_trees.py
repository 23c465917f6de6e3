"""A decision tree of scikit-learn as plain arrays, and back.

Its loops trust the numbers of nodes and features that they find, and would read outside
of the arrays. So a tree from a file is checked node by node.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._model_file._errors import ModelFileError

FIELDS = (
    "left_child",
    "right_child",
    "feature",
    "threshold",
    "impurity",
    "n_node_samples",
    "weighted_n_node_samples",
    "missing_go_to_left",
)
TREE_PARTS = {"n_features", "n_classes", "max_depth", "values", *FIELDS}
_LEAF = -1
_DEEPEST = 100_000


def is_tree(value: Any) -> bool:
    """Return whether a value is the tree of a fitted decision tree."""
    return type(value).__name__ == "Tree" and type(value) is _tree_class()


def tree_parts(tree: Any) -> dict[str, Any]:
    """Return the parts of a tree, each of them plain."""
    state = tree.__getstate__()
    nodes = state["nodes"]
    return {
        "n_features": int(tree.n_features),
        "n_classes": [int(n) for n in np.atleast_1d(tree.n_classes)],
        "max_depth": int(state["max_depth"]),
        "values": np.ascontiguousarray(state["values"]),
        **{name: np.ascontiguousarray(nodes[name]) for name in FIELDS},
    }


def tree_from(parts: dict[str, Any]) -> Any:
    """Return the tree of these parts, if it is one."""
    n_features, n_classes = parts["n_features"], parts["n_classes"]
    _check_sizes(n_features, n_classes, parts["max_depth"])
    nodes = _nodes(parts)
    _check_nodes(nodes, n_features)
    values = parts["values"]
    shape = (len(nodes), 1, n_classes[0])
    if not _is_floats(values) or values.shape != shape or not _is_sound(values):
        raise _no_tree(f"values of shape {shape}")
    tree = _tree_class()(n_features, np.array(n_classes, dtype=np.intp), 1)
    tree.__setstate__(
        {
            "max_depth": parts["max_depth"],
            "node_count": len(nodes),
            "nodes": nodes,
            "values": np.ascontiguousarray(values),
        }
    )
    return tree


@cache
def _example() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_


def _tree_class() -> Any:
    return type(_example())


def _check_sizes(n_features: Any, n_classes: Any, max_depth: Any) -> None:
    fine = (
        type(n_features) is int
        and n_features >= 1
        and type(n_classes) is list
        and len(n_classes) == 1
        and type(n_classes[0]) is int
        and n_classes[0] >= 1
        and type(max_depth) is int
        and 0 <= max_depth <= _DEEPEST
    )
    if not fine:
        raise _no_tree("numbers of features and classes, and a depth")


def _nodes(parts: dict[str, Any]) -> NDArray[Any]:
    """Return the nodes as this version of scikit-learn keeps them."""
    dtype = _example().__getstate__()["nodes"].dtype
    if set(dtype.names) != set(FIELDS):
        raise ModelFileError(
            "it holds a decision tree, and this version of scikit-learn keeps trees in "
            "another way. Install the version that the model was saved with"
        )
    columns = {name: parts[name] for name in FIELDS}
    lengths = {array.shape for array in columns.values() if type(array) is np.ndarray}
    fine = len(lengths) == 1 and all(
        type(array) is np.ndarray and array.ndim == 1 and array.dtype == dtype[name]
        for name, array in columns.items()
    )
    if not fine or not len(parts["feature"]):
        raise _no_tree("arrays of one length for all nodes")
    nodes = np.zeros(len(parts["feature"]), dtype=dtype)
    for name, array in columns.items():
        nodes[name] = array
    return nodes


def _check_nodes(nodes: NDArray[Any], n_features: int) -> None:
    """Raise unless every way down ends in a leaf, past features that there are."""
    left, right, at = nodes["left_child"], nodes["right_child"], np.arange(len(nodes))
    is_leaf = left == _LEAF
    inner = ~is_leaf
    fine = (right[is_leaf] == _LEAF).all() and all(
        ((child[inner] > at[inner]) & (child[inner] < len(nodes))).all()
        for child in (left, right)
    )
    if not fine:
        raise _no_tree("children that come after their parents")
    feature = nodes["feature"][inner]
    if not ((feature >= 0) & (feature < n_features)).all():
        raise _no_tree(f"features below {n_features}")
    if np.isnan(nodes["threshold"][inner]).any():
        raise _no_tree("thresholds that are numbers")


def _is_floats(values: Any) -> bool:
    return type(values) is np.ndarray and values.dtype == np.float64


def _is_sound(values: NDArray[Any]) -> bool:
    """Whether each node has shares of the classes, not all of them 0."""
    return bool(
        np.isfinite(values).all() and (values >= 0).all() and (values.sum(2) > 0).all()
    )


def _no_tree(wanted: str) -> ModelFileError:
    return ModelFileError(f"it holds a decision tree without {wanted}")
