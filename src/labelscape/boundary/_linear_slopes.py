"""Slopes of linear classifiers: a matrix, then probabilities of its scores."""

import numpy as np

from labelscape.boundary._passes import (
    affine,
    both_classes,
    chain,
    class_probabilities,
    logistic,
    shares,
)


def linear_pass(classifier, kind):
    """Return the pass of a classifier with ``coef_`` and ``intercept_``."""
    coefficients = classifier.coef_
    if hasattr(coefficients, "toarray"):  # after sparsify()
        coefficients = coefficients.toarray()
    coefficients = np.atleast_2d(np.asarray(coefficients, dtype=np.float64))
    scores = affine(coefficients.T, np.asarray(classifier.intercept_))
    return scores if kind == "decision" else None


def logistic_pass(classifier, kind):
    """Return the pass of logistic regression or linear discriminant analysis."""
    scores = linear_pass(classifier, "decision")
    return scores if kind == "decision" else chain(scores, class_probabilities)


def sgd_pass(classifier, kind):
    """Return the pass of a linear model learned step by step: one against the rest."""
    scores = linear_pass(classifier, "decision")
    if kind == "decision":
        return scores
    if classifier.loss != "log_loss":
        return None
    last = both_classes if len(classifier.classes_) == 2 else shares
    return chain(scores, logistic, last)


def multinomial_pass(classifier, kind):
    """Return the pass of multinomial naive Bayes, whose log-posteriors are linear."""
    scores = affine(classifier.feature_log_prob_.T, classifier.class_log_prior_)
    return chain(scores, class_probabilities) if kind == "probability" else None
