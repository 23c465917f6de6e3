"""Work on chunks where they are, and sums of what comes out in one fixed order.

What all tasks need, such as a model, goes out once and stands beside them in the graph:
a worker that dies takes nothing along that could not be computed again.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import uuid4

from labelscape._core.threads import as_one_of_many

# So many neighbors are added up at a time.
FAN_IN = 8
# Of the memory of a cluster, objects may take this share; without one, so many bytes.
SHARE_KEPT, BYTES_KEPT = 0.4, 2**30


def task(
    function: Callable[..., Any], *arguments: Any, called: str | None = None
) -> Any:
    """Return a call that is made where its arguments are, as one of many.

    ``called`` is its name in the progress that Dask shows.
    """
    from dask import delayed

    name = str(called or getattr(function, "__name__", "task")).strip("_")
    key = f"{name}-{uuid4().hex}"
    return delayed(_as_one, pure=False)(function, *arguments, dask_key_name=key)


def shipped(model: Any) -> Any:
    """Return what all tasks need, for a graph to hold once."""
    from dask import delayed

    return delayed(model, traverse=False)


def tree(add: Callable[[Any, Any], Any], parts: Sequence[Any]) -> Any:
    """Return the sum of parts, neighbors first.

    The order depends on the number of parts alone, and not on which is done first: so
    the last bits are the same on every cluster.
    """
    level = list(parts)
    while len(level) > 1:
        groups = [level[i : i + FAN_IN] for i in range(0, len(level), FAN_IN)]
        level = [task(_added, add, group) for group in groups]
    return level[0]


def computed(parts: Iterable[Any]) -> list[Any]:
    """Return what tasks give, in their order."""
    import dask

    return list(dask.compute(*parts))


def kept(parts: Sequence[Any], n_bytes: int) -> list[Any]:
    """Return parts that stay where they were computed, if there is room for them.

    Where there is not, each pass over the data reads them again.
    """
    import dask

    return list(dask.persist(*parts)) if n_bytes <= _room() else list(parts)


def added_up(a: Any, b: Any) -> Any:
    """Return the sum of two results, part by part."""
    if a is None:
        return None
    if isinstance(a, tuple):
        parts = [added_up(x, y) for x, y in zip(a, b, strict=True)]
        return type(a)(*parts) if hasattr(a, "_fields") else tuple(parts)
    return a + b


def _as_one(function: Callable[..., Any], *arguments: Any) -> Any:
    with as_one_of_many():
        return function(*arguments)


def _added(add: Callable[[Any, Any], Any], parts: Sequence[Any]) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = add(total, part)
    return total


def _room() -> float:
    """Return how many bytes of objects the workers can keep between two passes."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return BYTES_KEPT
    try:
        client = distributed.default_client()
    except ValueError:  # there is none
        return BYTES_KEPT
    limits: dict[str, int] = client.run(_memory_limit)
    return SHARE_KEPT * sum(limits.values())


def _memory_limit(dask_worker: Any = None) -> int:
    return int(dask_worker.memory_manager.memory_limit or 2**40)
