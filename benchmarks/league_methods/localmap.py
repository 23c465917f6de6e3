# /// script
# dependencies = ["numpy", "pacmap>=0.8"]
#
# [tool.league]
# title = "LocalMAP"
# uses_labels = false
# ///
"""LocalMAP with its defaults: no labels."""

from pacmap import LocalMAP


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = LocalMAP(random_state=0, save_tree=True)
    Z = model.fit_transform(X)
    return Z, model.transform(X_new, basis=X)
