"""Figures: each function draws a finished result with matplotlib."""

import lazy_loader

# Functions are loaded on first use, so that importing the package loads no matplotlib.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
