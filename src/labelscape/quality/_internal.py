"""What other rooms ask of quality, and no user does.

The door between the rooms: they import from here, and nothing else that is private.
"""

from labelscape.quality._knn import vote
from labelscape.quality._neighborhoods import neighborhoods
from labelscape.quality._report import MEANINGS
from labelscape.quality._spaces import both_spaces

__all__ = ["MEANINGS", "both_spaces", "footnote", "neighborhoods", "vote"]


def footnote(report):
    """Return the sentence below the table of a report: of what its numbers tell."""
    return report._footnote()
