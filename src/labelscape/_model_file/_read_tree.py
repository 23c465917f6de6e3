"""From the tree of a manifest back to an estimator, trusting nothing in it."""

import inspect
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import labelscape
from labelscape._model_file._archive import part
from labelscape._model_file._declared import check_record
from labelscape._model_file._errors import ModelFileError
from labelscape._model_file._npy import dtype_named, from_bytes
from labelscape._model_file._registry import (
    model_named,
    record_fields,
    record_named,
)
from labelscape._model_file._steps import check_model, learned_of
from labelscape._model_file._trees import TREE_PARTS, tree_from
from labelscape._model_file._write_tree import DEEPEST


def model_from(tree: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Any:
    """Return the estimator that a tree describes, with all of the arrays in it."""
    reader = TreeReader(arrays)
    model = reader.estimator(tree)
    if reader.arrays:
        raise ModelFileError(f"it holds {min(reader.arrays)}, which belongs to nothing")
    return model


class TreeReader:
    """Turns the nodes that ``TreeWriter`` writes back into values."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.arrays = dict(arrays)
        self._readers: dict[str, Callable[[Any, int], Any]] = {
            "float": self._float,
            "tuple": lambda node, depth: tuple(self._items(node, depth)),
            "dict": self._dict,
            "scalar": self._scalar,
            "array": self._array,
            "objects": self._objects,
            "sparse": self._sparse,
            "dtype": self._dtype,
            "slice": self._slice,
            "tree": self._tree,
            "estimator": self.estimator,
            "record": self._record,
        }

    def estimator(self, node: Any, depth: int = 0) -> Any:
        """Return the estimator that a node describes."""
        node = _of_kind(node, dict)
        name = part(node, "class", str)
        cls = model_named(name)
        if cls is None:
            raise ModelFileError(
                f"it holds a model of class {name[:40]!r}, which Labelscape "
                f"{labelscape.__version__} does not have. If a newer one wrote it, "
                "upgrade with: pip install --upgrade labelscape"
            )
        parameters = self._named(part(node, "parameters", dict), depth)
        state = self._named(part(node, "state", dict), depth)
        known = inspect.signature(cls).parameters
        if unknown := sorted(parameters.keys() - known.keys()):
            raise ModelFileError(
                f"its {name} has the parameter {unknown[0][:40]!r}, which that of "
                f"Labelscape {labelscape.__version__} does not have. Load it with the "
                "version that wrote it (see its manifest.json), or fit the model again"
            )
        if state.keys() & known.keys():
            raise ModelFileError(f"its {name} has a parameter among learned attributes")
        declared = learned_of(cls)
        if strange := sorted(state.keys() - declared.keys() if declared else ()):
            raise ModelFileError(
                f"its {name} has the learned attribute {strange[0][:40]!r}, which that "
                f"of Labelscape {labelscape.__version__} does not have. Load it with "
                "the version that wrote it (see its manifest.json), or fit the model "
                "again"
            )
        model = cls(**parameters)
        vars(model).update(state)
        check_model(model)
        return model

    def node(self, node: Any, depth: int) -> Any:
        """Return the value of one JSON node."""
        if depth > DEEPEST:
            raise ModelFileError(f"its manifest is nested more than {DEEPEST} deep")
        if type(node) is list:
            return self._items(node, depth)
        if type(node) is not dict:
            return node
        if len(node) != 1 or (kind := next(iter(node))) not in self._readers:
            raise ModelFileError(
                f"its manifest holds an unknown value: {list(node)!r:.80}"
            )
        return self._readers[kind](node[kind], depth)

    def _items(self, node: Any, depth: int) -> list[Any]:
        return [self.node(item, depth + 1) for item in _of_kind(node, list)]

    def _named(self, node: dict[str, Any], depth: int) -> dict[str, Any]:
        return {name: self.node(value, depth + 1) for name, value in node.items()}

    def _float(self, node: Any, depth: int) -> float:
        return float(struct.unpack(">d", bytes.fromhex(_of_kind(node, str)))[0])

    def _dict(self, node: Any, depth: int) -> dict[Any, Any]:
        pairs = [_of_kind(pair, list) for pair in _of_kind(node, list)]
        return {self._plain(k): self.node(v, depth + 1) for k, v in pairs}

    def _plain(self, node: Any) -> Any:
        if type(node) is list or (
            type(node) is dict and set(node) - {"float", "scalar"}
        ):
            raise ModelFileError("its manifest has a container where a label should be")
        return self.node(node, 0)

    def _scalar(self, node: Any, depth: int) -> Any:
        dtype, digits = _of_kind(node, list)
        data = bytes.fromhex(_of_kind(digits, str))
        return from_bytes(data, dtype_named(_of_kind(dtype, str)), ())[()]

    def _array(self, node: Any, depth: int) -> NDArray[Any]:
        if node not in self.arrays:
            raise ModelFileError(
                f"its manifest refers to {node!r:.80}, missing or already used"
            )
        # Handed out once: two attributes never share memory after loading.
        return self.arrays.pop(node)

    def _objects(self, node: Any, depth: int) -> NDArray[Any]:
        items = part(_of_kind(node, dict), "items", list)
        array = np.empty(len(items), dtype=object)
        array[:] = [self._plain(item) for item in items]
        return array.reshape(part(node, "shape", list))

    def _sparse(self, node: Any, depth: int) -> Any:
        from scipy import sparse

        classes = {
            ("csr", True): sparse.csr_array,
            ("csr", False): sparse.csr_matrix,
            ("csc", True): sparse.csc_array,
            ("csc", False): sparse.csc_matrix,
        }
        node = _of_kind(node, dict)
        cls: Any = classes[part(node, "format", str), part(node, "new_style", bool)]
        data, indices, indptr = (
            self._array(part(part(node, key, dict), "array", str), depth)
            for key in ("data", "indices", "indptr")
        )
        matrix = cls((data, indices, indptr), shape=tuple(part(node, "shape", list)))
        # SciPy's loops trust the indices, and would read outside of the arrays.
        matrix.check_format(full_check=True)
        return matrix

    def _dtype(self, node: Any, depth: int) -> Any:
        name, is_class = _of_kind(node, list)
        dtype = np.dtype(object) if name == "|O" else dtype_named(_of_kind(name, str))
        return dtype.type if _of_kind(is_class, bool) else dtype

    def _slice(self, node: Any, depth: int) -> slice:
        start, stop = _of_kind(node, list)
        return slice(_of_kind(start, int), _of_kind(stop, int))

    def _tree(self, node: Any, depth: int) -> Any:
        parts = self._named(_of_kind(node, dict), depth)
        if parts.keys() != TREE_PARTS:
            raise ModelFileError("it holds a decision tree that lacks a part")
        return tree_from(parts)

    def _record(self, node: Any, depth: int) -> Any:
        name, fields = _of_kind(node, list)
        cls = record_named(_of_kind(name, str))
        given = set(_of_kind(fields, dict))
        if cls is None or given != set(record_fields(cls)):
            raise ModelFileError(
                f"it holds a record {name[:40]!r} that Labelscape "
                f"{labelscape.__version__} does not have in this form"
            )
        found = cls(**self._named(fields, depth))
        check_record(found)
        return found


def _of_kind(node: Any, kind: type) -> Any:
    if type(node) is not kind:
        raise ModelFileError(
            f"its manifest has {node!r:.40} where a {kind.__name__} should be"
        )
    return node
