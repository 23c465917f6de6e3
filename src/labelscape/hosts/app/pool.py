"""Worker processes of the server: some for fits, and some for short tasks."""

import atexit
import multiprocessing
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from math import inf
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pkgutil import resolve_name
from typing import Any

from labelscape.hosts._ending import run_within
from labelscape.hosts.app.catalog import STOPPED
from labelscape.hosts.app.errors import (
    BusyError,
    PageWording,
    RefusedError,
    TaskFailure,
    disk_words,
    failure_of,
)
from labelscape.hosts.app.records import News
from labelscape.hosts.app.uploads import Limits, limit_memory

GLANCE = 0.05  # seconds to wait for a message before checking whether to stop
# Maximum number of attempts to run a task, and to start a process.
TRIES = 2

# Failures of a task whose process ended unexpectedly. The system kills processes if it
# lacks memory, and ends them with other signals after a mistake in compiled code.
_KILLED = TaskFailure(
    "The fit was ended by the operating system, most likely because memory ran out. "
    "Use fewer rows or another method. The app keeps running."
)
_CRASHED = (
    "The task crashed ({}). The file may be damaged, or the library has a bug. Try "
    "another file or method. The app keeps running."
)
_NO_PROCESS = TaskFailure(
    "The system cannot start another process: too many are running, or memory has run "
    "out. Close other programs, then try again."
)
_CANCELED = TaskFailure("")
_STOPPED = TaskFailure(STOPPED)


@dataclass
class Task:
    """A task for a worker process."""

    # Function as "module:name". It is called with the arguments and with ``news``, a
    # function that sends reports.
    function: str
    arguments: dict[str, Any]
    # Functions called at the start, with each report, and once at the end with
    # ``(state, value)``: "done" with the result; "failed", "cancelled", or
    # "interrupted" because the app ends, with a `TaskFailure`.
    on_end: Callable[[str, Any], None]
    on_start: Callable[[], None] = lambda: None
    on_news: Callable[[News], None] = lambda _: None
    # The user's name for each file that the task opens, for error messages.
    names: Mapping[str, str] = field(default_factory=dict)
    # The time limit, if any.
    seconds: float | None = None
    canceled: threading.Event = field(default_factory=threading.Event)


class Workers:
    """Processes that run tasks from a queue; the first task starts the processes."""

    def __init__(self, count: int, memory: int | None = None) -> None:
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._memory = memory
        self._wanted = threading.Event()
        self._closing = threading.Event()
        self._turn = threading.Lock()
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._keep_busy, name=f"worker-{i}", daemon=True)
            for i in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def put(self, task: Task) -> None:
        """Queue a task; after `close`, the task is interrupted at once."""
        with self._turn:
            is_late = self._is_closed
            if not is_late:
                self._tasks.put(task)
                self._wanted.set()
        if is_late:  # no worker would run it
            task.on_end("interrupted", _STOPPED)

    def warm_up(self) -> None:
        """Start the processes, so that the first task begins sooner."""
        self._wanted.set()

    def stop(self) -> None:
        """Interrupt running and waiting tasks; may be called from a signal handler."""
        self._closing.set()

    def close(self) -> None:
        """End all processes; running tasks are interrupted."""
        self.stop()
        self._wanted.set()
        with self._turn:
            self._is_closed = True
            for _ in self._threads:
                self._tasks.put(None)
        for thread in self._threads:
            thread.join()

    def _keep_busy(self) -> None:
        self._wanted.wait()
        worker = self._living(None)
        while (task := self._tasks.get()) is not None:
            worker, how = self._ended(self._living(worker), task)
            try:
                task.on_end(*how)
            except Exception:  # this thread must continue for other tasks
                traceback.print_exc()
            worker = self._living(worker)  # ready for the next task
        if worker is not None:
            worker.kill()

    def _living(self, worker: "_Process | None") -> "_Process | None":
        """Return a running process; None while closing, or if none can be started."""
        if (worker is not None and worker.is_alive()) or self._closing.is_set():
            return worker
        for tries_left in reversed(range(TRIES)):
            try:
                return _Process(self._memory)
            # Without memory, the fork server ends, but may exist for a short time.
            except (OSError, EOFError, MemoryError):
                if tries_left:
                    time.sleep(GLANCE)
                else:
                    traceback.print_exc()
        return None  # the next task tries again

    def _unwanted(self, task: Task) -> tuple[str, TaskFailure] | None:
        if task.canceled.is_set():
            return "cancelled", _CANCELED
        return ("interrupted", _STOPPED) if self._closing.is_set() else None

    def _ended(
        self, worker: "_Process | None", task: Task
    ) -> tuple["_Process | None", tuple[str, Any]]:
        """Run a task; return a process for the next task, and how this task ended."""
        how = self._unwanted(task) or _begun(task)
        for _ in range(TRIES):
            if how is None:
                how = self._unwanted(task) or self._watch(worker, task)
            if how is None:
                worker = self._living(worker)
        return worker, how or ("failed", _NO_PROCESS)

    def _watch(self, worker: "_Process | None", task: Task) -> tuple[str, Any] | None:
        """Send a task; return how it ended, or None if the process had ended before."""
        if worker is None:
            return "failed", _NO_PROCESS
        begun = time.monotonic() if worker.is_ready else inf
        is_taken, seconds = False, task.seconds or inf
        try:
            worker.pipe.send((task.function, task.arguments, task.names))
            while True:
                if (how := self._unwanted(task)) is not None:
                    worker.kill()
                    return how
                if time.monotonic() - begun > seconds:
                    worker.kill()
                    words = f"Stopped, because it took more than {seconds:g} seconds."
                    return "failed", TaskFailure(words)
                if worker.pipe.poll(GLANCE):
                    kind, value = worker.pipe.recv()
                    if kind == "ready":  # the time limit excludes the start-up
                        worker.is_ready, begun = True, time.monotonic()
                    elif kind == "taken":
                        is_taken = True
                    elif kind == "news":
                        task.on_news(value)
                    else:
                        return kind, value
        except (EOFError, OSError):  # the process has ended, perhaps during a message
            code = worker.kill(patience=1.0)
            return ("failed", _ending(code)) if is_taken else None


def _ending(code: int | None) -> TaskFailure:
    """Return why a process ended, by its exit code; a negative one is a signal."""
    if code in (None, 0, -9):  # SIGKILL, which Windows does not have
        return _KILLED
    names = {-one: one.name for one in signal.Signals}
    return TaskFailure(_CRASHED.format(names.get(code, f"exit code {code}")))


def _begun(task: Task) -> tuple[str, TaskFailure] | None:
    """Report that a task begins; if this fails, return the failure of the task."""
    try:
        task.on_start()
    except Exception as error:  # the disk is full, for example
        return "failed", TaskFailure(f"The run could not start. {disk_words(error)}")
    return None


@contextmanager
def _signals_held() -> Iterator[None]:
    """Block signals such as Ctrl+C while a process starts: the process ignores them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # The resource tracker is started first, because its start unblocks signals.
    resource_tracker.ensure_running()
    held = {signal.SIGINT, signal.SIGTERM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# Modules of a worker, whose import takes most of its start-up time.
IMPORTED = (__name__, "labelscape.hosts.app.tasks", "labelscape._core.jit", "polars")


@cache
def _context() -> Any:
    """Return a context that starts processes without forking the server's threads."""
    # On Linux, a fork server imports the library once: workers start in milliseconds,
    # and share the memory of the imports.
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(IMPORTED))
    return context


class _Process:
    """A worker process, and a pipe to communicate with it."""

    def __init__(self, memory: int | None) -> None:
        context = _context()
        self.pipe, theirs = context.Pipe()
        self.is_ready = False
        self._process = context.Process(
            target=run_within,
            args=(__name__, serve_tasks.__name__, theirs, memory),
            daemon=True,
        )
        try:
            with _signals_held():
                self._process.start()
        except BaseException:
            self.pipe.close()
            raise
        finally:
            theirs.close()  # so that the pipe closes when the process ends
        # At exit, Python would send a signal that workers block, and wait forever.
        atexit.register(self._process.kill)

    def is_alive(self) -> bool:
        return bool(self._process.is_alive())

    def kill(self, patience: float = 0.0) -> int | None:
        """End the process, which may end itself first; return its exit code."""
        atexit.unregister(self._process.kill)
        self._process.join(patience)
        self._process.kill()
        self._process.join()
        self.pipe.close()
        code: int | None = self._process.exitcode
        return code


TASKS = "labelscape.hosts.app.tasks"


class Reader(Workers):
    """A process for short tasks of `hosts.app.tasks`; a request waits for each task."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(1, limits.reading_memory)
        self._seconds = limits.reading_seconds
        self._places = threading.BoundedSemaphore(limits.reading_queue)

    def when_ready(self, then: Callable[[], None]) -> None:
        """Start the process, and call a function when it has started."""
        self.put(Task(f"{TASKS}:nothing", {}, on_end=lambda *_: then()))

    def ask(
        self, function: str, names: Mapping[str, str] | None = None, **arguments: Any
    ) -> Any:
        """Return the result of a task, once it is done."""
        # Each waiting request blocks a thread of the server.
        if not self._places.acquire(blocking=False):
            raise BusyError("The app is busy with other files. Try again in a minute.")
        ended: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        task = Task(
            f"{TASKS}:{function}",
            arguments,
            on_end=lambda *how: ended.put(how),
            names=names or {},
            seconds=self._seconds,
        )
        try:
            self.put(task)
            state, value = ended.get()
        finally:
            self._places.release()
        if state == "interrupted":
            raise BusyError("The app is being stopped.")
        if state != "done":
            raise RefusedError(value.words, value.parameter)
        return value


NO_MEMORY = TaskFailure(
    "The task needs more memory than the app may use. Use fewer rows or another "
    "method, or start the app with a higher --memory."
)

NICENESS = 5  # lower priority than the server, so that the page remains responsive


def serve_tasks(tasks: Connection, memory: int | None) -> None:
    """Run tasks ``(function, arguments, names)`` in a worker process."""
    # The process sends ("ready", None) once. For each task, it sends ("taken", None),
    # any number of ("news", record), and ("done", value) or ("failed", TaskFailure).
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the server handles Ctrl+C
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    # Imported before the memory limit is set, because the limit is for the user's data.
    for module in IMPORTED:
        import_module(module)
    if memory is not None:
        limit_memory(memory)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        tasks.send(("ready", None))
        while True:
            function, arguments, names = tasks.recv()
            tasks.send(("taken", None))
            tasks.send(
                _answer(resolve_name(function), arguments, PageWording(names), tasks)
            )


def _answer(
    function: Callable[..., Any],
    arguments: dict[str, Any],
    wording: PageWording,
    tasks: Connection,
) -> tuple[str, Any]:
    def news(record: News) -> None:
        tasks.send(("news", record))

    try:
        return "done", function(**arguments, news=news)
    except MemoryError:
        return "failed", NO_MEMORY
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        return "failed", failure_of(error, wording)
    except Exception as error:
        # A bug: the log shows the traceback, and the page only the type of the error.
        traceback.print_exc()
        kind = type(error).__name__
        return "failed", TaskFailure(f"The task stopped with an error: {kind}.")
