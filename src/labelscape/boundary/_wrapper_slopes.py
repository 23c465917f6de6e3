"""Slopes of classifiers made of others: pipelines, searches, calibration, votes.

Each function takes a classifier, what is wanted of it ("probability" or "decision"),
and ``find``, which returns the pass of a classifier inside, or None.
"""

import numpy as np

from labelscape.boundary._passes import (
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
