"""How well a label suits an object: the odds that it is right.

A label g is right with a weight of p(g) t(g, g), and stands for another class k with
p(k) t(k, g), where t(k, g) is how often objects of class k are given the label g. The
score is the logarithm of the first over the largest of the others: low where another
class is likely, and is often mistaken for this one.
"""

import numpy as np

# Probabilities below this are not known.
LEAST = 3e-3
# So many labels of each class are taken to be wrong in any way, besides those found.
SPREAD = 30.0
# The same where decoys are drawn: what was not found is rarely drawn.
RARELY = 1.0


def doubted_labels(likely, codes, doubt, n_classes):
    """Return how many objects of each likely class have each other label (C, C).

    They count by the doubt in their label, from 0 to 1.
    """
    pairs = likely * n_classes + codes
    weights = np.where(likely == codes, 0.0, doubt)
    found = np.bincount(pairs, weights, minlength=n_classes**2)
    return found.reshape(n_classes, n_classes)


def spread(counts, mass):
    """Return counts with so many further wrong labels of each class, evenly spread."""
    n_classes = len(counts)
    return counts + mass / (n_classes - 1) * (1.0 - np.eye(n_classes))


def wrong_labels(counts):
    """Return which wrong labels objects of each class are given (C, C), as shares.

    Examples
    --------
    >>> import numpy as np
    >>> wrong_labels(np.array([[0, 8, 0], [0, 0, 0], [0, 0, 0]])).round(2)
    array([[0.  , 0.94, 0.06],
           [0.5 , 0.  , 0.5 ],
           [0.5 , 0.5 , 0.  ]])
    """
    found = spread(counts, RARELY)
    return found / found.sum(axis=1, keepdims=True)


def plain_scores(p):
    """Return log odds of each label against the best other one (n, C).

    Examples
    --------
    >>> import numpy as np
    >>> plain_scores(np.array([[0.7, 0.2, 0.1]])).round(2)
    array([[ 1.24, -1.24, -1.92]])
    """
    return _against_best(np.log(p + LEAST), np.zeros((p.shape[1], p.shape[1])))


def label_scores(p, codes, doubt):
    """Return log odds that each label would be right (n, C), by what is mistaken.

    The doubt in an object's own label is not counted where that label is scored: it
    would speak for the mistake that it may be.
    """
    n_classes, likely = p.shape[1], p.argmax(axis=1)
    counts = spread(doubted_labels(likely, codes, doubt, n_classes), SPREAD)
    believed = np.bincount(codes, 1.0 - doubt, minlength=n_classes)
    counts[np.diag_indices(n_classes)] = believed + 1.0
    totals = counts.sum(axis=1)
    L = np.log(p + LEAST)
    scores = _against_best(L, np.log(counts / totals[:, None]))
    for c in range(n_classes):
        rows = np.flatnonzero((codes == c) & (likely != c))
        k = likely[rows]
        others = L[rows] + np.log(counts[:, c] / totals)
        without = (counts[k, c] - doubt[rows]) / totals[k]
        others[np.arange(len(rows)), k] = L[rows, k] + np.log(without)
        scores[rows, c] = _ahead(others, c)
    return scores


def _against_best(L, log_given):
    """Return L(c) + t(c, c) less the largest L(k) + t(k, c) of other classes (n, C)."""
    columns = [_ahead(L + log_given[:, c], c) for c in range(L.shape[1])]
    return np.stack(columns, axis=1)


def _ahead(weights, c):
    """Return by how much column c is ahead of the best other one."""
    right = weights[:, c].copy()
    weights[:, c] = -np.inf
    return right - weights.max(axis=1, initial=-np.inf)
