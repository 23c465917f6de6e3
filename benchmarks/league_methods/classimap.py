# /// script
# dependencies = ["labelscape"]
#
# [tool.league]
# title = "ClassiMap"
# ///
"""ClassiMap of Labelscape; new rows are placed by its kernel map."""

from labelscape.embeddings import ClassiMap


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = ClassiMap(random_state=0).fit(X, y)
    return model.embedding_, model.transform(X_new)
