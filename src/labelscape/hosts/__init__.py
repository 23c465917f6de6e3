"""The ways to show a view: notebook widget, single HTML file, local app."""

import lazy_loader

# Loaded on first use, so that the local app prints its link at once.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
