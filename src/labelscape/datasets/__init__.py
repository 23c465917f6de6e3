"""Data to work on: embedded, generated, the papers' own, and the user's tables."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
