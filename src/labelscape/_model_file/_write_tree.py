"""From an estimator to a tree of JSON values, with its arrays set aside."""

import math
import struct
from collections import UserList
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import shown
from labelscape._core.fits.callbacks import LISTENERS
from labelscape._core.points.arrays import as_numpy
from labelscape._model_file._archive import array_name
from labelscape._model_file._npy import KINDS
from labelscape._model_file._registry import (
    name_of,
    record_fields,
    record_named,
)
from labelscape._model_file._steps import (
    check_step,
    held_by,
    is_step,
    state_of,
)
from labelscape._model_file._trees import is_tree, tree_parts

# Deeper than any model, and far from the recursion limit; a value that contains itself
# ends here too.
DEEPEST = 64

# Callbacks watch a fit and are no part of what was learned.
_WATCHERS = frozenset({"callback"})


class TreeWriter:
    """Turns values into JSON nodes, and collects the arrays they refer to.

    None, truth values, whole numbers, finite floats, text and lists are what they are
    in JSON. All else is an object with one key, which says what it is.
    """

    def __init__(self, include_data: bool = False) -> None:
        self.include_data = include_data
        self.arrays: list[NDArray[Any]] = []
        self.objects: list[str] = []  # where objects of the fit are, all the same

    def estimator(self, model: Any, where: str, depth: int = 0) -> dict[str, Any]:
        """Return the class, parameters and fitted attributes of an estimator."""
        parameters = model.get_params(deep=False)
        rebuilt = getattr(model, "_rebuilt", ())  # what a model makes anew when asked
        left = {*rebuilt, LISTENERS}
        fitted = {k: v for k, v in state_of(model).items() if k not in left}
        data = () if self.include_data else getattr(model, "_training_data", ())
        kept = {k: v for k, v in fitted.items() if k not in data}
        if not self.include_data:
            kept |= getattr(model, "_without_data", dict)()
            self.objects += [f"{where}.{k}" for k in held_by(model)]
        if is_step(type(model)):
            check_step(model)
        parameters |= dict.fromkeys(_WATCHERS & parameters.keys())
        return {
            "class": type(model).__name__,
            "parameters": self._named(parameters, where, depth),
            "state": self._named(kept, where, depth),
            "left_out": [name for name in fitted if name not in kept],
        }

    def node(self, value: Any, where: str, depth: int) -> Any:
        """Return one value as a JSON node; ``where`` names it in errors."""
        if depth > DEEPEST:
            raise TypeError(
                f"save: {where[:80]}... is nested more than {DEEPEST} deep, or "
                "contains itself. A model file holds plain, shallow values."
            )
        value = as_numpy(value)  # a file knows no device
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            if math.isfinite(value):
                return value
            return {"float": struct.pack(">d", value).hex()}
        if type(value) is list:
            return self._items(value, where, depth)
        if isinstance(value, UserList):  # as older versions of scikit-learn have them
            return self._items(value.data, where, depth)
        if type(value) is tuple:
            return {"tuple": self._items(value, where, depth)}
        if type(value) is dict:
            return {"dict": self._pairs(value, where, depth)}
        if isinstance(value, np.generic) and value.dtype.kind in KINDS:
            # As an array, because empty text has other bytes than its own dtype says.
            array = np.asarray(value)
            return {"scalar": [array.dtype.str, array.tobytes().hex()]}
        if type(value) in (np.ndarray, np.memmap):
            return self._array(value, where)
        if _is_compressed_sparse(value):
            return {"sparse": self._sparse(value)}
        if isinstance(value, np.dtype) or _is_number_type(value):
            return {"dtype": _dtype_node(value, where)}
        if type(value) is slice and _is_plain(value):
            return {"slice": [value.start, value.stop]}
        if is_tree(value):
            return {"tree": self._named(tree_parts(value), where, depth)}
        if name_of(value):
            return {"estimator": self.estimator(value, where, depth)}
        if name := name_of(value, record_named):
            fields = {k: getattr(value, k) for k in record_fields(type(value))}
            if not self.include_data:
                fields |= dict.fromkeys(getattr(value, "_training_data", ()))
            return {"record": [name, self._named(fields, where, depth)]}
        raise TypeError(_refusal(value, where))

    def _items(self, values: Any, where: str, depth: int) -> list[Any]:
        return [self.node(v, f"{where}[{i}]", depth + 1) for i, v in enumerate(values)]

    def _pairs(self, values: dict[Any, Any], where: str, depth: int) -> list[Any]:
        return [
            [
                self._plain(key, f"a key of {where}"),
                self.node(value, f"{where}[{shown(key)}]", depth + 1),
            ]
            for key, value in values.items()
        ]

    def _named(self, values: dict[str, Any], where: str, depth: int) -> dict[str, Any]:
        return {
            name: self.node(value, f"{where}.{name}", depth + 1)
            for name, value in values.items()
        }

    def _plain(self, value: Any, where: str) -> Any:
        """Return the node of a class label: a number, text, a truth value or None."""
        if (
            value is None
            or type(value) in (bool, int, float, str)
            or isinstance(value, np.generic)
        ):
            return self.node(value, where, 0)
        raise TypeError(
            f"save: {where} is {shown(value)}. A model file holds numbers, text, truth "
            "values and None there."
        )

    def _array(self, array: NDArray[Any], where: str) -> dict[str, Any]:
        if array.dtype.kind == "O":
            items = [self._plain(v, f"an object in {where}") for v in array.flat]
            return {"objects": {"shape": list(array.shape), "items": items}}
        if array.dtype.kind not in KINDS:
            raise TypeError(
                f"save: {where} is an array of dtype {array.dtype}. A model file holds "
                "arrays of numbers, text, bytes, truth values and dates: convert it, "
                "for text with astype(str)."
            )
        self.arrays.append(array)
        return {"array": array_name(len(self.arrays) - 1)}

    def _sparse(self, matrix: Any) -> dict[str, Any]:
        from scipy.sparse import sparray

        return {
            "format": matrix.format,
            "new_style": isinstance(matrix, sparray),
            "shape": [int(n) for n in matrix.shape],
            "data": self._array(matrix.data, "sparse data"),
            "indices": self._array(matrix.indices, "sparse indices"),
            "indptr": self._array(matrix.indptr, "sparse indptr"),
        }


def _is_number_type(value: Any) -> bool:
    """Return whether a value is NumPy's class of a number, such as np.float64."""
    return isinstance(value, type) and issubclass(value, np.number)


def _is_plain(value: slice) -> bool:
    """Return whether a slice goes from one number to another."""
    return type(value.start) is type(value.stop) is int and value.step is None


def _dtype_node(value: Any, where: str) -> list[Any]:
    """Return the name of a dtype, and whether it is a class of numbers."""
    dtype = np.dtype(value)
    if dtype.kind not in KINDS and dtype.kind != "O":
        raise TypeError(_refusal(value, where))
    return [dtype.str, isinstance(value, type)]


def _is_compressed_sparse(value: Any) -> bool:
    from scipy.sparse import issparse

    return (
        bool(issparse(value))
        and value.format in ("csr", "csc")
        and value.ndim == 2
        and value.dtype.kind in KINDS
    )


def _refusal(value: Any, where: str) -> str:
    if isinstance(value, np.random.RandomState | np.random.Generator):
        name = where.rpartition(".")[2]
        return (
            f"save: {where} is a random generator, whose state is not kept in a model "
            f"file. Pass a whole number instead: model.set_params({name}=0)."
        )
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    return (
        f"save: {where} is {shown(value)} of type {kind}, and a model file holds only "
        "arrays, numbers, text, plain containers and estimators of Labelscape, so that "
        "loading it can not run code. Replace it before saving, with set_params if it "
        "is a parameter."
    )
