# /// script
# dependencies = ["labelscape"]
#
# [tool.league]
# title = "LFDA"
# ///
"""Local Fisher discriminant analysis of Labelscape."""

from labelscape.embeddings import LFDA


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = LFDA(n_components=2).fit(X, y)
    return model.transform(X), model.transform(X_new)
