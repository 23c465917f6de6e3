# /// script
# dependencies = ["labelscape"]
#
# [tool.league]
# title = "ClassNeRV"
# ///
"""ClassNeRV of Labelscape."""

from labelscape.embeddings import ClassNeRV


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = ClassNeRV().fit(X, y)
    return model.embedding_, model.transform(X_new)
