"""The scene: one document with all data that a view shows."""

from labelscape.scene import scene
from labelscape.scene.build import build_scene
from labelscape.scene.decode import decode
from labelscape.scene.encode import encode
from labelscape.scene.scene import Scene
from labelscape.scene.subject import (
    Data,
    Decider,
    JudgedMap,
    Layouts,
    Predictions,
    Subject,
    Trust,
)

__all__ = [
    "Data",
    "Decider",
    "JudgedMap",
    "Layouts",
    "Predictions",
    "Scene",
    "Subject",
    "Trust",
    "build_scene",
    "decode",
    "encode",
    "scene",
]
