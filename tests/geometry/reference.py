"""The Fisher metric by its formulas, slow and without shared code."""

import numpy as np


def weights(x, Q, s):
    """w_p = exp(-|x - q_p|^2 / (2 s^2)), up to a factor."""
    a = -((x - Q) ** 2).sum(axis=1) / (2.0 * s**2)
    return np.exp(a - a.max())


def posterior(x, Q, labels, s):
    """p(c|x) = W_c / W for the classes 0, 1, ..."""
    w = weights(x, Q, s)
    return np.bincount(labels, w, labels.max() + 1) / w.sum()


def fisher_matrix(x, Q, labels, s):
    """J(x) = 1/s^4 sum_c p(c|x) b b^T, b = E[q|x,c] - E[q|x]."""
    w = weights(x, Q, s)
    J = np.zeros((len(x), len(x)))
    for c, p in enumerate(posterior(x, Q, labels, s)):
        if p > 0.0:
            own = labels == c
            b = w[own] @ Q[own] / w[own].sum() - w @ Q / w.sum()
            J += p * np.outer(b, b) / s**4
    return J


def line_length(x, z, Q, labels, s, nodes):
    """Mean of sqrt(v^T J(x(t)) v) over the nodes t, with v = z - x."""
    v = z - x
    matrices = [fisher_matrix(x + t * v, Q, labels, s) for t in nodes]
    return np.mean([np.sqrt(max(0.0, v @ J @ v)) for J in matrices])


def sphere_length(posteriors):
    """Sum of twice the angles between the roots of successive posteriors."""
    u = np.sqrt(posteriors)
    chords = np.linalg.norm(np.diff(u, axis=0), axis=1)
    return np.sum(4.0 * np.arcsin(np.minimum(chords / 2.0, 1.0)))


def straight_length(x, z, Q, labels, s, n_steps):
    """d_T of section 3.2."""
    t = np.linspace(0.0, 1.0, n_steps + 1)
    p = [posterior(x + tk * (z - x), Q, labels, s) for tk in t]
    return sphere_length(np.array(p))
