"""A process that ends with the one that started it, from its first moment on.

It imports next to nothing: while a process imports the library, which takes seconds on
a busy machine, it already has to notice that its parent was killed.
"""

import os
import signal
import sys
import threading
from importlib import import_module
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import Any

_PR_SET_PDEATHSIG = 1


def run_within(module: str, function: str, *arguments: Any) -> None:
    """Import a function and call it; end when the process that asked for it is gone."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    getattr(import_module(module), function)(*arguments)


def _end_with_parent() -> None:
    """End this process when its parent is gone, also in the middle of a fit."""
    if sys.platform == "linux":  # at once, also when a fit lets no other thread run
        import ctypes

        # Of a fork server's death, which ends with the parent.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
