"""Slopes of multilayer perceptrons: the backward pass."""

import numpy as np

from labelscape.boundary._passes import (
    affine,
    both_classes,
    chain,
    logistic,
    softmax,
)


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
