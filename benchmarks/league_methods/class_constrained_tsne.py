# /// script
# dependencies = ["numpy", "scikit-learn"]
#
# [tool.league]
# title = "class-constrained t-SNE"
# transductive = true
# ///
"""Class-constrained t-SNE (Meng et al. 2023, arXiv 2308.13837), written from its cost.

Rows y_i and a landmark v_u per class are placed together, to minimize

    a KL(P || Q) + (1 - a) (1/n) sum_i [KL(p_i || q_i) + lambda/m sum_u p_iu d_iu]

with P and Q as in t-SNE, p_i the class probabilities of row i, d_iu = |y_i - v_u|^2 and
q_iu proportional to 1 / (1 + d_iu) for each row. Settings are the defaults of the
authors' program: a = lambda = 0.5, perplexity 30, 300 of 1,000 steps exaggerated.
It cannot place new rows, so they are part of the map, with the probabilities of a
random forest that has seen the labels of the fitted rows only.
"""

import numpy as np
from sklearn.ensemble import RandomForestClassifier

ALPHA = WEIGHT = 0.5
PERPLEXITY, STEPS, EXAGGERATED = 30, 1000, 300
TINY = np.finfo(float).tiny


def fit_transform(X, y, X_new):
    """Return the map of the fitted rows and that of the new ones."""
    everything = np.vstack([X, X_new])
    forest = RandomForestClassifier(random_state=0).fit(X, y)
    Z = positions(joint_probabilities(everything), forest.predict_proba(everything))
    return Z[: len(X)], Z[len(X) :]


def squared(A, B):
    """Return squared distances between rows."""
    return np.maximum((A**2).sum(1)[:, None] + (B**2).sum(1) - 2.0 * A @ B.T, 0.0)


def joint_probabilities(X):
    """Return P of t-SNE; each row's width gives the perplexity, by bisection."""
    D = squared(X, X)
    np.fill_diagonal(D, np.inf)
    D -= D.min(axis=1, keepdims=True)
    target = np.log(min(PERPLEXITY, (len(X) - 1) / 3))
    low, high = np.zeros((len(X), 1)), np.full((len(X), 1), np.inf)
    beta = np.ones((len(X), 1))
    for _ in range(60):
        P = np.exp(-beta * D)
        P /= P.sum(axis=1, keepdims=True)
        entropy = -(P * np.log(np.maximum(P, TINY))).sum(axis=1, keepdims=True)
        wide = entropy > target
        low, high = np.where(wide, beta, low), np.where(wide, high, beta)
        beta = np.where(np.isinf(high), 2.0 * beta, (low + high) / 2.0)
    return (P + P.T) / (2.0 * len(X))


def cost_and_slopes(Y, V, P, p):
    """Return the cost, and its slopes by the rows Y and by the landmarks V."""
    n, m = p.shape
    W = 1.0 / (1.0 + squared(Y, Y))
    np.fill_diagonal(W, 0.0)
    Q = np.maximum(W / W.sum(), TINY)
    d = squared(Y, V)
    w = 1.0 / (1.0 + d)
    q = w / w.sum(axis=1, keepdims=True)
    rows = (P * np.log(np.maximum(P, TINY) / Q)).sum()
    classes = (p * np.log(np.maximum(p, TINY) / q)).sum() + WEIGHT / m * (p * d).sum()
    A = 4.0 * ALPHA * (P - Q) * W
    # The slope by d of -p log q is (p - q) / (1 + d) in all.
    B = 2.0 * (1.0 - ALPHA) / n * ((p - q) * w + WEIGHT / m * p)
    by_rows = (A.sum(axis=1) + B.sum(axis=1))[:, None] * Y - A @ Y - B @ V
    by_landmarks = B.sum(axis=0)[:, None] * V - B.T @ Y
    return ALPHA * rows + (1.0 - ALPHA) * classes / n, by_rows, by_landmarks


def positions(P, p):
    """Return the rows' places, by the descent of t-SNE: momentum and gains."""
    n, m = p.shape
    Z = 1e-4 * np.random.default_rng(0).standard_normal((n + m, 2))
    # Many rows pull at one landmark, so its steps are shorter.
    rate = np.r_[np.full(n, max(n / 12.0, 50.0)), np.full(m, max(m / 12.0, 0.5))]
    step, gain = np.zeros_like(Z), np.ones_like(Z)
    for iteration in range(STEPS):
        early = iteration < EXAGGERATED
        slopes = cost_and_slopes(Z[:n], Z[n:], 12.0 * P if early else P, p)[1:]
        slope = np.vstack(slopes)
        gain = np.maximum(np.where(slope * step < 0.0, gain + 0.2, 0.8 * gain), 0.01)
        step = (0.5 if early else 0.8) * step - rate[:, None] * gain * slope
        Z += step
    return Z[:n]
