"""Slopes by formula: linear classifiers, Gaussians, perceptrons."""

import numpy as np

from labelscape.boundary.gradients.passes import (
    affine,
    both_classes,
    chain,
    class_probabilities,
    logistic,
    second_lead,
    shares,
    softmax,
    squared_lengths,
    stretch,
)

# Slopes of linear classifiers: a matrix, then probabilities of its scores.


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


# Slopes of classifiers with one Gaussian per class: QDA and naive Bayes.


def quadratic_pass(classifier, kind):
    """Return the pass of quadratic discriminant analysis."""
    axes = zip(classifier.rotations_, classifier.scalings_, strict=True)
    factors = [rotation / np.sqrt(scaling) for rotation, scaling in axes]
    volumes = np.array([np.sum(np.log(s)) for s in classifier.scalings_])
    posteriors = _log_posteriors(
        classifier.means_, factors, np.log(classifier.priors_) - volumes / 2.0
    )
    if kind == "probability":
        return chain(posteriors, softmax)
    if len(classifier.classes_) == 2:
        return chain(posteriors, second_lead)
    return posteriors


def naive_bayes_pass(classifier, kind):
    """Return the pass of Gaussian naive Bayes."""
    volumes = np.log(2.0 * np.pi * classifier.var_).sum(axis=1)
    posteriors = _log_posteriors(
        classifier.theta_,
        1.0 / np.sqrt(classifier.var_),
        np.log(classifier.class_prior_) - volumes / 2.0,
    )
    return chain(posteriors, softmax) if kind == "probability" else None


def _log_posteriors(means, factors, constants):
    """Return the pass ``constants_c - |(z - mean_c) F_c|^2 / 2``."""
    return chain(squared_lengths(means, factors), stretch(-0.5, constants))


# Slopes of multilayer perceptrons: the backward pass.


def network_pass(classifier, kind):
    """Return the pass of scikit-learn's MLPClassifier."""
    if kind != "probability":
        return None
    layers = list(map(affine, classifier.coefs_, classifier.intercepts_))
    passes = [layers[0]]
    for layer in layers[1:]:
        passes += [ACTIVATIONS[classifier.activation], layer]
    if classifier.out_activation_ == "softmax":
        return chain(*passes, softmax)
    return chain(*passes, logistic, both_classes)


def _identity(S):
    return S, lambda R: R


def _tanh(S):
    T = np.tanh(S)
    return T, lambda R: R * (1.0 - T * T)


def _relu(S):
    return np.maximum(S, 0.0), lambda R: R * (S > 0.0)


ACTIVATIONS = {
    "identity": _identity,
    "logistic": logistic,
    "tanh": _tanh,
    "relu": _relu,
}
