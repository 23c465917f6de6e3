"""Names of this package that the command line uses but users do not."""

from labelscape.hosts.app.server import LOOPBACK, serve_workspace
from labelscape.hosts.page import built

__all__ = ["LOOPBACK", "built", "serve_workspace"]
