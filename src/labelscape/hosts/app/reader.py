"""A process for small things that a request waits for."""

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from labelscape.hosts.app.limits import Limits
from labelscape.hosts.app.refusals import BusyError, RefusedError
from labelscape.hosts.app.workers import Task, Workers

TASKS = "labelscape.hosts.app.tasks"


class Reader:
    """Does one task of `labelscape.hosts.app.tasks` after the other.

    Parameters
    ----------
    limits : Limits
        How many may wait, and how much time and memory each may take.
    """

    def __init__(self, limits: Limits) -> None:
        self._seconds = limits.reading_seconds
        self._worker = Workers(1, limits.reading_memory)
        self._places = threading.BoundedSemaphore(limits.reading_queue)

    def warm_up(self) -> None:
        """Start the process before it is asked for anything."""
        self._worker.warm_up()

    def when_ready(self, then: Callable[[], None]) -> None:
        """Start the process, and call something when it has started."""
        self._worker.put(Task(f"{TASKS}:nothing", {}, on_end=lambda *_: then()))

    def stop(self) -> None:
        """Interrupt what runs; may be called from a signal handler."""
        self._worker.stop()

    def close(self) -> None:
        """End the process."""
        self._worker.close()

    def ask(self, function: str, **arguments: Any) -> dict[str, Any]:
        """Return what a task gives, once it is done.

        Raises
        ------
        RefusedError
            If it failed, with the reason.
        BusyError
            If too many wait already, or the app ends.
        """
        # Each that waits holds a thread of the server, which needs some to answer.
        if not self._places.acquire(blocking=False):
            raise BusyError("The app is busy with other files. Try again in a moment.")
        ended: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        task = Task(
            f"{TASKS}:{function}",
            arguments,
            on_end=lambda *how: ended.put(how),
            seconds=self._seconds,
        )
        try:
            self._worker.put(task)
            state, value = ended.get()
        finally:
            self._places.release()
        if state == "interrupted":
            raise BusyError("The app is being stopped.")
        if state != "done":
            raise RefusedError(value)
        found: dict[str, Any] = value
        return found
