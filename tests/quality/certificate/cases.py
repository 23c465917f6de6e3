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


# The bars of a seven-segment display that show each digit.
BARS = ["1110111", "0010010", "1011101", "1011011", "0111010"]
BARS += ["1101011", "1101111", "1010010", "1111111", "1111011"]


def led_digits(n, seed=0):
    """Digits of a display on which each bar is wrong in one of ten cases."""
    rng = np.random.default_rng(seed)
    bars = np.array([[int(bar) for bar in row] for row in BARS])
    y = rng.integers(10, size=n)
    wrong = rng.random((n, 7)) < 0.1
    return np.where(wrong, 1 - bars[y], bars[y]).astype(float), y


def titanic(n, seed=0):
    """Three columns of few values, and who survived, with the shares of the ship."""
    rng = np.random.default_rng(seed)
    cabin = rng.choice(4, size=n, p=[0.15, 0.13, 0.32, 0.40])
    man = rng.random(n) < np.array([0.55, 0.63, 0.72, 0.97])[cabin]
    men, women = np.array([0.34, 0.14, 0.17, 0.22]), np.array([0.97, 0.88, 0.46, 0.87])
    survived = rng.random(n) < np.where(man, men[cabin], women[cabin])
    adult = rng.random(n) < 0.95
    return np.c_[cabin, adult, man].astype(float), survived.astype(int)


def votes(n, seed=0):
    """Sixteen votes of two parties, whose members mostly vote with their party."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    loyal = np.clip(rng.normal(0.87, 0.08, size=n), 0.5, 1.0)
    against = rng.random((n, 16)) > loyal[:, None]
    line = (y[:, None] + (rng.random(16) < 0.8)) % 2
    return np.where(against, 1 - line, line).astype(float), y
