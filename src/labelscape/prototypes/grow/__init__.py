"""Classifiers whose prototypes represent groups of samples, by Euclidean distance."""
