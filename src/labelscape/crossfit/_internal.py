"""What other rooms ask of crossfit, and no user does.

The door between the rooms: they import from here, and nothing else that is private.
"""

from labelscape.crossfit._waves import (
    best_sharpness,
    indicators,
    median_distance,
    without_own,
)

__all__ = ["best_sharpness", "indicators", "median_distance", "without_own"]
