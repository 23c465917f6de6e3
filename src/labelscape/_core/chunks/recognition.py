"""What chunked data are, known without an import of Dask."""

import warnings
from typing import Any

from labelscape._core.errors import InputTypeError, InputWarning


def is_chunked(X: Any) -> bool:
    """Return whether this is a collection of Dask, whose chunks may be anywhere."""
    if isinstance(X, type) or not hasattr(X, "__dask_graph__"):
        return False
    # Those of xarray have the method whatever they hold, and then it returns None.
    is_of_dask = type(X).__module__.partition(".")[0] == "dask"
    return is_of_dask or X.__dask_graph__() is not None


def is_frame(X: Any) -> bool:
    """Return whether chunked data are a data frame or a column of one."""
    # A Delayed has every attribute that it is asked for.
    return isinstance(getattr(X, "npartitions", None), int) and hasattr(X, "loc")


def is_array(X: Any) -> bool:
    """Return whether chunked data are an array."""
    return isinstance(getattr(X, "chunks", None), tuple) and hasattr(X, "to_delayed")


def in_memory(X: Any, *, owner: str, name: str = "X", stacklevel: int = 4) -> Any:
    """Return chunked data as one that is not, with a warning; others as they are."""
    if not is_chunked(X):
        return X
    warnings.warn(
        InputWarning(
            f"{owner} works in memory, so all chunks of {name} are gathered. If that "
            f"is too much, pass a sample of {name} with .compute()."
        ),
        stacklevel=stacklevel,
    )
    return X.compute()


def check_in_memory(value: Any, *, owner: str, name: str) -> None:
    """Raise if an argument is chunked that must fit into memory."""
    if is_chunked(value):
        raise InputTypeError(
            f"{name} must fit into memory, and is chunked. Pass a sample of it, with "
            ".compute().",
            owner=owner,
            parameter=name,
        )
