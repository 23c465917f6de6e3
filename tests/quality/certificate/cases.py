"""Certificates as their definitions say them."""

import numpy as np


def balanced_votes(Z, codes, fitted, placed=None, k=5):
    """The mean over classes of the share of placed objects that neighbours vote for.

    Each of the k nearest fitted objects has a vote, which counts 1 over the number of
    fitted objects of its class where classes are uneven; a tie goes to the nearer one.
    """
    if placed is None:
        placed = np.setdiff1d(np.arange(len(Z)), fitted)
    sizes = np.bincount(codes[fitted])
    uneven = sizes.max() > 3 * sizes.min()
    shares = []
    for c in np.unique(codes[placed]):
        right = []
        for i in placed[codes[placed] == c]:
            gaps = ((Z[i] - Z[fitted]) ** 2).sum(axis=1)
            nearest = codes[fitted[np.lexsort((fitted, gaps))[:k]]]
            votes = {}
            for code in nearest:
                votes[code] = votes.get(code, 0.0) + (
                    1.0 / sizes[code] if uneven else 1.0
                )
            right.append(max(votes, key=lambda code: votes[code]) == c)
        shares.append(np.mean(right))
    return np.mean(shares)
