"""Threads that compute blocks of rows; results do not depend on their number.

The division into blocks depends only on the sizes of the arrays, not on the number of
threads, and inside a block BLAS runs on one thread. So results depend only on the data.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ContextDecorator, contextmanager
from functools import cache
from queue import SimpleQueue
from typing import Any, TypeVar

import joblib
from threadpoolctl import ThreadpoolController

T = TypeVar("T")

BLOCK_BYTES = 8 * 2**20

_thread = threading.local()


def n_threads() -> int:
    """Return the number of threads: usable cores, or fewer if OpenMP is limited."""
    cores = _usable_cores()
    limit = os.environ.get("OMP_NUM_THREADS", "")  # set by joblib in its workers
    return max(1, min(cores, int(limit))) if limit.isdecimal() else cores


def n_workers(n_jobs: int | None) -> int:
    """Return how many threads ``n_jobs`` means; by default, one per core."""
    if n_jobs is None:
        return 1
    cores = n_threads()
    return min(n_jobs, cores) if n_jobs > 0 else max(1, cores + 1 + n_jobs)


def row_blocks(n_rows: int, row_bytes: int, budget: int = BLOCK_BYTES) -> list[slice]:
    """Divide rows into slices whose temporary arrays fit in ``budget`` bytes."""
    step = max(1, budget // max(1, row_bytes))
    return [slice(i, min(i + step, n_rows)) for i in range(0, n_rows, step)]


def map_blocks(function: Callable[[Any], T], blocks: Iterable[Any]) -> list[T]:
    """Apply a function to blocks, also in nested calls; return results in order."""
    blocks = list(blocks)
    workers = 1 if getattr(_thread, "is_alone", False) else n_threads()
    with one_blas_thread():
        if min(workers, len(blocks)) <= 1:
            return [function(block) for block in blocks]
        return _SharedWork(function, blocks).done(workers)


class _SharedWork:
    """Blocks that are computed by the calling thread and by idle threads."""

    # A caller only waits for blocks that a thread has begun. So workers that distribute
    # blocks themselves cannot wait for each other.
    def __init__(self, function: Callable[[Any], Any], blocks: list[Any]) -> None:
        self._results: list[Any] = [None] * len(blocks)
        self._apply, self._n_blocks = (lambda i: function(blocks[i])), len(blocks)
        self._left = iter(range(len(blocks)))  # one thread computes each index
        self._errors: dict[int, BaseException] = {}
        self._busy, self._change = 0, threading.Condition()

    def done(self, workers: int) -> list[Any]:
        """Return all results, computed with the help of idle threads."""
        for _ in range(min(workers, self._n_blocks) - 1):
            _offers(workers, os.getpid()).put(self)
        self.work()
        with self._change:
            self._change.wait_for(lambda: not self._busy)
        results = self._results
        del self._apply, self._results  # frees the data
        if self._errors:
            raise self._errors[min(self._errors)]
        return results

    def work(self) -> None:
        """Compute blocks until none is left."""
        with self._change:
            self._busy += 1
        while (i := next(self._left, None)) is not None:
            try:
                self._results[i] = self._apply(i)
            except BaseException as error:  # the caller raises it
                self._errors[i], self._left = error, iter(())
        with self._change:
            self._busy -= 1
            self._change.notify_all()


class _OneBlasThread(ContextDecorator):
    """Limits BLAS to one thread while any thread is inside this context."""

    # With a limit per thread, the first thread to leave would end all limits.
    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._limit = _threadpools().limit(limits=1, user_api="blas")
                self._limit.__enter__()
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limit.__exit__(None, None, None)


_shared_limit = _OneBlasThread()


def one_blas_thread() -> _OneBlasThread:
    """Limit BLAS to one thread, because its sums depend on the number of threads."""
    return _shared_limit


def one_openmp_thread() -> Any:
    """Limit scikit-learn's loops in this thread to one OpenMP thread."""
    return _threadpools().limit(limits=1, user_api="openmp")


@contextmanager
def as_one_of_many() -> Iterator[None]:
    """Compute blocks one by one in this thread, because other chunks use the cores."""
    before = getattr(_thread, "is_alone", False)
    _thread.is_alone = True
    try:
        with one_blas_thread():
            yield
    finally:
        _thread.is_alone = before


@cache
def _usable_cores() -> int:
    return int(joblib.cpu_count())  # respects CPU sets and container limits


@cache
def _offers(workers: int, process: int) -> SimpleQueue[_SharedWork]:
    # Reused between calls, because iterations are short. A forked process inherits this
    # cache but not the threads, so the process id is a part of the key.
    offers: SimpleQueue[_SharedWork] = SimpleQueue()

    def serve() -> None:
        while True:
            offers.get().work()

    for _ in range(workers - 1):  # the caller computes, too
        threading.Thread(target=serve, daemon=True, name="labelscape").start()
    return offers


@cache
def _threadpools() -> ThreadpoolController:
    # Finding the loaded libraries takes milliseconds, so it is done once, after SciPy
    # has loaded its BLAS and scikit-learn its OpenMP.
    import scipy.linalg  # noqa: F401
    import sklearn.utils._openmp_helpers  # noqa: F401

    return ThreadpoolController()
