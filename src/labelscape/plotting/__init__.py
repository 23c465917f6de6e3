"""Figures: each function takes a finished result and draws it with matplotlib."""

import lazy_loader

# Figures are loaded when they are drawn: entering this room imports no matplotlib.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
