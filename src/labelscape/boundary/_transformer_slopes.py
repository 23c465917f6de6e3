"""Slopes of linear transformers, the usual first steps of a pipeline."""

import numpy as np

from labelscape.boundary._passes import affine, chain, columns, stretch


def _centred(centre, scale):
    """Return the pass ``(Z - centre) / scale``; None stands for 0 and 1."""
    factors = 1.0 / (1.0 if scale is None else scale)
    return stretch(factors, 0.0 if centre is None else -centre * factors)


def _standard(scaler):
    return _centred(scaler.mean_ if scaler.with_mean else None, scaler.scale_)


def _min_max(scaler):
    scaled = stretch(scaler.scale_, scaler.min_)
    if not scaler.clip:
        return scaled
    low, high = scaler.feature_range

    def clipped(Z):
        inside = (low <= Z) & (high >= Z)
        return np.clip(Z, low, high), lambda R: R * inside

    return chain(scaled, clipped)


def _robust(scaler):
    return _centred(
        scaler.center_ if scaler.with_centering else None,
        scaler.scale_ if scaler.with_scaling else None,
    )


def _principal(pca):
    M = pca.components_.T
    if pca.whiten:
        M = M / np.maximum(np.sqrt(pca.explained_variance_), np.finfo(M.dtype).eps)
    return affine(M, -pca.mean_ @ M)


def _discriminant(lda):
    most = min(len(lda.classes_) - 1, lda.n_features_in_)
    M = lda.scalings_[:, : lda.n_components or most]
    return affine(M, -lda.xbar_ @ M if lda.solver == "svd" else 0.0)


def _imputer(imputer):
    # Our points have no missing values, so nothing is filled in.
    if imputer.add_indicator or np.isnan(imputer.statistics_.astype(float)).any():
        return None
    return stretch(1.0)


TRANSFORMERS = {
    "StandardScaler": _standard,
    "MinMaxScaler": _min_max,
    "MaxAbsScaler": lambda scaler: _centred(None, scaler.scale_),
    "RobustScaler": _robust,
    "_BasePCA": _principal,
    "TruncatedSVD": lambda svd: affine(svd.components_.T),
    "LinearDiscriminantAnalysis": _discriminant,
    "NeighborhoodComponentsAnalysis": lambda nca: affine(nca.components_.T),
    "GMLVQ": lambda model: affine(model.omega_.T),  # and LiRaM LVQ, its kin
    "SelectorMixin": lambda selector: columns(selector.get_support(indices=True)),
    "SimpleImputer": _imputer,
}
