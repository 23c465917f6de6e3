"""Objects with missing values: distances over the features that they have.

Objects are grouped by which features they have. Inside a group the missing features are
left out of everything, so the ordinary formulas apply to the rest.
"""

import numpy as np

from labelscape.prototypes.lvq._forms import Variables


def missing_patterns(X):
    """Return (rows, columns) of each group of objects, None if nothing is missing."""
    observed = ~np.isnan(X)
    if observed.all():
        return None
    masks, pattern = np.unique(observed, axis=0, return_inverse=True)
    if not masks.any(axis=1).all():
        row = int(np.flatnonzero(~observed.any(axis=1))[0])
        raise ValueError(
            f"Object {row} has no value at all: every feature is missing. Leave it out."
        )
    return [
        (np.flatnonzero(pattern == index), np.flatnonzero(mask))
        for index, mask in enumerate(masks)
    ]


def restricted(variables, columns):
    """Return the variables that concern some of the features only."""
    Omega, Psi = variables.Omega, variables.Psi
    if Omega is not None:
        Omega = np.ascontiguousarray(Omega[..., columns])
    elif Psi is not None:
        Psi = np.ascontiguousarray(Psi[..., columns])
    return Variables(np.ascontiguousarray(variables.W[:, columns]), Omega, Psi)


def spread_out(gradient, variables, columns):
    """Return a gradient over some of the features as one over all, 0 elsewhere."""
    parts = []
    for whole, piece in zip(variables, gradient, strict=True):
        if whole is None or piece.shape == whole.shape:
            parts.append(piece)
            continue
        full = np.zeros(whole.shape)
        full[..., columns] = piece
        parts.append(full)
    return Variables(*parts)


def distances_of_incomplete(form, X, center, variables, layout):
    """Return distances over the observed features, scaled up for the missing ones."""
    D = np.empty((len(X), len(variables.W)), dtype=X.dtype)
    for rows, columns in missing_patterns(X) or [(slice(None), slice(None))]:
        part = np.ascontiguousarray(X[rows][:, columns])
        observed = form.distances(
            part,
            center[columns].astype(X.dtype),
            restricted(variables, columns),
            layout,
        )
        D[rows] = observed * (X.shape[1] / part.shape[1])
    return D
