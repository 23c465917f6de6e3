"""Complete jobs: from a table to a tested map, a comparison, an audit or a picture.

The command line and the local app are hosts of these functions; a notebook can call
them too.
"""

import lazy_loader

# Loaded on first use: --help does not wait for scikit-learn.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
