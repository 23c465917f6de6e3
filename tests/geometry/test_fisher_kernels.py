import numpy as np
import pytest
from tests.geometry.cases import clouds, plain
from tests.geometry.reference import line_length, straight_length

from labelscape.geometry import FisherMetric, _parzen
from labelscape.geometry._kernels import (
    LANES,
    add_arcs,
    floor_matters,
    listed_lengths,
)


def never_fast(monkeypatch):
    """Compute all pairs by log-weights, as if their weights underflowed."""
    monkeypatch.setattr(_parzen, "DOUBLE_RANGE", -1.0)


@pytest.mark.parametrize(("dtype", "digits"), [(np.float64, 1e-15), (np.float32, 3e-7)])
def test_an_arc_is_exact_from_no_angle_to_a_right_one(dtype, digits):
    h = np.concatenate([[0.0], np.logspace(-30, np.log10(0.5), 500)]).astype(dtype)
    arcs = np.zeros_like(h)
    add_arcs(h, arcs)
    wanted = 4.0 * np.arcsin(np.sqrt(h.astype(np.float64)))
    np.testing.assert_allclose(arcs, wanted, rtol=4 * digits)


@pytest.mark.parametrize("n_steps", [1, 2, 3, 5, 10])
def test_lengths_are_those_of_the_formula(n_steps):
    X, y = clouds(LANES + 6, n_classes=4)
    D = plain(n_steps=n_steps).fit(X, y).pairwise(X)
    for i, j in [(0, 1), (3, 60), (5, 69), (68, 69)]:
        wanted = straight_length(X[i], X[j], X, y, 1.0, n_steps)
        assert D[i, j] == pytest.approx(wanted, rel=1e-11)


def test_identity_A_gives_the_lengths_of_the_explicit_matrix():
    X, y = clouds(30)
    i, j = np.random.default_rng(0).integers(30, size=(2, 20))
    nodes = (np.arange(5) + 0.5) / 5
    D = plain(rule="midpoint", n_steps=5).fit(X, y).pairwise(X)
    wanted = [
        line_length(X[a], X[b], X, y, 1.0, nodes) for a, b in zip(i, j, strict=True)
    ]
    np.testing.assert_allclose(D[i, j], wanted, rtol=1e-12, atol=1e-12)


def test_the_left_rule_is_the_mean_of_both_directions():
    X, y = clouds(12)
    D = plain(rule="left", n_steps=4).fit(X, y).pairwise(X)
    forth = line_length(X[0], X[1], X, y, 1.0, np.arange(4) / 4)
    back = line_length(X[1], X[0], X, y, 1.0, np.arange(4) / 4)
    assert D[0, 1] == pytest.approx((forth + back) / 2.0, rel=1e-12)


def test_all_rules_converge_to_one_length():
    X, y = clouds(8)
    D = {
        rule: plain(rule=rule, n_steps=2000).fit(X, y).pairwise(X)
        for rule in ("sphere", "midpoint", "left")
    }
    np.testing.assert_allclose(D["sphere"], D["midpoint"], rtol=1e-4, atol=1e-12)
    np.testing.assert_allclose(D["sphere"], D["left"], rtol=1e-4, atol=1e-12)


def test_the_fast_kernels_agree_with_the_exact_one(monkeypatch):
    X, y = clouds(LANES + 6)
    fast = plain().fit(X, y).pairwise(X)
    single = plain().fit(X.astype(np.float32), y).pairwise()
    never_fast(monkeypatch)
    exact = plain().fit(X, y).pairwise(X)
    np.testing.assert_allclose(fast, exact, rtol=1e-10, atol=1e-10)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, exact, rtol=1e-5, atol=1e-5)


def test_listed_pairs_have_the_same_lengths_as_blocks(monkeypatch):
    X, y = clouds(50)
    for exact in (False, True):
        if exact:
            never_fast(monkeypatch)
        metric = plain().fit(X, y)
        points, lines = metric._at(None).fitted.rows, metric._at(None).distances.lines
        bounds = 50 * np.arange(51)
        listed = lines.listed(points, points, bounds, np.tile(np.arange(50), 50))
        block = lines.block(points, points)
        np.testing.assert_allclose(listed.reshape(50, 50), block, atol=1e-13)


def test_far_clusters_are_measured_though_weights_vanish():
    # 2000 bandwidths apart: weights underflow, and one step jumps from class to class.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) + np.repeat([[0.0, 0.0], [2000.0, 0.0]], 20, axis=0)
    y = np.arange(40) % 2
    y[20:] += 2
    D = plain().fit(X, y).pairwise(X)
    assert np.isfinite(D).all()
    assert D[:20, 20:].min() >= np.pi - 1e-9
    for i, j in [(0, 1), (0, 20), (7, 31), (25, 39)]:
        wanted = straight_length(X[i], X[j], X, y, 1.0, 10)
        assert D[i, j] == pytest.approx(wanted, abs=1e-9)


def test_a_floor_under_weights_matters_only_on_the_way_to_far_points():
    X, y = clouds(30)
    X[7] += 60.0
    metric = plain().fit(X, y)
    rows = metric._at(None).fitted.rows
    assert rows.wide.all()

    def matters(i, j):
        floors = rows.floored[i], rows.floored[j]
        return floor_matters(rows.a[i], rows.a[j], *floors, rows.best[i], rows.best[j])

    assert matters(0, 7)
    assert matters(7, 0)
    assert not matters(0, 1)
    D = metric.pairwise(X)
    for i, j in [(0, 1), (0, 7), (7, 9), (28, 29)]:
        wanted = straight_length(X[i], X[j], X, y, 1.0, 10)
        assert D[i, j] == pytest.approx(wanted, abs=1e-9)


def test_single_precision_gives_way_where_weights_would_vanish():
    X, y = clouds(30)
    X[7] += 20.0
    metric = plain().fit(X.astype(np.float32), y)
    assert metric._at(None).fitted.rows.a.dtype == np.float64
    D = metric.pairwise(X.astype(np.float32))
    assert D.dtype == np.float32
    np.testing.assert_allclose(D, plain().fit(X, y).pairwise(X), atol=1e-4)


def test_forty_classes_fit_as_well():
    X, y = clouds(120, n_classes=40)
    D = plain().fit(X, y).pairwise(X)
    wanted = straight_length(X[3], X[77], X, y, 1.0, 10)
    assert D[3, 77] == pytest.approx(wanted, rel=1e-11)


@pytest.mark.parametrize(("dtype", "error"), [("float64", 1e-12), ("float32", 2e-5)])
@pytest.mark.parametrize("n_steps", [1, 2, 9, 10, 11, 19, 30])
def test_lengths_of_listed_pairs_are_those_of_products(n_steps, dtype, error):
    X, y = clouds(90, 4, 3)
    X = X.astype(dtype)
    metric = FisherMetric(n_steps=n_steps, random_state=0).fit(X, y)
    backend = metric._at(None)
    rows = backend.points(X[:20] + X.dtype.type(0.3)).rows
    columns = backend.fitted.rows
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 90, size=20)  # none for some, more than a tile for others
    counts[3] = 0
    bounds = np.concatenate([[0], np.cumsum(counts)])
    chosen = rng.integers(90, size=bounds[-1])
    lengths = np.empty(len(chosen), dtype)
    starts = metric._parzen.starts
    listed_lengths(rows, columns, starts, n_steps, bounds, chosen, lengths)
    block = backend.distances.lines.block(rows, columns)
    wanted = block[np.repeat(np.arange(20), counts), chosen]
    assert rows.F.dtype == dtype
    np.testing.assert_allclose(lengths, wanted, rtol=error, atol=error)
