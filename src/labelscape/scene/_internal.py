"""The door of this room: what jobs and hosts ask of a scene, and no user does.

Other rooms import from here and from ``labelscape.scene``, and nothing else.
"""

from labelscape.scene._classes import Classes
from labelscape.scene._explanations import explanations
from labelscape.scene._features import stored
from labelscape.scene._inputs import Subject, opened
from labelscape.scene._maps import two_columns
from labelscape.scene._regions import Votes, has_plane, voted_regions
from labelscape.scene._trust import MOST_OBJECTS as MOST_JUDGED
from labelscape.scene._trust import (
    judged_map,
    shown_islands,
    shown_verdict,
    untested,
)
from labelscape.scene.audit.shown import shown_audit
from labelscape.scene.columns.given import given_columns
from labelscape.scene.scene import (
    MANY_CLASSES,
    Codes,
    ComparisonTable,
    DecisionChanges,
    NewRows,
    NewRowsLine,
    SceneMap,
    SceneModel,
    Texts,
)

__all__ = [
    "MANY_CLASSES",
    "MOST_JUDGED",
    "Classes",
    "Codes",
    "ComparisonTable",
    "DecisionChanges",
    "NewRows",
    "NewRowsLine",
    "SceneMap",
    "SceneModel",
    "Subject",
    "Texts",
    "Votes",
    "explanations",
    "given_columns",
    "has_plane",
    "judged_map",
    "opened",
    "shown_audit",
    "shown_islands",
    "shown_verdict",
    "stored",
    "two_columns",
    "untested",
    "voted_regions",
]
