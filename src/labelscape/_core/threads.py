"""Work on blocks of rows with several threads, and the same bits with any number.

The division into blocks depends on the sizes of the arrays alone, never on the number
of threads, and inside a block BLAS runs on one thread. So a result is a pure function
of the data.
"""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import joblib
from threadpoolctl import ThreadpoolController

T = TypeVar("T")

BLOCK_BYTES = 8 * 2**20

_thread = threading.local()


def n_threads() -> int:
    """Return how many threads to use: usable cores, or fewer if OpenMP is limited."""
    cores = _usable_cores()
    limit = os.environ.get("OMP_NUM_THREADS", "")  # set by joblib in its workers
    return max(1, min(cores, int(limit))) if limit.isdecimal() else cores


def n_workers(n_jobs: int | None) -> int:
    """Return how many threads ``n_jobs`` asks for, as in scikit-learn: one per core."""
    if n_jobs is None:
        return 1
    cores = n_threads()
    return min(n_jobs, cores) if n_jobs > 0 else max(1, cores + 1 + n_jobs)


def row_blocks(n_rows: int, row_bytes: int, budget: int = BLOCK_BYTES) -> list[slice]:
    """Cut ``n_rows`` rows into slices whose temporaries fit in ``budget`` bytes."""
    step = max(1, budget // max(1, row_bytes))
    return [slice(i, min(i + step, n_rows)) for i in range(0, n_rows, step)]


def map_blocks(function: Callable[[slice], T], blocks: list[slice]) -> list[T]:
    """Apply ``function`` to every block and return the results in the blocks' order."""
    # Workers that waited for workers could wait forever.
    if getattr(_thread, "is_worker", False):
        return [function(block) for block in blocks]
    workers = min(n_threads(), len(blocks))
    with one_blas_thread():
        if workers <= 1:
            return [function(block) for block in blocks]
        return list(_pool(workers, os.getpid()).map(function, blocks))


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS on one thread, because how it splits a sum depends on their number."""
    with _threadpools().limit(limits=1, user_api="blas"):
        yield


@contextmanager
def as_one_of_many() -> Iterator[None]:
    """Work on one of many chunks: others use the cores, so blocks go one by one."""
    before = getattr(_thread, "is_worker", False)
    _thread.is_worker = True
    try:
        with _one_blas_thread_for_all:
            yield
    finally:
        _thread.is_worker = before


# With a limit each, the first thread that is done would end that of the others.
class _SharedLimit:
    """One BLAS thread in all the process, from the first that enters to the last."""

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._limit = one_blas_thread()
                self._limit.__enter__()
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limit.__exit__(None, None, None)


_one_blas_thread_for_all = _SharedLimit()


@cache
def _usable_cores() -> int:
    return int(joblib.cpu_count())  # knows of CPU sets and of container limits


@cache
def _pool(workers: int, process: int) -> ThreadPoolExecutor:
    # Kept between calls, because iterations are short. A forked child inherits this
    # cache but not the threads, hence the process id among the keys.
    def mark() -> None:
        _thread.is_worker = True

    name = "labelscape"
    return ThreadPoolExecutor(workers, thread_name_prefix=name, initializer=mark)


@cache
def _threadpools() -> ThreadpoolController:
    # Looking for the loaded BLAS libraries takes milliseconds, so it is done once:
    # after SciPy has loaded its own.
    import scipy.linalg  # noqa: F401

    return ThreadpoolController()
