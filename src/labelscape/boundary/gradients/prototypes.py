"""Slopes of the library's own prototype classifiers."""

import numpy as np

from labelscape._core.points.distances import squared_distances, squared_norms
from labelscape.boundary.gradients.passes import (
    affine,
    both_classes,
    chain,
    logistic,
    softmax,
    squared_lengths,
    stretch,
)
from labelscape.prototypes._internal import prototype_classes


def prototype_pass(classifier, kind):
    """Return the pass of a prototype model; None if its objects have no features."""
    metric = classifier.metric_
    if metric.kind == "precomputed":
        return None
    W = metric.prototypes.astype(np.float64)
    if metric.kind == "local":
        distances = squared_lengths(W, [factor.T for factor in metric.factors])
    else:
        distances = _one_metric(W, metric.shared)
    if not metric.is_squared:
        distances = chain(distances, _root)
    return _from_distances(distances, classifier, kind)


def _one_metric(W, Omega):
    """Return the pass to ``|Omega (z - w)|^2`` for all rows w of W, by one product."""
    if Omega is None:
        return _distances_to(W)
    if Omega.ndim == 1:
        return chain(stretch(Omega), _distances_to(W * Omega))
    return chain(affine(Omega.T), _distances_to(W @ Omega.T))


def _distances_to(W):
    middle = W.mean(axis=0)  # far from the origin, the products would blur
    W = W - middle
    norms = squared_norms(W)

    def forward(Z):
        Z = Z - middle

        def back(R):
            return 2.0 * (R.sum(axis=1, keepdims=True) * Z - R @ W)

        return squared_distances(Z, W, norms), back

    return forward


def _from_distances(distances, classifier, kind):
    """Return the pass from distances to what the model says of the classes."""
    owner = prototype_classes(classifier)
    n_classes = len(classifier.classes_)
    if len(np.unique(owner)) < n_classes:  # a class not seen yet is nowhere
        return None
    nearest = chain(distances, _smallest_of_each(owner, n_classes))
    temperature = classifier.temperature_ if kind == "probability" else 1.0
    if n_classes > 2:
        scores = chain(nearest, stretch(-1.0 / temperature))
        return chain(scores, softmax) if kind == "probability" else scores
    lead = chain(nearest, _relative_lead, stretch(1.0 / temperature))
    return chain(lead, logistic, both_classes) if kind == "probability" else lead


def _smallest_of_each(owner, n_classes):
    """Return the pass from all distances (n, l) to the smallest of each class."""
    members = [np.flatnonzero(owner == c) for c in range(n_classes)]

    def forward(D):
        rows = np.arange(len(D))[:, None]
        winners = np.stack([own[D[:, own].argmin(axis=1)] for own in members], axis=1)

        def back(R):
            G = np.zeros_like(D)
            G[rows, winners] = R
            return G

        return D[rows, winners], back

    return forward


def _relative_lead(d):
    """Pass from distances (n, 2) to ``(d_0 - d_1) / (d_0 + d_1)``, 0 if both are."""
    total = d.sum(axis=1, keepdims=True)
    total = np.where(total == 0.0, np.inf, total)

    def back(R):
        return 2.0 * R * d[:, ::-1] * (1.0, -1.0) / total**2

    return (d[:, [0]] - d[:, [1]]) / total, back


def _root(D):
    """Pass to square roots; on a prototype itself there is no direction, so 0."""
    d = np.sqrt(D)

    def back(R):
        return np.divide(0.5 * R, d, out=np.zeros_like(R), where=d > 0.0)

    return d, back
