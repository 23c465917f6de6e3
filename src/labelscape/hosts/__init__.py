"""The hosts of the one view: notebook widget, single HTML file."""

from labelscape.hosts._explore import explore
from labelscape.hosts.explorer import Explorer
from labelscape.hosts.page import html_page, write_page

__all__ = ["Explorer", "explore", "html_page", "write_page"]
