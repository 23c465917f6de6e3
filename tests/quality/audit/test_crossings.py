"""Labels that cross a gap between two classes."""

import numpy as np

import labelscape
from labelscape.quality.audit.crossings import crossing

N = 300


def classes(sd, n_classes=3, seed=0):
    """Return normal classes whose means are ``sd`` standard deviations apart."""
    rng, y = np.random.default_rng(seed), np.arange(N) % n_classes
    return rng.normal(size=(N, 8)) + sd / np.sqrt(2) * np.eye(n_classes, 8)[y], y


def region(X, y, seed=0, n=15):
    """Call rows of class 0 around one of them class 1; return rows and labels."""
    of_0 = np.flatnonzero(y == 0)
    middle = X[of_0[np.random.default_rng(seed).integers(len(of_0))]]
    rows = of_0[np.argsort(((X[of_0] - middle) ** 2).sum(axis=1))[:n]]
    labels = y.copy()
    labels[rows] = 1
    return rows, labels


def test_labels_of_a_region_cross_the_gap():
    n_found = 0
    for seed in range(30):
        X, y = classes(8, seed=seed)
        assert crossing(X, y, np.arange(N)) is None
        found = crossing(X, region(X, y, seed)[1], np.arange(N))
        n_found += found is not None
        assert found is None or found == (1, 0, 15, N)
    assert n_found >= 24  # 27 here; the others are nearly a group of their own


def test_units_of_measurement_do_not_matter():
    X, y = classes(8)
    labels = region(X, y)[1]
    found = crossing(1e-150 * X + 7e-150, labels, np.arange(N))
    assert found == crossing(X, labels, np.arange(N)) is not None


def test_without_a_gap_no_label_crosses_one():
    for seed in range(20):
        X, y = classes(3, seed=seed)
        assert crossing(X, region(X, y, seed)[1], np.arange(N)) is None


def test_a_group_apart_from_the_others_is_not_crossed():
    X, y = classes(8)
    rows, labels = region(X, y)
    X[rows, 7] += 4.0  # nearer to their class of before, but a group of their own
    assert crossing(X, labels, np.arange(N)) is None


def test_copies_of_a_row_count_once():
    X, y = classes(8)
    rows, labels = region(X, y, n=2)
    copies = np.repeat(rows, 10)
    X, labels = np.vstack([X, X[copies]]), np.append(labels, labels[copies])
    assert crossing(X, labels, np.append(np.arange(N), copies)) is None


def test_the_light_is_amber_and_names_the_classes():
    X, y = classes(10, 2)
    labels = region(X, y, n=9)[1]
    names = np.array(["oak", "elm"])
    report = labelscape.audit(X, names[labels], random_state=0)
    light = report.lights[0]
    assert (light.state, report.can_tell) == ("fair", False)
    assert "9 of 300 rows are labeled elm and lie among the rows of oak" in light.figure
    assert labelscape.audit(X, names[y], random_state=0).lights[0].state == "good"
