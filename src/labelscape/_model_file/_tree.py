"""Conversion of estimators to JSON values and numbered arrays, and back."""

import inspect
import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import issparse, sparray

import labelscape
from labelscape._core.errors import shown
from labelscape._core.estimator import LISTENERS
from labelscape._core.rows.kinds import as_numpy
from labelscape._core.types import Array
from labelscape._model_file._archive import (
    KINDS,
    ModelFileError,
    array_name,
    dtype_named,
)
from labelscape._model_file._declared import (
    check_model,
    check_record,
    check_step,
    declared_of,
    is_step,
    state_of,
)
from labelscape._model_file._registry import (
    model_named,
    name_of,
    record_fields,
    record_named,
)
from labelscape._model_file._skops import dumped, is_other, loaded

# Callbacks belong to a fit, not to its result.
_WATCHERS = frozenset({"callback"})


class TreeWriter:
    """Converts values to JSON nodes, and collects the arrays that they refer to."""

    # A value that JSON does not have is an object whose only key names its type.

    def __init__(self, include_data: bool = False) -> None:
        self.include_data = include_data
        self.arrays: list[Array] = []
        self.samples: list[str] = []  # paths of attributes with samples of the fit
        self.others: list[str] = []  # models that skops stores

    def estimator(self, model: Any, where: str) -> dict[str, Any]:
        """Return the class, parameters and fitted attributes of an estimator."""
        if not name_of(model):
            content = np.frombuffer(dumped(model, where), np.uint8)
            self.others.append(where)
            return {"class": type(model).__name__, "skops": self._array(content, where)}
        parameters = model.get_params(deep=False)
        rebuilt = getattr(model, "_rebuilt", ())  # restored when needed
        left = {*rebuilt, LISTENERS}
        fitted = {k: v for k, v in state_of(model).items() if k not in left}
        data = () if self.include_data else getattr(model, "_training_data", ())
        saved = {k: v for k, v in fitted.items() if k not in data}
        if not self.include_data:
            saved |= getattr(model, "_without_data", dict)()
            held: tuple[str, ...] = getattr(model, "_held_samples", tuple)()
            self.samples += [f"{where}.{k}" for k in held]
        if is_step(type(model)):
            check_step(model)
        parameters |= dict.fromkeys(_WATCHERS & parameters.keys())
        return {
            "class": type(model).__name__,
            "parameters": self._named(parameters, where),
            "state": self._named(saved, where),
            "left_out": [name for name in fitted if name not in saved],
        }

    def node(self, value: Any, where: str) -> Any:
        """Return one value as a JSON node; error messages call it ``where``."""
        value = as_numpy(value)  # files do not store devices
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            if math.isfinite(value):
                return value
            return {"float": struct.pack(">d", value).hex()}
        if type(value) is list:
            return self._items(value, where)
        if type(value) is tuple:
            return {"tuple": self._items(value, where)}
        if type(value) is dict:
            return {"dict": self._pairs(value, where)}
        if isinstance(value, np.generic) and value.dtype.kind in KINDS:
            # Stored as an array: the bytes of empty text may not match its dtype.
            array = np.asarray(value)
            return {"scalar": [array.dtype.str, array.tobytes().hex()]}
        if type(value) in (np.ndarray, np.memmap):
            return self._array(value, where)
        if issparse(value) and value.format in ("csr", "csc"):
            return {"sparse": self._sparse(value)}
        is_number_type = isinstance(value, type) and issubclass(value, np.number)
        if isinstance(value, np.dtype) or is_number_type:
            return {"dtype": [np.dtype(value).str, is_number_type]}
        if name_of(value) or is_other(value):
            return {"estimator": self.estimator(value, where)}
        if name := name_of(value, record_named):
            fields = {k: getattr(value, k) for k in record_fields(type(value))}
            if not self.include_data:
                fields |= dict.fromkeys(getattr(value, "_training_data", ()))
            return {"record": [name, self._named(fields, where)]}
        raise TypeError(_refusal(value, where))

    def _items(self, values: Any, where: str) -> list[Any]:
        return [self.node(v, f"{where}[{i}]") for i, v in enumerate(values)]

    def _pairs(self, values: dict[Any, Any], where: str) -> list[Any]:
        return [
            [self.node(k, f"a key of {where}"), self.node(v, f"{where}[{shown(k)}]")]
            for k, v in values.items()
        ]

    def _named(self, values: dict[str, Any], where: str) -> dict[str, Any]:
        return {
            name: self.node(value, f"{where}.{name}") for name, value in values.items()
        }

    def _array(self, array: Array, where: str) -> dict[str, Any]:
        if array.dtype.kind == "O":
            items = [self.node(v, f"an object in {where}") for v in array.flat]
            return {"objects": {"shape": list(array.shape), "items": items}}
        if array.dtype.kind not in KINDS:
            raise TypeError(
                f"save: {where} is an array of dtype {array.dtype}. A model file can "
                "contain arrays of numbers, text, bytes, truth values and dates. "
                "Convert it first, for example with astype(str)."
            )
        self.arrays.append(array)
        return {"array": array_name(len(self.arrays) - 1)}

    def _sparse(self, matrix: Any) -> dict[str, Any]:
        return {
            "format": matrix.format,
            "new_style": isinstance(matrix, sparray),
            "shape": [int(n) for n in matrix.shape],
            "data": self._array(matrix.data, "sparse data"),
            "indices": self._array(matrix.indices, "sparse indices"),
            "indptr": self._array(matrix.indptr, "sparse indptr"),
        }


def _refusal(value: Any, where: str) -> str:
    if isinstance(value, np.random.RandomState | np.random.Generator):
        name = where.rpartition(".")[2]
        return (
            f"save: {where} is a random generator, and a model file cannot store its "
            f"state. Pass a whole number instead: model.set_params({name}=0)."
        )
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    return (
        f"save: {where} is {shown(value)} of type {kind}, and a model file can only "
        "contain arrays, numbers, text, plain containers and estimators of Labelscape, "
        "so that loading it cannot run code. Replace it before saving, with set_params "
        "if it is a parameter."
    )


class TreeReader:
    """Converts nodes to values; `load` turns its errors into messages."""

    def __init__(self, arrays: dict[str, Array]) -> None:
        self.arrays = arrays
        self._readers: dict[str, Callable[[Any], Any]] = {
            "float": lambda digits: struct.unpack(">d", bytes.fromhex(digits))[0],
            "tuple": lambda node: tuple(self.node(node)),
            "dict": lambda node: {self.node(k): self.node(v) for k, v in node},
            "scalar": self._scalar,
            "array": lambda name: self.arrays[name],
            "objects": self._objects,
            "sparse": self._sparse,
            "dtype": self._dtype,
            "estimator": self.estimator,
            "record": self._record,
        }

    def estimator(self, node: dict[str, Any]) -> Any:
        """Return the estimator that a node describes."""
        name = node["class"]
        if "skops" in node:
            return loaded(self.node(node["skops"]).tobytes(), name)
        cls = model_named(name)
        if cls is None:
            raise ModelFileError(
                f"it contains a model of class {name[:40]!r}, which Labelscape "
                f"{labelscape.__version__} does not have. If a newer one wrote it, "
                "upgrade with: pip install --upgrade labelscape"
            )
        parameters, state = self._named(node["parameters"]), self._named(node["state"])
        declared = declared_of(cls)
        for what, given, known in (
            ("parameter", parameters, inspect.signature(cls).parameters),
            ("learned attribute", state, declared or state),
        ):
            if unknown := sorted(given.keys() - known.keys()):
                raise ModelFileError(
                    f"its {name} has the {what} {unknown[0][:40]!r}, which does not "
                    f"exist in Labelscape {labelscape.__version__}. Load the file with "
                    "the version that wrote it (see its manifest.json), or fit the "
                    "model again"
                )
        model = cls(**parameters)
        vars(model).update(state)
        check_model(model)
        return model

    def node(self, node: Any) -> Any:
        """Return the value of one JSON node."""
        if isinstance(node, list):
            return [self.node(item) for item in node]
        if not isinstance(node, dict):
            return node
        [(kind, content)] = node.items()
        if kind not in self._readers:
            raise ModelFileError(f"its manifest contains an unknown kind: {kind!r:.80}")
        return self._readers[kind](content)

    def _named(self, node: dict[str, Any]) -> dict[str, Any]:
        return {name: self.node(value) for name, value in node.items()}

    def _scalar(self, node: Any) -> Any:
        dtype, digits = node
        return np.ndarray((), dtype_named(dtype), bytes.fromhex(digits))[()]

    def _objects(self, node: Any) -> Array:
        items = self.node(node["items"])
        return np.fromiter(items, dtype=object, count=len(items)).reshape(node["shape"])

    def _sparse(self, node: Any) -> Any:
        is_new = node["new_style"]
        cls = {
            "csr": sparse.csr_array if is_new else sparse.csr_matrix,
            "csc": sparse.csc_array if is_new else sparse.csc_matrix,
        }[node["format"]]
        parts = tuple(self.node(node[key]) for key in ("data", "indices", "indptr"))
        matrix: Any = cls(parts, shape=tuple(node["shape"]))
        # SciPy does not check indices, and would read outside the arrays.
        matrix.check_format(full_check=True)
        return matrix

    def _dtype(self, node: Any) -> Any:
        name, is_class = node
        dtype = np.dtype(object) if name == "|O" else dtype_named(name)
        return dtype.type if is_class else dtype

    def _record(self, node: Any) -> Any:
        name, fields = node
        cls = record_named(name)
        if cls is None or set(fields) != set(record_fields(cls)):
            raise ModelFileError(
                f"it contains a record {name[:40]!r} that does not exist in Labelscape "
                f"{labelscape.__version__}, or has other fields there"
            )
        record = cls(**self._named(fields))
        check_record(record)
        return record
