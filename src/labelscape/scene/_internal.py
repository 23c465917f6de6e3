"""Names of this package that other packages use but users do not."""

from labelscape.scene._features import given_columns
from labelscape.scene._model import point_explainer
from labelscape.scene._regions import Votes, has_plane
from labelscape.scene._trust import scene_audit
from labelscape.scene.build import layouts_of, scene_of
from labelscape.scene.subject import Classes

__all__ = [
    "Classes",
    "Votes",
    "given_columns",
    "has_plane",
    "layouts_of",
    "point_explainer",
    "scene_audit",
    "scene_of",
]
