"""What other rooms ask of quality, and no user does.

The door between the rooms: they import from here, and nothing else that is private.
"""

from labelscape.quality._knn import vote
from labelscape.quality._neighborhoods import Neighborhoods, neighborhoods
from labelscape.quality._report import MEANINGS
from labelscape.quality._spaces import both_spaces

__all__ = [
    "MEANINGS",
    "Neighborhoods",
    "both_spaces",
    "footnote",
    "neighborhoods",
    "neighborhoods_of",
    "vote",
]


def footnote(report):
    """Return the sentence below the table of a report: of what its numbers tell."""
    return report._footnote()


def neighborhoods_of(report):
    """Return what a report counted point by point, so that nobody counts it again."""
    return report._points
