"""Gradients of classifier outputs, computed with formulas.

There are formulas for support vector machines, linear models, prototype models, and
pipelines of linear steps before one of these models.

A *forward function* takes Z (n, a) and returns values V (n, b) and a function ``back``,
which turns R (n, b) into the vector-Jacobian product ``J(Z)^T R`` (n, a), point by
point. So no array of shape (n, b, a) is needed.
"""

import numpy as np
from scipy.special import expit
from scipy.special import softmax as softmax_of

from labelscape._core.checks import named_as
from labelscape._core.points.distances import squared_distances, squared_norms
from labelscape.prototypes._internal import PrototypeClassifier

# Width of the step of a smoothed vote between two classes; the margin is at 1.
SOFTNESS = 0.1
# How far a pipeline step may deviate from a linear one, relative to its values.
LINEAR = 1e-6


def analytic_pass(classifier, kind, X):
    """Return the forward function of a classifier; None if there is no formula."""
    # Classifiers are recognized by their attributes, which other models may have, too.
    # So callers must compare the values with those of the classifier.
    classifier = getattr(classifier, "best_estimator_", classifier)
    if hasattr(classifier, "steps"):
        return _pipeline_pass(classifier, kind, X)
    if isinstance(classifier, PrototypeClassifier):
        return _prototype_pass(classifier, kind)
    if hasattr(classifier, "support_vectors_"):
        return _svm_pass(classifier) if kind == "decision" else None
    if hasattr(classifier, "coef_") and hasattr(classifier, "intercept_"):
        return _linear_pass(classifier, kind, X.shape[1])
    return None


def _chain(*passes):
    """Return the composition of forward functions; gradients use the chain rule."""

    def forward(Z):
        backs = []
        for each in passes:
            Z, own = each(Z)
            backs.append(own)

        def back(R):
            for each in reversed(backs):
                R = each(R)
            return R

        return Z, back

    return forward


def _affine(M, offset=0.0):
    return lambda Z: (Z @ M + offset, lambda R: R @ M.T)


def _stretch(factors):
    return lambda Z: (Z * factors, lambda R: R * factors)


def _softmax(S):
    """Return ``exp(S_c) / sum_k exp(S_k)`` for scores S (n, C), and ``back``."""
    P = softmax_of(S, axis=1)
    return P, lambda R: P * (R - np.sum(P * R, axis=1, keepdims=True))


def _logistic(S):
    """Return both probabilities for log-odds S (n, 1) of class 1, and ``back``."""
    P = expit(S)
    return np.hstack([1.0 - P, P]), lambda R: (R[:, [1]] - R[:, [0]]) * P * expit(-S)


def _dense(A):
    return A.toarray() if hasattr(A, "toarray") else np.asarray(A, dtype=np.float64)


def _linear_pass(classifier, kind, n_features):
    """Return the forward function of a classifier with ``coef_`` and ``intercept_``."""
    coefficients = np.atleast_2d(_dense(classifier.coef_))
    if coefficients.shape[1] != n_features:
        return None
    scores = _affine(coefficients.T, np.asarray(classifier.intercept_))
    if kind == "decision":
        return scores
    return _chain(scores, _logistic if len(coefficients) == 1 else _softmax)


def _pipeline_pass(pipeline, kind, X):
    """Return the forward function of linear steps and a final classifier, or None."""
    passes = []
    for _, step in pipeline.steps[:-1]:
        if step in (None, "passthrough"):
            continue
        M, offset, X = _linear_step(step, X)
        if M is None:
            return None
        passes.append(_affine(M, offset))
    last = analytic_pass(pipeline.steps[-1][1], kind, X)
    return None if last is None else _chain(*passes, last)


def _linear_step(step, X):
    """Return M, offset and X M + offset of a transformer; M is None if not linear."""
    center, scale = X.mean(axis=0), X.std(axis=0)
    scale = np.where(scale > 0.0, scale, 1.0)
    probes = np.vstack([center, center + np.diag(scale), X])
    images = step.transform(named_as(step, probes))
    if np.ndim(images) != 2 or np.asarray(images).dtype.kind != "f":
        return None, None, None
    images = np.asarray(images, dtype=np.float64)
    origin, axes, images = images[0], images[1 : len(center) + 1], images[-len(X) :]
    M = (axes - origin) / scale[:, None]
    offset = origin - center @ M
    gap = np.abs(X @ M + offset - images).max()
    return (M if gap <= LINEAR * np.ptp(images) else None), offset, images


# Support vector machines: sums of kernels at the support vectors.


def _svm_pass(classifier):
    """Return the forward function of a linear or rbf SVC or NuSVC; otherwise None."""
    n_classes = len(classifier.classes_)
    vectors, U = _dense(classifier.support_vectors_), _pairs(classifier)
    # No public attribute has the value of gamma="scale". If a version of scikit-learn
    # renames the private attribute, there is no formula.
    gamma = getattr(classifier, "_gamma", None)
    if classifier.kernel == "linear":
        scores = _affine(vectors.T @ U, classifier.intercept_)
    elif classifier.kernel == "rbf" and gamma is not None:
        scores = radial_sum(vectors, U, classifier.intercept_, gamma)
    else:
        return None
    if n_classes > 2 and classifier.decision_function_shape == "ovr":
        return _chain(scores, _soft_votes(n_classes))
    return scores


def radial_sum(points, U, offset, gamma):
    """Return the forward function ``sum_s U_s exp(-gamma |z - s|^2) + offset``."""
    middle = points.mean(axis=0)  # far from the origin, products would lose digits
    V = points - middle
    norms = squared_norms(V)

    def forward(Z):
        Z = Z - middle
        K = squared_distances(Z, V, norms)
        K *= -gamma
        np.exp(K, out=K)

        def back(R):
            H = R @ U.T
            H *= K
            return 2.0 * gamma * (H @ V - H.sum(axis=1, keepdims=True) * Z)

        return K @ U + offset, back

    return forward


def _pairs(classifier):
    """Return the coefficients (n_vectors, n_pairs) of all pairs of classes i < j."""
    # In ``dual_coef_`` (C - 1, n_vectors), a vector of class i has its coefficient for
    # the pair with j in row j - 1, a vector of class j in row i.
    dual = _dense(classifier.dual_coef_)
    n_classes = len(classifier.classes_)
    if n_classes == 2:
        return dual.T
    owner = np.repeat(np.arange(n_classes), classifier.n_support_)
    first, second = np.triu_indices(n_classes, 1)
    U = np.zeros((len(owner), len(first)))
    for k, (i, j) in enumerate(zip(first, second, strict=True)):
        U[owner == i, k] = dual[j - 1, owner == i]
        U[owner == j, k] = dual[i, owner == j]
    return U


def _soft_votes(n_classes):
    """Return the forward function from decision values of pairs to class votes."""
    # scikit-learn adds s / (3 (|s| + 1)), where s is the sum of decision values. A vote
    # jumps where a decision value is 0; here it changes over a tenth of the margin,
    # because a search needs a nonzero gradient.
    first, second = np.triu_indices(n_classes, 1)
    # 1 for the first class of a pair, -1 for the second.
    signs = np.eye(n_classes)[first] - np.eye(n_classes)[second]

    def forward(D):
        total = D @ signs
        size = np.abs(total) + 1.0
        T = np.tanh(D / SOFTNESS)
        votes = (T @ signs + n_classes - 1) / 2.0

        def back(R):
            of_votes = (R @ signs.T) * (1.0 - T * T) / (2.0 * SOFTNESS)
            return of_votes + (R / (3.0 * size**2)) @ signs.T

        return votes + total / (3.0 * size), back

    return forward


# Prototype models of this library.


def _prototype_pass(classifier, kind):
    """Return the forward function of a prototype model; None if there is no formula."""
    metric, n_classes = classifier.metric_, len(classifier.classes_)
    owner = np.searchsorted(classifier.classes_, classifier.prototype_labels_)
    # A class that has not occurred yet is infinitely far away.
    if metric.kind == "precomputed" or len(np.unique(owner)) < n_classes:
        return None
    passes = [_prototype_distances(metric)]
    if not metric.is_squared:
        passes.append(_root)
    passes.append(_smallest_of_each(owner, n_classes))
    temperature = classifier.temperature_ if kind == "probability" else 1.0
    if n_classes > 2:
        passes.append(_stretch(-1.0 / temperature))
    else:
        passes += [_relative_lead, _stretch(1.0 / temperature)]
    if kind == "probability":
        passes.append(_softmax if n_classes > 2 else _logistic)
    return _chain(*passes)


def _prototype_distances(metric):
    """Return the forward function ``|Omega (z - w)|^2`` (n, l) for l prototypes w."""
    W, Omega = metric.prototypes.astype(np.float64), metric.shared
    if metric.kind == "local":
        return _distances_to(W, [factor.T for factor in metric.factors])
    if Omega is None:
        return _distances_to(W, [None] * len(W))
    M = np.diag(Omega) if Omega.ndim == 1 else Omega.T
    return _chain(_affine(M), _distances_to(W @ M, [None] * len(W)))


def _distances_to(W, factors):
    """Return the forward function ``|(z - w_k) F_k|^2`` (n, l); F_k may be None."""

    def forward(Z):
        images = [
            Z - w if F is None else (Z - w) @ F for w, F in zip(W, factors, strict=True)
        ]
        lengths = np.stack([squared_norms(Y) for Y in images], axis=1)

        def back(R):
            G = np.zeros_like(Z)
            for k, (Y, F) in enumerate(zip(images, factors, strict=True)):
                there = R[:, k] != 0.0  # most are zero after a minimum
                slope = 2.0 * R[there, k, None] * Y[there]
                G[there] += slope if F is None else slope @ F.T
            return G

        return lengths, back

    return forward


def _smallest_of_each(owner, n_classes):
    """Return the forward function that keeps the smallest distance of each class."""
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
    """Return ``(d_0 - d_1) / (d_0 + d_1)`` (0 if both are 0) for d (n, 2), and back."""
    total = d.sum(axis=1, keepdims=True)
    total = np.where(total == 0.0, np.inf, total)
    lead = (d[:, [0]] - d[:, [1]]) / total
    return lead, lambda R: 2.0 * R * d[:, ::-1] * (1.0, -1.0) / total**2


def _root(D):
    """Return square roots, and ``back`` with the gradient 0 at a prototype."""
    d = np.sqrt(D)
    return d, lambda R: np.divide(0.5 * R, d, out=np.zeros_like(R), where=d > 0.0)
