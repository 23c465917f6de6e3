"""The space in which a prototype model measures distances."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import InputError


def model_images(model, X):
    """Return objects in a space where the model's distances are Euclidean.

    Local matrices of `LocalLiRaMLVQ` act inside this space and are left out.
    """
    X = np.asarray(X, dtype=np.float64)
    if hasattr(model, "omega_"):
        return X @ np.asarray(model.omega_, dtype=np.float64).T
    if hasattr(model, "local_matrices_"):
        raise ValueError(
            f"{type(model).__name__} measures distances differently in each class, so "
            "there is no common space to draw. Use level='object', or LocalLiRaMLVQ."
        )
    if hasattr(model, "relevances_"):
        return X * np.sqrt(np.asarray(model.relevances_, dtype=np.float64))
    return X


def local_matrices(model):
    """Return the local matrix Psi of each prototype, (l, M, S), or None."""
    Psi = getattr(model, "local_matrices_", None)
    if Psi is None:
        return None
    Psi = np.asarray(Psi, dtype=np.float64)
    if model.localization == "prototype":
        return Psi
    return Psi[np.searchsorted(model.classes_, model.prototype_labels_)]


def metric_factors(model):
    """Return the factor of each prototype's metric: a matrix, its diagonal or None."""
    shared = None
    if hasattr(model, "omega_"):
        shared = np.asarray(model.omega_, dtype=np.float64)
    elif np.ndim(getattr(model, "relevances_", 0)) == 1:
        shared = np.sqrt(np.asarray(model.relevances_, dtype=np.float64))
    Psi = local_matrices(model)
    if Psi is None:
        return [shared] * len(model.prototypes_)
    return list(Psi if shared is None else Psi @ shared)


def prototype_distances(model, X):
    """Return the distances (not squared) of objects to all prototypes, (n, l)."""
    X = np.asarray(X, dtype=np.float64)
    columns = []
    for w, factor in zip(model.prototypes_, metric_factors(model), strict=True):
        gaps = X - w
        if factor is not None:
            gaps = gaps @ factor.T if factor.ndim == 2 else gaps * factor
        columns.append(np.linalg.norm(gaps, axis=1))
    return np.column_stack(columns)


def class_scores_in_plane(model):
    """Return a function from places on the map (m, M) to class scores (m, C).

    The score of a class is minus the distance ``|Psi_L (z - Omega w_L)|^2`` to its
    nearest prototype, with ``Psi_L`` the identity for models without local matrices.
    """
    W = model.transform(model.prototypes_).astype(np.float64)
    owner = np.searchsorted(model.classes_, model.prototype_labels_)
    factors = local_matrices(model)
    if factors is None:
        factors = [np.eye(W.shape[1])] * len(W)

    def scores(Z):
        d = np.full((len(Z), len(model.classes_)), np.inf)
        for w, c, Psi in zip(W, owner, factors, strict=True):
            images = (Z - w) @ Psi.T
            distance = np.einsum("ij,ij->i", images, images)
            np.minimum(d[:, c], distance, out=d[:, c])
        return -d

    return scores


def check_prototype_model(model, *, owner):
    """Raise unless the model is a fitted one with prototypes that have features."""
    check_is_fitted(model)
    if not hasattr(model, "prototypes_"):
        raise InputError(
            f"{type(model).__name__} has no prototypes_. Use a model of "
            "labelscape.prototypes.",
            owner=owner,
        )
    if getattr(model, "metric", None) == "precomputed":
        raise InputError(
            "with metric='precomputed' prototypes have no features to draw.",
            owner=owner,
        )
