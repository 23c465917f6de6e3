"""Small labelled data for tests of the Fisher metric."""

import numpy as np

from labelscape.geometry import FisherMetric


def clouds(n=40, d=3, n_classes=3, seed=0):
    """Return overlapping clouds, one per class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    return 1.5 * rng.normal(size=(n_classes, d))[y] + rng.normal(size=(n, d)), y


def plain(**options):
    """Return the metric of the paper: all points, none left out, nothing mixed in."""
    chosen = {
        "bandwidth": 1.0,
        "regularization": 0.0,
        "parzen_points": "all",
        "exclude_self": False,
        "random_state": 0,
    }
    return FisherMetric(**(chosen | options))
