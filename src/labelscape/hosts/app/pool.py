"""Processes beside the server: workers for fits, a reader for small things."""

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
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from labelscape.hosts._ending import run_within
from labelscape.hosts.app.catalog import STOPPED
from labelscape.hosts.app.errors import (
    BusyError,
    PageWording,
    RefusedError,
    TaskFailure,
    UserNames,
    disk_words,
    failure_of,
)
from labelscape.hosts.app.records import News
from labelscape.hosts.app.uploads import Limits, limit_memory

# Worker processes: fits run there, and a crash of one is only news.

# How long a silent pipe is waited on before looking whether to stop.
GLANCE = 0.05
# So many processes are tried for a task that none of them has taken, and so often it
# is tried to start one.
TRIES = 2

# Killed by the system, most often for its memory.
_KILLED = TaskFailure(
    "The fit was ended by the system, most likely because memory ran out. Take fewer "
    "rows or another method. The app goes on."
)
_NO_PROCESS = TaskFailure(
    "The system gives the app no process to run it in: too many run, or memory has run "
    "out. Close other programs, then try again."
)
_CANCELED = TaskFailure("")
_STOPPED = TaskFailure(STOPPED)


@dataclass
class Task:
    """Work for a worker."""

    # What to call, as "module:name". It takes the arguments and ``news``, a function.
    function: str
    # Its arguments.
    arguments: dict[str, Any]
    on_end: Callable[[str, Any], None]
    # Told when it begins, of what it reports, and ``on_end(state, value)`` once: "done"
    # with the result; "failed", "cancelled", or "interrupted" because the app ends,
    # with a `TaskFailure`.
    on_start: Callable[[], None] = lambda: None
    on_news: Callable[[News], None] = lambda _: None
    # The user's name for each file that it opens, for what it says of them.
    names: Mapping[str, str] = field(default_factory=dict)
    # How long it may take.
    seconds: float | None = None
    canceled: threading.Event = field(default_factory=threading.Event)

    def is_late(self, begun: float | None) -> bool:
        """Whether it has taken too long since it began (None: it has not)."""
        if begun is None or self.seconds is None:
            return False
        return time.monotonic() - begun > self.seconds


class Workers:
    """A few processes that take tasks in turn; idle ones stay warm.

    The processes start with the first task, or with `warm_up`.
    """

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
        """Queue a task; one that comes when all is closed is interrupted at once."""
        with self._turn:
            is_late = self._is_closed
            if not is_late:
                self._tasks.put(task)
                self._wanted.set()
        if is_late:  # no worker would look at it any more
            task.on_end("interrupted", _STOPPED)

    def warm_up(self) -> None:
        """Start the processes, so that the first task need not wait for them."""
        self._wanted.set()

    def stop(self) -> None:
        """Interrupt what runs and what waits; may be called from a signal handler."""
        self._closing.set()

    def close(self) -> None:
        """End all processes; what runs is interrupted."""
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
            except Exception:  # this thread must live: others wait for their turn
                traceback.print_exc()
            worker = self._living(worker)  # warm when the next one comes
        if worker is not None:
            worker.kill()

    def _living(self, worker: "_Process | None") -> "_Process | None":
        """Return a process that takes tasks; None if there is to be none, or can't."""
        if (worker is not None and worker.is_alive()) or self._closing.is_set():
            return worker
        for tries_left in reversed(range(TRIES)):
            try:
                return _Process(self._memory)
            # The fork server itself may end for want of memory; while it does, it
            # still seems to be there.
            except (OSError, EOFError, MemoryError):
                if tries_left:
                    time.sleep(GLANCE)
                else:
                    traceback.print_exc()
        return None  # tried again with the next task

    def _unwanted(self, task: Task) -> tuple[str, TaskFailure] | None:
        if task.canceled.is_set():
            return "cancelled", _CANCELED
        return ("interrupted", _STOPPED) if self._closing.is_set() else None

    def _ended(
        self, worker: "_Process | None", task: Task
    ) -> tuple["_Process | None", tuple[str, Any]]:
        """Have a task done, and return the process for the next one and how it ended.

        A process that died while it was idle never took the task: another one does.
        """
        how = self._unwanted(task) or _begun(task)
        for _ in range(TRIES):
            if how is None:
                how = self._unwanted(task) or self._watch(worker, task)
            if how is None:
                worker = self._living(worker)
        return worker, how or ("failed", _KILLED)

    def _watch(self, worker: "_Process | None", task: Task) -> tuple[str, Any] | None:
        """Hand a task over, pass its news on, and return how it ended.

        None: the process was gone before it took the task.
        """
        if worker is None:
            return "failed", _NO_PROCESS
        begun = time.monotonic() if worker.is_ready else None
        is_taken = False
        try:
            worker.pipe.send((task.function, task.arguments, task.names))
            while True:
                if (how := self._unwanted(task)) is not None:
                    worker.kill()
                    return how
                if task.is_late(begun):
                    worker.kill()
                    return "failed", TaskFailure(
                        f"It took more than {task.seconds:g} seconds, and was stopped."
                    )
                if worker.pipe.poll(GLANCE):
                    kind, value = worker.pipe.recv()
                    if kind == "ready":  # what came before is not the task's fault
                        worker.is_ready, begun = True, time.monotonic()
                    elif kind == "taken":
                        is_taken = True
                    elif kind == "news":
                        task.on_news(value)
                    else:
                        return kind, value
        except (EOFError, OSError):  # gone, perhaps in the middle of a message
            worker.kill()
            return ("failed", _KILLED) if is_taken else None


def _begun(task: Task) -> tuple[str, TaskFailure] | None:
    """Say that a task begins; return how it ended if that failed."""
    try:
        task.on_start()
    except Exception as error:  # the disk is full, for example
        return "failed", TaskFailure(f"It could not begin. {disk_words(error)}")
    return None


@contextmanager
def _signals_held() -> Iterator[None]:
    """Start a process that Ctrl+C does not reach, not even before its first line.

    Such signals go to all processes of a terminal, and the server is to end its workers
    in order. What a thread has blocked stays blocked in the processes that it starts.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # When multiprocessing starts this helper of its own, it lets signals through again.
    resource_tracker.ensure_running()
    held = {signal.SIGINT, signal.SIGTERM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# What a worker needs, and takes most of its start to import.
IMPORTED = (__name__, "labelscape.hosts.app.tasks", "labelscape._core.jit", "polars")


@cache
def _context() -> Any:
    """Return how processes are started: not by forking the server, which has threads.

    Where there is one, a fork server imports the library once, runs nothing of it, and
    is forked: workers start in milliseconds, and share the memory of what it imported.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(IMPORTED))
    return context


class _Process:
    """One worker process and the pipe to it."""

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
            theirs.close()  # so that its death closes the pipe
        # At exit Python ends those that were not closed, by a signal that does not
        # reach them, and would wait forever.
        atexit.register(self._process.kill)

    def is_alive(self) -> bool:
        return bool(self._process.is_alive())

    def kill(self) -> None:
        atexit.unregister(self._process.kill)
        self._process.kill()
        self._process.join()
        self.pipe.close()


# A process for small things that a request waits for.

TASKS = "labelscape.hosts.app.tasks"


class Reader(Workers):
    """Does one task of `labelscape.hosts.app.tasks` after the other."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(1, limits.reading_memory)
        self._seconds = limits.reading_seconds
        self._places = threading.BoundedSemaphore(limits.reading_queue)

    def when_ready(self, then: Callable[[], None]) -> None:
        """Start the process, and call something when it has started."""
        self.put(Task(f"{TASKS}:nothing", {}, on_end=lambda *_: then()))

    def ask(
        self, function: str, names: Mapping[str, str] | None = None, **arguments: Any
    ) -> Any:
        """Return what a task gives, once it is done."""
        # Each that waits holds a thread of the server, which needs some to answer.
        if not self._places.acquire(blocking=False):
            raise BusyError("The app is busy with other files. Try again in a moment.")
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


# What runs in a worker process: one task after the other, watched from outside.

NO_MEMORY = TaskFailure(
    "It needs more memory than the app may use. Take fewer rows or another method, or "
    "start the app with a higher --memory."
)

# A fit shares the machine with the server, and the page must stay quick.
NICENESS = 5


def serve_tasks(tasks: Connection, memory: int | None) -> None:
    """Do what comes in: ``(function, arguments, names)``.

    The function is named as "module:name"; ``names`` are the user's names for the files
    that it opens. First it says ``("ready", None)``. Answers are ``("taken", None)``,
    ``("news", record)`` any number of times, then ``("done", value)`` or
    ``("failed", TaskFailure)``.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    # Imported before the limit is set: what they take is not the user's.
    for module in IMPORTED:
        import_module(module)
    if memory is not None:
        limit_memory(memory)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        tasks.send(("ready", None))
        while True:
            function, arguments, names = tasks.recv()
            tasks.send(("taken", None))
            tasks.send(_answer(_named(function), arguments, PageWording(names), tasks))


def _answer(
    function: Callable[..., Any],
    arguments: dict[str, Any],
    wording: UserNames,
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
        # Ours to mend: the log has all of it, the page only what it was.
        traceback.print_exc()
        kind = type(error).__name__
        return "failed", TaskFailure(f"The work stopped with an error: {kind}.")


def _named(function: str) -> Callable[..., Any]:
    module, name = function.split(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found
