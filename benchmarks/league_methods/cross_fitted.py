# /// script
# dependencies = ["labelscape"]
#
# [tool.league]
# title = "cross-fitted"
# ///
"""Cross-fitted t-SNE of Labelscape."""

from labelscape.embeddings import CrossFittedTSNE


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = CrossFittedTSNE(random_state=0).fit(X, y)
    return model.embedding_, model.transform(X_new)
