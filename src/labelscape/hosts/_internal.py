"""What the command line needs of hosts and no user does."""

from labelscape.hosts.app.server import LOOPBACK, serve_workspace
from labelscape.hosts.page import built

__all__ = ["LOOPBACK", "built", "serve_workspace"]
