"""Whole jobs: from a table to a map or a picture, and how far to believe it.

The command line and the local app are hosts of these functions; a notebook can call
them too.
"""

from importlib import import_module
from typing import Any

# Loaded when they are first asked for, so that --help does not wait for scikit-learn.
_FILES = {
    "classify_table": "_classifying",
    "compare_methods": "_comparing",
    "map_table": "_mapping",
}

__all__ = ["classify_table", "compare_methods", "map_table"]


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module 'labelscape.jobs' has no attribute {name!r}")
    return getattr(import_module(f"labelscape.jobs.{_FILES[name]}"), name)
