"""The measures of a map by their definitions, as loops over pairs.

Section numbers are those of the specification of the measures.
"""

import math

import numpy as np


def distances(X):
    """Euclidean distances, one coordinate after the other."""
    n = len(X)
    D = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            D[i, j] = math.sqrt(
                sum((float(a) - float(b)) ** 2 for a, b in zip(X[i], X[j], strict=True))
            )
    return D


def ranks(D):
    """rho_ij: 1 for the nearest other point; ties by index; 0 for the point itself."""
    n = len(D)
    rho = np.zeros((n, n), dtype=int)
    for i in range(n):
        others = sorted((D[i, j], j) for j in range(n) if j != i)
        for place, (_, j) in enumerate(others, start=1):
            rho[i, j] = place
    return rho


def g(n, k):
    """The scale of the penalties (section 1)."""
    if k < n / 2:
        return 2 / (n * k * (2 * n - 3 * k - 1))
    return 2 / (n * (n - k) * (n - k - 1))


def penalties(neighbors_by, penalized_by, k, counts=lambda i, j: True):
    """Sum over i of each point: of (rank - k) over j near in one rank, far in other."""
    n = len(neighbors_by)
    sums = np.zeros(n)
    for i in range(n):
        for j in range(n):
            if j == i or not counts(i, j):
                continue
            if neighbors_by[i, j] <= k < penalized_by[i, j]:
                sums[i] += penalized_by[i, j] - k
    return sums


def trustworthiness(rho, r, k):
    return 1 - g(len(rho), k) * penalties(r, rho, k).sum()


def continuity(rho, r, k):
    return 1 - g(len(rho), k) * penalties(rho, r, k).sum()


def class_trustworthiness(rho, r, y, k):
    between = penalties(r, rho, k, lambda i, j: y[i] != y[j])
    return 1 - g(len(rho), k) * between.sum()


def class_continuity(rho, r, y, k):
    within = penalties(rho, r, k, lambda i, j: y[i] == y[j])
    return 1 - g(len(rho), k) * within.sum()


def coranking_matrix(rho, r):
    """Q_ab = number of pairs with rho = a and r = b; row and column 0 are empty."""
    n = len(rho)
    Q = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(n):
            if i != j:
                Q[rho[i, j], r[i, j]] += 1
    return Q


def q_nx(Q, K):
    return Q[1 : K + 1, 1 : K + 1].sum() / (K * len(Q))


def r_nx(Q, K):
    n = len(Q)
    return ((n - 1) * q_nx(Q, K) - K) / (n - 1 - K)


def b_nx(Q, K):
    """U_N - U_X: share with rho > r less share with rho < r, inside the K corner."""
    corner = Q[1 : K + 1, 1 : K + 1]
    intrusions = sum(corner[a, b] for a in range(K) for b in range(K) if a > b)
    extrusions = sum(corner[a, b] for a in range(K) for b in range(K) if a < b)
    return (intrusions - extrusions) / (K * len(Q))


def lcmc(Q, K):
    return q_nx(Q, K) - K / (len(Q) - 1)


def auc_log_rnx(Q):
    sizes = range(1, len(Q) - 1)
    return sum(r_nx(Q, K) / K for K in sizes) / sum(1 / K for K in sizes)


def condensed(D):
    n = len(D)
    return np.array([D[i, j] for i in range(n) for j in range(i + 1, n)])


def sammon(delta, d, b=1.0):
    """Section 2; pairs with delta = 0 left out."""
    total = sum(delta)
    pairs = [(p, q) for p, q in zip(delta, d, strict=True) if p > 0]
    return sum((p - b * q) ** 2 / p for p, q in pairs) / total


def stress_1(delta, d, b=1.0):
    pairs = list(zip(delta, d, strict=True))
    return math.sqrt(sum((p - b * q) ** 2 for p, q in pairs) / sum(delta**2))


def distortion(delta, d, same, b):
    """The four sums of section 3: {compressed, stretched} x {same, different}."""
    parts = {}
    for p, q, alike in zip(delta, d, same, strict=True):
        if p > 0 and b * q != p:
            key = ("compressed" if b * q < p else "stretched", bool(alike))
            parts[key] = parts.get(key, 0.0) + (p - b * q) ** 2 / p / sum(delta)
    return parts


def separation(squared_to_centroid, y, one, other):
    """dsc of two classes: 2 x (share nearer to the own centroid) - 1, not below 0."""
    right = total = 0
    for i, label in enumerate(y):
        if label in (one, other):
            foreign = other if label == one else one
            total += 1
            right += squared_to_centroid(i, label) < squared_to_centroid(i, foreign)
    return max(0.0, 2 * right / total - 1)


def to_centroid(X, y):
    """Squared distance to a class centroid, from coordinates."""

    def squared(i, label):
        center = np.mean([x for x, own in zip(X, y, strict=True) if own == label], 0)
        return sum((a - b) ** 2 for a, b in zip(X[i], center, strict=True))

    return squared


def label_scores(X, Y, y):
    """Label-Trustworthiness and Label-Continuity (section 3)."""
    in_data, on_map = to_centroid(X, y), to_centroid(Y, y)
    classes = sorted(set(y))
    closer, further = [], []
    for a, one in enumerate(classes):
        for other in classes[a + 1 :]:
            v_o = separation(in_data, y, one, other)
            v_m = separation(on_map, y, one, other)
            closer.append(max(0.0, v_o - v_m))
            further.append(max(0.0, v_m - v_o))
    return 1 - sum(closer) / len(closer), 1 - sum(further) / len(further)


def majority(labels):
    """The most frequent label; a tie goes to the class that is met first."""
    votes = {}
    for label in labels:  # a dict keeps the order in which classes are met
        votes[label] = votes.get(label, 0) + 1
    return max(votes, key=votes.get)  # max: the first of equals


def knn_hits(D, y, k):
    """Whether the k nearest others vote for a point's own class."""
    r = ranks(D)
    n = len(y)
    hits = []
    for i in range(n):
        near = sorted((r[i, j], j) for j in range(n) if 1 <= r[i, j] <= k)
        hits.append(majority([y[j] for _, j in near]) == y[i])
    return np.array(hits)


def vote(fitted, y, point, k):
    """What the k nearest fitted points of a new one vote for."""
    order = sorted((math.dist(point, x), j) for j, x in enumerate(fitted))
    return majority([y[j] for _, j in order[:k]])


def neighborhood_hit(D, y, k):
    r = ranks(D)
    n = len(y)
    return sum(
        y[j] == y[i] for i in range(n) for j in range(n) if 1 <= r[i, j] <= k
    ) / (n * k)
