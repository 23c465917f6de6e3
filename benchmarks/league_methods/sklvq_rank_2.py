# /// script
# dependencies = ["numpy", "scikit-learn<1.6", "sklvq"]
#
# [tool.league]
# title = "sklvq, rank 2"
# ///
"""Generalized matrix LVQ of sklvq with a matrix of rank 2."""

from sklvq import GMLVQ


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = GMLVQ(
        solver_type="lbfgs",
        activation_type="sigmoid",
        activation_params={"beta": 2},
        relevance_n_components=2,
        random_state=0,
    ).fit(X, y)
    return X @ model.omega_.T, X_new @ model.omega_.T
