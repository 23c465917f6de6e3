# /// script
# dependencies = ["labelscape"]
#
# [tool.league]
# title = "t-SNE"
# uses_labels = false
# ///
"""Kernel t-SNE of Labelscape with its plain distances: no labels."""

from labelscape.embeddings import KernelTSNE


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = KernelTSNE(random_state=0).fit(X, y)
    return model.embedding_, model.transform(X_new)
