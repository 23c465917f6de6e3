"""Complete jobs: a tested map, a comparison, an audit or a classifier of a table.

The command line and the local app call these functions. Notebooks can use them, too.
"""

import lazy_loader

# Loaded on first use, so that --help does not import scikit-learn.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
