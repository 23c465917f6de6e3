"""Internal names of this package, for the command line."""

from labelscape.hosts.app.server import LOOPBACK, serve_workspace
from labelscape.hosts.page import built

__all__ = ["LOOPBACK", "built", "serve_workspace"]
