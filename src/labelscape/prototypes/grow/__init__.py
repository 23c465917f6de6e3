"""Prototypes of groups under the Euclidean distance: as few as explain the classes."""
