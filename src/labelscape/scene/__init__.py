"""The scene: one document that every view shows."""

from labelscape.scene._units import Scale
from labelscape.scene.build import build_scene
from labelscape.scene.decode import decode
from labelscape.scene.encode import encode
from labelscape.scene.scene import Scene

__all__ = ["Scale", "Scene", "build_scene", "decode", "encode"]
