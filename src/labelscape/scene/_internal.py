"""The door for other rooms: what they may use of this one that is not public."""

from labelscape.scene._classes import Classes
from labelscape.scene._explanations import explanations
from labelscape.scene._inputs import Subject, opened
from labelscape.scene._maps import two_columns
from labelscape.scene._trust import shown_honesty
from labelscape.scene.scene import ComparisonTable, SceneMap

__all__ = [
    "Classes",
    "ComparisonTable",
    "SceneMap",
    "Subject",
    "explanations",
    "opened",
    "shown_honesty",
    "two_columns",
]
