# /// script
# dependencies = ["labelscape"]
#
# [tool.league]
# title = "Fisher t-SNE"
# ///
"""Kernel t-SNE with the Fisher metric (Parzen windows) of Labelscape."""

from labelscape.embeddings import FisherKernelTSNE


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = FisherKernelTSNE(random_state=0).fit(X, y)
    return model.embedding_, model.transform(X_new)
