"""The command line: one file per verb, over functions that a notebook can call."""

from importlib import import_module
from typing import Any

# Loaded when they are first asked for, so that --help does not wait for scikit-learn.
_FILES = {
    "classify_table": "labelscape.jobs",
    "compare_methods": "labelscape.jobs",
    "map_table": "labelscape.jobs",
    "table_from": "labelscape.cli._data",
}

__all__ = ["classify_table", "compare_methods", "map_table", "table_from"]


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module 'labelscape.cli' has no attribute {name!r}")
    return getattr(import_module(_FILES[name]), name)
