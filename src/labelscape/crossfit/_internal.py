"""Names of crossfit for other rooms only."""

from labelscape.crossfit._waves import (
    best_sharpness,
    indicators,
    median_distance,
    without_own,
)

__all__ = ["best_sharpness", "indicators", "median_distance", "without_own"]
