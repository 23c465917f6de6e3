"""The data sets on one scale, and figures of two parts."""

from functools import cache

import matplotlib.pyplot as plt
from sklearn.preprocessing import MinMaxScaler

from benchmarks.pag_tables import DATA, read
from labelscape.datasets import read_table

SCALED = "features scaled to [0, 1]"


@cache
def scaled(name):
    """Return samples with features from 0 to 1, and their classes."""
    X, y = read(name)
    return MinMaxScaler().fit_transform(X), y


def feature_names(name):
    """Return what the features of a set are called, in words."""
    table = read_table(DATA / f"{name}.csv", label="class", missing="impute")
    return [one.replace("_", " ") for one in table.feature_names]


def two_axes(width=11, height=4.6):
    """Return a new figure with two axes side by side."""
    return plt.subplots(1, 2, figsize=(width, height), constrained_layout=True)
