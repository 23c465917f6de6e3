"""Slopes of support vector machines: sums of kernels over the support vectors."""

import numpy as np

from labelscape.boundary.gradients.passes import (
    affine,
    both_classes,
    chain,
    coupled_probabilities,
    logistic,
    radial_sum,
    stretch,
)

# libsvm keeps the probabilities of pairs this far from 0 and 1.
LEAST_PROBABILITY = 1e-7
# Where a vote goes from one class of a pair to the other; the margin is at 1.
SOFTNESS = 0.1


def svm_pass(classifier, kind):
    """Return the pass of SVC or NuSVC, None for kernels that have no formula."""
    kernel, n_classes = _kernel_of(classifier), len(classifier.classes_)
    platt = _probabilities(classifier, n_classes) if kind == "probability" else ()
    if kernel is None or platt is None:
        return None
    vectors, coefficients = map(
        _dense, (classifier.support_vectors_, _pairs(classifier))
    )
    scores = kernel(vectors, coefficients, classifier.intercept_)
    if kind == "probability":
        return chain(scores, *platt)
    if n_classes > 2 and classifier.decision_function_shape == "ovr":
        return chain(scores, _soft_votes(n_classes))
    return scores


def _dense(A):
    return A.toarray() if hasattr(A, "toarray") else np.asarray(A, dtype=np.float64)


def _pairs(classifier):
    """Return the coefficients (n_vectors, n_pairs) of all pairs of classes i < j.

    In ``dual_coef_`` (C - 1, n_vectors) a vector of class i has its part in the pair
    with j in row j - 1, one of class j in row i. With two classes there is one row.
    """
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


def _kernel_of(classifier):
    """Return the function that makes the pass ``sum_s U_s k(z, s) + b``, or None."""
    if classifier.kernel == "linear":
        return lambda vectors, U, b: affine(vectors.T @ U, b)
    # Nothing public tells what gamma="scale" was. Where a version of scikit-learn has
    # another name for it, there is no formula, and slopes are found without one.
    gamma, c = getattr(classifier, "_gamma", None), classifier.coef0
    if gamma is None:
        return None
    if classifier.kernel == "rbf":
        return lambda vectors, U, b: radial_sum(vectors, U, b, gamma)
    if classifier.kernel == "poly" and classifier.degree > 0:
        return lambda vectors, U, b: _of_products(
            vectors, U, b, gamma, c, lambda B: _power(B, classifier.degree)
        )
    if classifier.kernel == "sigmoid":
        return lambda vectors, U, b: _of_products(vectors, U, b, gamma, c, _tanh)
    return None


def _of_products(vectors, U, b, gamma, c, of_base):
    """Return the pass of ``k = f(gamma z.s + c)``; of_base gives f and its slope."""

    def forward(Z):
        K, slope = of_base(gamma * (Z @ vectors.T) + c)

        def back(R):
            H = R @ U.T
            H *= slope
            return gamma * (H @ vectors)

        return K @ U + b, back

    return forward


def _power(B, degree):
    lower = np.ones_like(B)
    for _ in range(degree - 1):  # much faster than the power of real numbers
        lower *= B
    return lower * B, degree * lower


def _tanh(B):
    T = np.tanh(B)
    return T, 1.0 - T * T


def _soft_votes(n_classes):
    """Return the pass from pairs to the votes of classes, plus a tie-break.

    scikit-learn adds ``s / (3 (|s| + 1))`` to a class's votes, s being the sum of its
    decision values. A vote jumps where a decision value is 0; here it goes over within
    a tenth of the margin, because nothing can be lowered along a slope that is 0.
    """
    signs = _incidence(n_classes)

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


def _incidence(n_classes):
    """Return S (n_pairs, C): 1 for the first class of a pair, -1 for the second."""
    first, second = np.triu_indices(n_classes, 1)
    S = np.zeros((len(first), n_classes))
    S[np.arange(len(first)), first] = 1.0
    S[np.arange(len(first)), second] = -1.0
    return S


def _probabilities(classifier, n_classes):
    """Return the passes from decision values to probabilities: Platt, then coupling.

    None where scikit-learn does not tell Platt's numbers: the public names of them are
    deprecated, and warn.
    """
    a, b = (getattr(classifier, name, None) for name in ("_probA", "_probB"))
    if a is None or b is None:
        return None
    if n_classes == 2:  # our values are positive for the second class, libsvm's not
        return stretch(-a, b), logistic, both_classes
    return stretch(-a, -b), logistic, _clipped, coupled_probabilities


def _clipped(P):
    low, high = LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY
    inside = (low < P) & (high > P)
    return np.clip(P, low, high), lambda R: R * inside
