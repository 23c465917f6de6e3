# /// script
# dependencies = ["numpy", "umap-learn>=0.5.9", "tensorflow-cpu"]
#
# [tool.league]
# title = "parametric UMAP"
# ///
"""Supervised UMAP by a neural network, with its defaults."""

import tensorflow as tf
from umap.parametric_umap import ParametricUMAP


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    tf.keras.utils.set_random_seed(0)
    model = ParametricUMAP(random_state=0, verbose=False).fit(X, y)
    return model.embedding_, model.transform(X_new)
