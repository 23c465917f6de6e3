"""Geometry: what turns two points into a distance."""

from labelscape.geometry.fisher_metric import FisherMetric

__all__ = ["FisherMetric"]
