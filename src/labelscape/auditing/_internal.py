"""What other rooms ask of auditing, and no user does.

The door between the rooms: they import from here, and nothing else that is private.
"""

from labelscape.auditing._audit import audited
from labelscape.auditing._discoveries import discoveries
from labelscape.auditing._features import model_features
from labelscape.auditing._opinions import blended, members
from labelscape.auditing._report import ASSUMED

__all__ = ["ASSUMED", "audited", "blended", "discoveries", "members", "model_features"]
