"""Labelscape maps labeled data, tests class separation, and finds wrong labels."""

import os
import sys

import lazy_loader

__version__ = "0.1.0"

# Threads of OpenMP that wait for work would keep a core busy, which on a machine with
# other work takes several times the processor time. Its runtime reads this when it is
# loaded, which scikit-learn does.
if "sklearn" not in sys.modules:
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

# Rooms open when they are first entered, so that importing the package is cheap. The
# stub beside this file lists them, for Python and for editors.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ += ["__version__"]
