"""Labelscape shows what labels say about data, and how far to believe it."""

import os
import sys
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Threads of OpenMP that wait for work would keep a core busy, which on a machine with
# other work takes several times the processor time. Its runtime reads this when it is
# loaded, which scikit-learn does.
if "sklearn" not in sys.modules:
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

# Rooms open when they are first entered, so that importing the package is cheap.
_ROOMS = (
    "auditing",
    "boundary",
    "crossfit",
    "datasets",
    "embeddings",
    "geometry",
    "jobs",
    "newcomers",
    "plotting",
    "prototypes",
    "quality",
    "scene",
)

_DOORS = {
    "audit": "labelscape.auditing",
    "save": "labelscape._model_file",
    "load": "labelscape._model_file",
    "explore": "labelscape.hosts",
    "ModelFileError": "labelscape._model_file",
}

__all__ = ["__version__", *_DOORS, *_ROOMS]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"labelscape.{name}")
    if name in _DOORS:
        return getattr(import_module(_DOORS[name]), name)
    raise AttributeError(f"module 'labelscape' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
