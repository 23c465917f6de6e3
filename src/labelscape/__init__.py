"""Labelscape maps labeled data, tests class separation, and finds wrong labels."""

import os
import sys

import lazy_loader

__version__ = "0.1.0"

# By default, idle OpenMP threads keep their cores busy, which slows other programs. The
# OpenMP runtime reads this variable when scikit-learn loads it.
if "sklearn" not in sys.modules:
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

# Packages are loaded on first use, so that importing labelscape is fast. The stub
# beside this file lists them, for Python and for editors.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ += ["__version__"]
