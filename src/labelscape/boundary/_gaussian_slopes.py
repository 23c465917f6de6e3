"""Slopes of classifiers with one Gaussian per class: QDA and naive Bayes."""

import numpy as np

from labelscape.boundary._passes import (
    chain,
    second_lead,
    softmax,
    squared_lengths,
    stretch,
)


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
