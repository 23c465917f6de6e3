"""Worker processes: fits run there, and a crash of one is only news."""

import multiprocessing
import os
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from labelscape.hosts.app.worker import serve_tasks

# How long a silent pipe is waited on before looking whether to stop.
GLANCE = 0.05

# Killed by the system, most often for its memory.
_KILLED = (
    "The fit was ended by the system, most likely because memory ran out. Take fewer "
    "rows or another method. The app goes on."
)


@dataclass
class Task:
    """Work for a worker.

    Attributes
    ----------
    function : str
        What to call, as "module:name". It takes the arguments and ``news``, a function.
    arguments : dict
        Its arguments.
    on_start, on_news, on_end : callable
        Told when it begins, of what it reports, and ``on_end(state, value)`` once:
        "done" with the result, "failed" with a sentence, or "cancelled".
    """

    function: str
    arguments: dict[str, Any]
    on_end: Callable[[str, Any], None]
    on_start: Callable[[], None] = lambda: None
    on_news: Callable[[dict[str, Any]], None] = lambda _: None
    cancelled: threading.Event = field(default_factory=threading.Event)


class Workers:
    """A few processes that take tasks in turn; idle ones stay warm.

    Parameters
    ----------
    count : int
        How many tasks run at once.
    memory : int or None
        Bytes that one may take.
    """

    def __init__(self, count: int, memory: int | None = None) -> None:
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._memory = memory
        self._closing = threading.Event()
        self._threads = [
            threading.Thread(target=self._keep_busy, name=f"worker-{i}", daemon=True)
            for i in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def put(self, task: Task) -> None:
        """Queue a task."""
        self._tasks.put(task)

    def close(self) -> None:
        """End all processes; what runs is cancelled."""
        self._closing.set()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()

    def _keep_busy(self) -> None:
        worker = _Process(self._memory)
        while (task := self._tasks.get()) is not None:
            if task.cancelled.is_set() or self._closing.is_set():
                task.on_end("cancelled", "")
                continue
            if not worker.is_alive():
                worker = _Process(self._memory)
            task.on_end(*self._watch(worker, task))
        worker.kill()

    def _watch(self, worker: "_Process", task: Task) -> tuple[str, Any]:
        """Hand a task over, pass its news on, and return how it ended."""
        try:
            task.on_start()
        except Exception as error:  # the disk is full, for example
            return "failed", f"The fit could not begin: {error}."
        try:
            worker.pipe.send((task.function, task.arguments))
            while True:
                if task.cancelled.is_set() or self._closing.is_set():
                    worker.kill()
                    return "cancelled", ""
                if worker.pipe.poll(GLANCE):
                    kind, value = worker.pipe.recv()
                    if kind != "news":
                        return kind, value
                    task.on_news(value)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            worker.kill()
            return "failed", _KILLED


class _Process:
    """One worker process and the pipe to it."""

    def __init__(self, memory: int | None) -> None:
        # Spawned, not forked: the server has threads, and BLAS and numba have theirs.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=serve_tasks, args=(theirs, memory, os.getpid()), daemon=True
        )
        self._process.start()
        theirs.close()  # so that its death closes the pipe

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()
