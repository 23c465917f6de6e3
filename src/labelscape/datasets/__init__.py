"""Built-in and generated data sets, those of the papers, and tables of users."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
