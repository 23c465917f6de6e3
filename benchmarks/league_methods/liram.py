# /// script
# dependencies = ["labelscape"]
#
# [tool.league]
# title = "LiRaM"
# ///
"""Limited rank matrix learning vector quantization of Labelscape, rank 2."""

from labelscape.prototypes import LiRaMLVQ


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = LiRaMLVQ(random_state=0).fit(X, y)
    return model.transform(X), model.transform(X_new)
