"""The door for other rooms: what they may use of this one that is not public."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelscape.hosts._static import built
    from labelscape.hosts.app.security import LOOPBACK
    from labelscape.hosts.app.server import serve_workspace

# Loaded when they are first asked for: a page needs nothing of the app.
_FILES = {
    "LOOPBACK": "app.security",
    "built": "_static",
    "serve_workspace": "app.server",
}

__all__ = ["LOOPBACK", "built", "serve_workspace"]


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"labelscape.hosts.{_FILES[name]}"), name)
