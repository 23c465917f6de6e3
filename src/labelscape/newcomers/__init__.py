"""Rows that come later: where they stand on a map, and whether they are like the old.

What is known of the old rows is kept without any of them.
"""

from labelscape.newcomers.placement import Moved, Placement
from labelscape.newcomers.table_map import TableMap

__all__ = ["Moved", "Placement", "TableMap"]
