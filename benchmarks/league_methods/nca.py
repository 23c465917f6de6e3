# /// script
# dependencies = ["numpy", "scikit-learn"]
#
# [tool.league]
# title = "NCA"
# ///
"""Neighborhood components analysis of scikit-learn."""

from sklearn.neighbors import NeighborhoodComponentsAnalysis


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = NeighborhoodComponentsAnalysis(2, max_iter=50, random_state=0).fit(X, y)
    return model.transform(X), model.transform(X_new)
