from .notebook.explore import explore
from .notebook.explorer import Explorer
from .page import html_page, write_page

__all__ = ["Explorer", "explore", "html_page", "write_page"]
