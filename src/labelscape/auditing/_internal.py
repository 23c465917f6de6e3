"""What other rooms ask of auditing, and no user does.

The door between the rooms: they import from here, and nothing else that is private.
"""

from labelscape.auditing._audit import audited
from labelscape.auditing._report import ASSUMED

__all__ = ["ASSUMED", "audited"]
