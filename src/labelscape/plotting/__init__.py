"""Figures: each function draws one kind of result with matplotlib."""

import lazy_loader

# Functions load on first use, so importing the package does not load matplotlib.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
