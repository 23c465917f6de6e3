# /// script
# dependencies = ["labelscape"]
#
# [tool.league]
# title = "PLS-DA"
# ///
"""Partial least squares discriminant analysis of Labelscape."""

from labelscape.embeddings import PLSDA


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = PLSDA(n_components=2).fit(X, y)
    return model.transform(X), model.transform(X_new)
