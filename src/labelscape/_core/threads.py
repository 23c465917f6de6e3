"""Threads that compute blocks of rows, and settings that threads share.

The division into blocks depends only on the sizes of the arrays, not on the number of
threads, and inside a block BLAS runs on one thread. So results depend only on the data.
"""

import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ContextDecorator, contextmanager
from contextvars import ContextVar, copy_context
from functools import cache, partial
from queue import SimpleQueue
from typing import Any, TypeVar

import joblib
from threadpoolctl import ThreadpoolController

T = TypeVar("T")

BLOCK_BYTES = 8 * 2**20

_thread = threading.local()
_work_of: ContextVar["_SharedWork | None"] = ContextVar("work", default=None)


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
    if (outer := _work_of.get()) is not None and outer.is_stopped:
        raise KeyboardInterrupt  # ends the block that this helper computes
    workers = 1 if getattr(_thread, "is_alone", False) else n_threads()
    with one_blas_thread():
        if min(workers, len(blocks)) <= 1:
            return [function(block) for block in blocks]
        return _SharedWork(function, blocks).done(workers)


class _SharedWork:
    """Blocks that are computed by the calling thread and by idle threads."""

    # A caller only waits for blocks that a thread has begun. So workers that distribute
    # blocks themselves cannot wait for each other. After Ctrl+C, the caller does not
    # wait, and helpers stop at their next block, also of work inside a block.
    def __init__(self, function: Callable[[Any], Any], blocks: list[Any]) -> None:
        self._outer, self._is_interrupted = _work_of.get(), False
        self._results: list[Any] = [None] * len(blocks)
        self._apply, self._n_blocks = (lambda i: function(blocks[i])), len(blocks)
        self._left = iter(range(len(blocks)))  # one thread computes each index
        self._errors: dict[int, BaseException] = {}
        self._busy, self._change = 0, threading.Condition()

    def done(self, workers: int) -> list[Any]:
        """Return all results, computed with the help of idle threads."""
        for _ in range(min(workers, self._n_blocks) - 1):
            # Helpers ignore the warnings that the caller ignores.
            helped = partial(copy_context().run, partial(self.work, helps=True))
            _offers(workers, os.getpid()).put(helped)
        try:
            self.work()
            with self._change:
                self._change.wait_for(lambda: not self._busy)
        except KeyboardInterrupt:
            self._is_interrupted = True
            raise
        if self.is_stopped:
            raise KeyboardInterrupt
        results = self._results
        del self._apply, self._results  # frees the data
        if self._errors:
            raise self._errors[min(self._errors)]
        return results

    @property
    def is_stopped(self) -> bool:
        """Whether the caller of this work, or of work around it, was interrupted."""
        outer = self._outer
        return self._is_interrupted or (outer is not None and outer.is_stopped)

    def work(self, *, helps: bool = False) -> None:
        """Compute blocks until none is left."""
        before = _work_of.set(self)
        with self._change:
            self._busy += 1
        try:
            while not self.is_stopped and (i := next(self._left, None)) is not None:
                try:
                    self._results[i] = self._apply(i)
                except BaseException as error:  # the caller raises it
                    self._errors[i], self._left = error, iter(())
                    if isinstance(error, KeyboardInterrupt) and not helps:
                        raise
        finally:
            _work_of.reset(before)
            with self._change:
                self._busy -= 1
                self._change.notify_all()


class WhileInside(ContextDecorator):
    """Enters a context with the first thread that is inside, and ends it with the last.

    For settings of the process: with a context per thread, the first thread to leave
    would end the settings of all others.
    """

    def __init__(self, make: Callable[[], AbstractContextManager[Any]]) -> None:
        self._make, self._lock, self._inside = make, threading.Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._setting = self._make()
                self._setting.__enter__()
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._setting.__exit__(None, None, None)


@contextmanager
def _blas_limit() -> Iterator[None]:
    # A context of threadpoolctl could be ended only by the thread that began it.
    _take_control()
    limit = _threadpools("blas").limit(limits=1)
    try:
        yield
    finally:
        _take_control()
        limit.restore_original_limits()


def _take_control() -> None:
    # threadpoolctl 3.8 ignores all threads but the first that sets a limit of OpenBLAS.
    for library in _threadpools("blas").lib_controllers:
        if hasattr(library, "clear_controlling_thread"):
            library.clear_controlling_thread(force=True)


_shared_limit = WhileInside(_blas_limit)


def one_blas_thread() -> WhileInside:
    """Limit BLAS to one thread, because its sums depend on the number of threads."""
    return _shared_limit


def one_openmp_thread() -> Any:
    """Limit scikit-learn's loops in this thread to one OpenMP thread."""
    return _threadpools("openmp").limit(limits=1)


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


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl+C until the end of this context."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python interrupts only the main thread
        return
    pressed: list[object] = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(_))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        signal.raise_signal(signal.SIGINT)


# Filters of warnings belong to the process. If `warnings.catch_warnings` of two threads
# overlap, the last one to end restores the filters of the other, which then stay.

_ignored_here: ContextVar[tuple[type[Warning], ...]] = ContextVar("ignored", default=())


class _OfContext(type):
    """Makes a category of warnings contain what the current context ignores."""

    def __subclasscheck__(cls, category: type) -> bool:
        return issubclass(category, _ignored_here.get())


class _IgnoredHere(Warning, metaclass=_OfContext):
    """Category of a filter that all contexts share, and that is never removed."""


@contextmanager
def ignored(*categories: type[Warning]) -> Iterator[None]:
    """Ignore warnings in this thread and its helpers, but not in other threads."""
    if not warnings.filters or warnings.filters[0][2] is not _IgnoredHere:
        warnings.simplefilter("ignore", _IgnoredHere)
    before = _ignored_here.set((*_ignored_here.get(), *categories))
    try:
        yield
    finally:
        _ignored_here.reset(before)


@cache
def _usable_cores() -> int:
    return int(joblib.cpu_count())  # respects CPU sets and container limits


@cache
def _offers(workers: int, process: int) -> SimpleQueue[Callable[[], None]]:
    # Reused between calls, because iterations are short. A forked process inherits this
    # cache but not the threads, so the process id is a part of the key.
    offers: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def serve() -> None:
        while True:
            offers.get()()

    for _ in range(workers - 1):  # the caller computes, too
        threading.Thread(target=serve, daemon=True, name="labelscape").start()
    return offers


@cache
def _threadpools(user_api: str) -> ThreadpoolController:
    # Finding the loaded libraries takes milliseconds, so it is done once, after SciPy
    # has loaded its BLAS and scikit-learn its OpenMP.
    import scipy.linalg  # noqa: F401
    import sklearn.utils._openmp_helpers  # noqa: F401

    return ThreadpoolController().select(user_api=user_api)
