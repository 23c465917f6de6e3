"""A process that ends with the one that started it, from its first moment on.

It imports next to nothing: while a process imports the library, which takes seconds on
a busy machine, it already has to notice that its parent was killed.
"""

import os
import signal
import sys
import threading
import time
from importlib import import_module
from typing import Any

_PR_SET_PDEATHSIG = 1


def run_within(parent: int, module: str, function: str, *arguments: Any) -> None:
    """Import a function and call it; end when the parent is gone, however it ended."""
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    getattr(import_module(module), function)(*arguments)


def _end_with(parent: int) -> None:
    """End this process when its parent is gone, also in the middle of a fit."""
    if sys.platform == "linux":  # at once, also when a fit lets no other thread run
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
