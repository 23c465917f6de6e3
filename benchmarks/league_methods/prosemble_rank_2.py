# /// script
# dependencies = ["numpy", "prosemble[jax]"]
#
# [tool.league]
# title = "prosemble, rank 2"
# ///
"""Generalized matrix LVQ of prosemble with a matrix of rank 2."""

import numpy as np
from prosemble.models import GMLVQ


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    model = GMLVQ(latent_dim=2, random_seed=0)
    model.fit(X, y)
    omega = np.asarray(model.omega_matrix)
    return X @ omega, X_new @ omega
