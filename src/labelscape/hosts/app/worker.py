"""What runs in a worker process: one task after the other, watched from outside."""

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from labelscape.hosts.app.errors import Failure, UserNames, failure_of
from labelscape.hosts.app.records import News
from labelscape.hosts.app.uploads import limit_memory

NO_MEMORY = Failure(
    "It needs more memory than the app may use. Take fewer rows or another method, or "
    "start the app with a higher --memory."
)

# A fit shares the machine with the server, and the page must stay quick.
NICENESS = 5

_PR_SET_PDEATHSIG = 1


def serve_tasks(tasks: Connection, memory: int | None, parent: int) -> None:
    """Do what comes in: ``(function, arguments, names)``.

    The function is named as "module:name"; ``names`` are the user's names for the files
    that it opens. First it says ``("ready", None)``. Answers are ``("news", record)``
    any number of times, then ``("done", value)`` or ``("failed", Failure)``. The
    process ends with its server, however that ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    # Imported before the limit is set: what they take is not the user's.
    for module in ("tasks", "results"):
        import_module(f"labelscape.hosts.app.{module}")
    if memory is not None:
        limit_memory(memory)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        tasks.send(("ready", None))
        while True:
            function, arguments, names = tasks.recv()
            tasks.send(_answer(_named(function), arguments, UserNames(names), tasks))


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
        return "failed", Failure(f"The fit stopped with an error: {kind}.")


def _named(function: str) -> Callable[..., Any]:
    module, name = function.split(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


def _end_with(parent: int) -> None:
    """End this process when its server is gone, also in the middle of a fit."""
    if sys.platform == "linux":  # at once, also when a fit lets no other thread run
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
