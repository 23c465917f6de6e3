"""Data sets: built-in, generated, or used in papers; and users' own tables."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
