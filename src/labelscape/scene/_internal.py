"""The door for other rooms: what they may use of this one that is not public."""

from labelscape.scene._classes import Classes
from labelscape.scene._explanations import explanations
from labelscape.scene._inputs import Subject, opened
from labelscape.scene._maps import two_columns

__all__ = ["Classes", "Subject", "explanations", "opened", "two_columns"]
