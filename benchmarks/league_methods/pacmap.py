# /// script
# dependencies = ["numpy", "pacmap>=0.8"]
#
# [tool.league]
# title = "PaCMAP"
# uses_labels = false
# ///
"""PaCMAP with its defaults: no labels."""

from pacmap import PaCMAP


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = PaCMAP(random_state=0, save_tree=True)
    Z = model.fit_transform(X)
    return Z, model.transform(X_new, basis=X)
