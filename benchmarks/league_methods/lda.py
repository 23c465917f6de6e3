# /// script
# dependencies = ["numpy", "scikit-learn"]
#
# [tool.league]
# title = "LDA"
# ///
"""Linear discriminant analysis of scikit-learn; two classes give one axis."""

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = LinearDiscriminantAnalysis(n_components=min(2, len(np.unique(y)) - 1))
    return model.fit(X, y).transform(X), model.transform(X_new)
