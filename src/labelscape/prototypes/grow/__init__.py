"""Classifiers with Euclidean distances and prototypes for groups of samples."""
