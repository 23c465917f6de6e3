from collections import Counter

import numpy as np
import pytest

from labelscape.prototypes.grow.icf import edited, filtered, superfluous


def overlapping(seed, n=60, n_classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    # Whole numbers: many ties and duplicates.
    return np.round(2 * rng.normal(size=(n, 2)) + y[:, None]), y


def brute_edited(X, y, k=3):
    keep = []
    for i in range(len(X)):
        others = [j for j in range(len(X)) if j != i]
        others.sort(key=lambda j: (((X[i] - X[j]) ** 2).sum(), j))
        votes = Counter(y[j] for j in others[:k])
        winner = max(votes, key=votes.get)  # the first met of equals
        keep.append(winner == y[i])
    return np.array(keep)


def brute_superfluous(X, y):
    n = range(len(X))
    d = [[((X[i] - X[j]) ** 2).sum() for j in n] for i in n]
    local = [
        {
            j
            for j in n
            if j != i
            and y[j] == y[i]
            and d[i][j] < min(d[i][m] for m in n if y[m] != y[i])
        }
        for i in n
    ]
    return np.array([len(local[i]) > sum(i in local[j] for j in n) for i in n])


@pytest.mark.parametrize("seed", range(4))
def test_editing_keeps_what_a_vote_of_the_neighbours_confirms(seed):
    X, y = overlapping(seed)
    assert (edited(X, y) == brute_edited(X, y)).all()


@pytest.mark.parametrize("seed", range(4))
def test_superfluous_objects_reach_more_than_they_cover(seed):
    X, y = overlapping(seed)
    assert (superfluous(X, y) == brute_superfluous(X, y)).all()


def test_passes_go_on_until_none_is_superfluous():
    X, y = overlapping(0)
    counts = []
    kept = filtered(X, y, np.arange(len(X)), counts.append)
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == len(kept)
    assert not superfluous(X[kept], y[kept]).any()


def test_a_class_that_editing_would_remove_keeps_the_object_nearest_its_mean():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [0.05], [0.15], [0.26]])
    y = np.array([0, 0, 0, 0, 1, 1, 1])
    keep = edited(X, y)
    assert not brute_edited(X, y)[4:].any()
    assert keep[4:].tolist() == [False, True, False]


@pytest.mark.parametrize("seed", range(20))
def test_no_pass_ever_removes_the_last_object_of_a_class(seed):
    X, y = overlapping(seed, n=12)
    left = np.setdiff1d(y, y[~superfluous(X, y)])
    assert len(left) == 0
