"""Slopes of classifiers made of others: pipelines, searches, calibration, votes.

Each function takes a classifier, what is wanted of it ("probability" or "decision"),
and ``find``, which returns the pass of a classifier inside, or None.
"""

import numpy as np

from labelscape.boundary.gradients.passes import (
    affine,
    both_classes,
    chain,
    class_probabilities,
    columns,
    logistic,
    shares,
    side_by_side,
    stretch,
    weighted_sum,
)


def attribute(name):
    """Return the rule for a classifier that hands all questions to an attribute."""

    def pass_of(classifier, kind, find):
        return find(getattr(classifier, name), kind)

    return pass_of


def pipeline_pass(pipeline, kind, find):
    """Return the pass of a pipeline: transformers, then the classifier."""
    steps = [step for _, step in pipeline.steps if step not in (None, "passthrough")]
    passes = [find(step, "transform") for step in steps[:-1]]
    passes.append(find(steps[-1], kind))
    return None if None in passes else chain(*passes)


def one_vs_rest_pass(classifier, kind, find):
    """Return the pass of OneVsRestClassifier: one column for each of its members."""
    members = [find(member, kind) for member in classifier.estimators_]
    if None in members or classifier.multilabel_:
        return None
    if kind == "decision":
        return side_by_side(members)
    second = side_by_side([chain(member, columns([1])) for member in members])
    return chain(second, both_classes if len(members) == 1 else shares)


def voting_pass(classifier, kind, find):
    """Return the pass of a soft vote: the weighted mean of all probabilities."""
    if kind != "probability":
        return None
    members = [find(member, kind) for member in classifier.estimators_]
    if None in members:
        return None
    weights = np.ones(len(members))
    if classifier.weights is not None:
        given = zip(classifier.estimators, classifier.weights, strict=True)
        weights = [weight for (_, member), weight in given if member != "drop"]
    return weighted_sum(members, weights / np.sum(weights))


def calibrated_pass(classifier, kind, find):
    """Return the pass of CalibratedClassifierCV: the mean over its folds."""
    if kind != "probability":
        return None
    folds = [_fold_pass(fold, find) for fold in classifier.calibrated_classifiers_]
    share = np.full(len(folds), 1.0 / len(folds))
    return None if None in folds else weighted_sum(folds, share)


def _fold_pass(fold, find):
    """Return the pass of one calibrated classifier, None for isotonic regression."""
    n_classes = len(fold.classes)
    from_scores = hasattr(fold.estimator, "decision_function")
    base = find(fold.estimator, "decision" if from_scores else "probability")
    if base is None or len(fold.estimator.classes_) < n_classes:
        return None
    if fold.method == "sigmoid":
        if n_classes == 2 and not from_scores:
            base = chain(base, columns([1]))
        a, b = np.array([(each.a_, each.b_) for each in fold.calibrators]).T
        last = both_classes if n_classes == 2 else shares
        return chain(base, stretch(-a, -b), logistic, last)
    if fold.method == "temperature" and from_scores:
        beta = float(fold.calibrators[0].beta_)
        if n_classes == 2:
            base = chain(base, affine(np.array([[-1.0, 1.0]])))
        return chain(base, stretch(beta), class_probabilities)
    return None


# Slopes of linear transformers, the usual first steps of a pipeline.


def _centered(center, scale):
    """Return the pass ``(Z - center) / scale``; None stands for 0 and 1."""
    factors = 1.0 / (1.0 if scale is None else scale)
    return stretch(factors, 0.0 if center is None else -center * factors)


def _standard(scaler):
    return _centered(scaler.mean_ if scaler.with_mean else None, scaler.scale_)


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
    return _centered(
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
    "MaxAbsScaler": lambda scaler: _centered(None, scaler.scale_),
    "RobustScaler": _robust,
    "_BasePCA": _principal,
    "TruncatedSVD": lambda svd: affine(svd.components_.T),
    "LinearDiscriminantAnalysis": _discriminant,
    "NeighborhoodComponentsAnalysis": lambda nca: affine(nca.components_.T),
    "GMLVQ": lambda model: affine(model.omega_.T),  # and LiRaM LVQ, its kin
    "SelectorMixin": lambda selector: columns(selector.get_support(indices=True)),
    "SimpleImputer": _imputer,
}
