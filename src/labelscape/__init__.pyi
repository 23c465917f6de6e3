from . import (
    boundary,
    crossfit,
    datasets,
    embeddings,
    geometry,
    hosts,
    jobs,
    plotting,
    prototypes,
    quality,
    scene,
    testing,
)
from ._cite import cite
from ._model_file import ModelFileError, load, save
from .hosts import explore
from .quality.audit import audit

__version__: str

__all__ = [
    "ModelFileError",
    "__version__",
    "audit",
    "boundary",
    "cite",
    "crossfit",
    "datasets",
    "embeddings",
    "explore",
    "geometry",
    "hosts",
    "jobs",
    "load",
    "plotting",
    "prototypes",
    "quality",
    "save",
    "scene",
    "testing",
]
