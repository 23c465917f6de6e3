"""A process that ends together with its parent.

This module does not import the library. Importing it takes seconds on a busy machine,
and the process must end even if its parent is killed during this time.
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
    """Import a function and call it; end when the parent process has ended."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    getattr(import_module(module), function)(*arguments)


def _end_with_parent() -> None:
    """End this process when its parent has ended, even during a fit."""
    if sys.platform == "linux":  # ends at once, even if a fit blocks all other threads
        import ctypes

        # The parent may be a fork server, which ends together with its own parent.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
