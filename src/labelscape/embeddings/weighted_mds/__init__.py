"""Weighted MDS: maps that keep the distances that matter, and the levels of a model."""
