"""Geometry: what turns two points into a distance."""

from labelscape.geometry._fisher import FisherMetric

__all__ = ["FisherMetric"]
