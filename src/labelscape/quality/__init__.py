"""Quality of maps and labels: measures, tests of separation, label audit, drift."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
