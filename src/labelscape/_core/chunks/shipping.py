"""Models as they travel to where the data are."""

import copy
from typing import Any

from labelscape._core.fits.callbacks import DATA, LISTENERS


def bare(model: Any) -> Any:
    """Return a copy without what only the fit needs, and perhaps nobody can send.

    A callback may hold a window or a lock.
    """
    bared = copy.copy(model)
    for name in (DATA, LISTENERS, "_callback_fit_ctx"):
        vars(bared).pop(name, None)
    for name in ("callback", "verbose"):
        if hasattr(bared, name):
            setattr(bared, name, None if name == "callback" else False)
    return bared
