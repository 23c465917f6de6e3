"""The hosts of the one view: notebook widget, single HTML file, local app."""

from importlib import import_module
from typing import Any

# Loaded when they are first asked for: the local app is to print its link at once.
_FILES = {
    "Explorer": "explorer",
    "explore": "_explore",
    "html_page": "page",
    "write_page": "page",
}

__all__ = ["Explorer", "explore", "html_page", "write_page"]


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module 'labelscape.hosts' has no attribute {name!r}")
    return getattr(import_module(f"labelscape.hosts.{_FILES[name]}"), name)
