"""Intervals against a plain loop of refits, bounds against programs written anew."""

import pickle
from functools import cache

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from labelscape.prototypes import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    LGMLVQ,
    LiRaMLVQ,
    LocalLiRaMLVQ,
    relevance_report,
)
from labelscape.prototypes import _relevance_bounds as bounds
from labelscape.prototypes.lvq import _relevance_intervals as intervals

KINDS = [GRLVQ, GMLVQ, LiRaMLVQ, LocalLiRaMLVQ]


@cache
def table(n=90, d=4):
    """Return rows of which the first two features separate the classes."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    X = rng.normal(size=(n, d))
    X[:, :2] += 2.0 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    return X, y


# Intervals.


@pytest.mark.parametrize("kind", KINDS)
def test_an_interval_stands_beside_each_relevance(kind):
    X, y = table()
    model = kind(random_state=0).fit(X, y)
    given = model.relevance_intervals(X, y, n_bootstraps=10)
    low, high = given.T
    assert given.shape == (4, 2)
    assert (low <= model.relevances_).all()
    assert (model.relevances_ <= high).all()
    assert (low >= 0).all()
    assert (high <= 1).all()
    assert (high - low).max() > 0.01


@pytest.mark.parametrize("grouped", [False, True])
def test_intervals_are_those_of_a_plain_loop_of_refits(grouped):
    X, y = table()
    X = np.vstack([X, X[:9]])  # nine copies, which are drawn with their originals
    y = np.append(y, y[:9])
    unit = np.append(np.arange(90), np.arange(9))
    groups = None
    if grouped:  # pairs of rows of one class
        unit = np.append(np.arange(90) // 6 * 3 + np.arange(90) % 3, unit[90:])
        unit[90:] = unit[unit[90:]]
        groups = unit
    model = GMLVQ(random_state=0).fit(X, y)
    given = model.relevance_intervals(X, y, groups, n_bootstraps=10, random_state=3)
    rng = np.random.RandomState(3)
    n_units = unit.max() + 1
    times = np.zeros((10, n_units), dtype=int)
    for c in range(3):
        of_class = np.unique(unit[y == c])
        even = np.full(len(of_class), 1 / len(of_class))
        times[:, of_class] = rng.multinomial(len(of_class), even, size=10)
    refits = []
    for draw in times:
        rows = [i for i in range(99) for _ in range(draw[unit[i]])]
        seed = rng.randint(np.iinfo(np.int32).max)
        refits.append(GMLVQ(random_state=seed).fit(X[rows], y[rows]).relevances_)
    bias = np.abs(np.mean(refits, axis=0) - model.relevances_)
    low = np.percentile(refits, 2.5, axis=0) - bias
    high = np.percentile(refits, 97.5, axis=0) + bias
    low = np.clip(np.minimum(low, model.relevances_), 0, 1)
    high = np.clip(np.maximum(high, model.relevances_), 0, 1)
    np.testing.assert_allclose(given, np.column_stack([low, high]), atol=1e-9)


def test_the_same_seed_gives_the_same_bits():
    X, y = table()
    models = (LiRaMLVQ(random_state=4).fit(X, y) for _ in range(2))
    first, second = (m.relevance_intervals(X, y, n_bootstraps=10) for m in models)
    assert np.array_equal(first, second)


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_holds_no_training_rows(kind):
    X, y = table()
    model = kind(random_state=0).fit(X, y)
    assert X[0].tobytes() not in pickle.dumps(model)


def test_a_class_of_one_row_has_no_interval():
    X, y = table()
    y = y.copy()
    y[0] = 7
    model = GMLVQ(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="at least 2 independent rows"):
        model.relevance_intervals(X, y)


def test_of_many_rows_some_of_each_class_are_used(monkeypatch):
    monkeypatch.setattr(intervals, "MOST_ROWS", 40)
    X, y = table()
    y = np.where(np.arange(90) < 12, 5, y)
    model = GMLVQ(random_state=0).fit(X, y)
    rows = intervals.training_rows(model, X, y, owner="a test")
    which, factors = intervals.some_rows(rows)
    codes = rows.codes[which]
    assert np.bincount(codes).min() == 10
    assert len(which) <= 50
    for c in range(4):
        weight = factors[c] * np.count_nonzero(codes == c)
        assert weight == pytest.approx((y == rows.labels[c]).sum())
    assert model.relevance_intervals(X, y, n_bootstraps=10).shape == (4, 2)


def test_missing_values_and_weights_of_classes_are_as_in_the_fit():
    X, y = table()
    X = X.copy()
    X[::7, 2] = np.nan
    model = GMLVQ(missing="ignore", class_weight={0: 3.0}, random_state=0).fit(X, y)
    assert model.relevance_intervals(X, y, n_bootstraps=10).shape == (4, 2)
    rows = intervals.training_rows(model, X, y, owner="a test")
    assert rows.weights.tolist() == np.where(y == 0, 3.0, 1.0).tolist()


def test_removed_directions_stay_removed():
    X, y = table()
    X = X.copy()
    batch = np.arange(90) // 3 % 2
    X[:, 3] += 5.0 * batch
    model = GMLVQ(random_state=0).fit(X, y, correct_for=batch)
    rows = intervals.training_rows(model, X, y, owner="a test")
    along = rows.X @ model.nuisance_.directions.T
    np.testing.assert_allclose(along - along.mean(axis=0), 0.0, atol=1e-9)


# Bounds.


def slow_bounds(Z, y, j):
    """Return limit, least and greatest weight by programs in |v| <= u, row by row."""
    n, d = Z.shape
    side = {s: 0.5 / np.sum(y == s) for s in (1, -1)}
    w = np.array([side[s] for s in y])
    # v (d), u (d), b, slack (n)
    zero = np.zeros(n)
    left, right = [], []
    for i in range(n):
        left.append([*(-y[i] * Z[i]), *np.zeros(d), -y[i], *-np.eye(n)[i]])
        right.append(-1.0)
    for k in range(d):
        for sign in (1, -1):
            left.append([*(sign * np.eye(d)[k]), *-np.eye(d)[k], 0.0, *zero])
            right.append(0.0)
    ends = [(None, None)] * d + [(0, None)] * d + [(None, None)] + [(0, None)] * n
    norm = np.array([*np.zeros(d), *np.ones(d), 0.0, *zero])
    loss = np.array([*np.zeros(2 * d), 0.0, *w])

    def solve(goal):
        return linprog(goal, left, right, bounds=ends, method="highs-ipm")

    penalty = np.sqrt(np.log(2 * d) / n)
    limit = 3.0 * norm @ solve(loss + penalty * norm).x
    left.append(norm)
    right.append(limit)
    slack = solve(loss).x[-n:]
    error = np.std(w * slack, ddof=1) * np.sqrt(n)
    left.append(loss)
    right.append(w @ slack + 0.75 * max(error, 1 / n))
    goal = np.eye(len(norm))[d + j]
    least = solve(goal).fun
    greatest = max(-solve(sign * np.eye(len(norm))[j]).fun for sign in (1, -1))
    return limit, least, greatest


def test_bounds_are_those_of_other_programs():
    rng = np.random.default_rng(5)
    y = np.where(np.arange(40) < 15, 1, -1)
    Z = rng.normal(size=(40, 3))
    Z[:, 0] += 1.2 * y
    Z[:, 1] += 0.8 * y
    problem = bounds.Separation(Z, y.astype(float), np.arange(40))
    for j in range(3):
        limit, least, greatest = slow_bounds(Z, y, j)
        assert problem.limit == pytest.approx(limit, rel=1e-5)
        assert problem.least(j) == pytest.approx(least, abs=1e-5)
        assert problem.greatest(j) == pytest.approx(greatest, rel=1e-4)


def test_no_rule_of_a_grid_is_outside_the_bounds():
    rng = np.random.default_rng(2)
    y = np.where(np.arange(60) % 2, 1.0, -1.0)
    Z = rng.normal(size=(60, 2))
    Z[:, 0] += y
    problem = bounds.Separation(Z, y, np.arange(60))
    least, greatest = problem.least(0), problem.greatest(0)
    ends, allowed = np.linspace(-problem.limit, problem.limit, 41), problem._right[-1]
    seen = [
        abs(v)
        for v in ends
        for u in ends
        for b in np.linspace(-1, 1, 21)
        if abs(v) + abs(u) <= problem.limit
        and np.maximum(1 - y * (Z @ [v, u] + b), 0).mean() <= allowed
    ]
    assert seen
    step = ends[1] - ends[0]
    assert least - 1e-6 <= min(seen) <= least + 3 * step
    assert greatest - 3 * step <= max(seen) <= greatest + 1e-6


def test_sides_that_nothing_separates_have_no_bounds():
    Z = np.random.default_rng(0).normal(size=(60, 2))
    problem = bounds.Separation(
        np.vstack([Z, Z]), np.repeat([1.0, -1.0], 60), np.arange(120)
    )
    assert problem.limit == problem.least(0) == problem.greatest(1) == 0.0


# The report.


def planted():
    rng = np.random.default_rng(1)
    y = np.arange(200) % 2
    signal = rng.normal(size=(200, 2)) + 2.2 * (y[:, None] - 0.5)
    copies = signal[:, 1:] + 0.1 * rng.normal(size=(200, 2))
    noise = rng.normal(size=(200, 3))
    return np.hstack([signal[:, :1], copies, noise]), y


def test_needed_replaceable_and_irrelevant_features_are_told_apart():
    X, y = planted()
    model = GMLVQ(random_state=0).fit(X, y)
    report = relevance_report(model, X, y, n_bootstraps=10, random_state=0)
    kinds = [feature.kind for feature in report.features]
    assert kinds == ["needed", "replaceable", "replaceable", *["chance"] * 3]
    for feature in report.features:
        assert 0 <= feature.lower <= feature.upper <= 1
        assert feature.interval.low <= feature.relevance <= feature.interval.high


def test_shuffled_labels_leave_no_needed_feature():
    X, y = planted()
    y = np.random.default_rng(0).permutation(y)
    with pytest.warns(UserWarning, match="labels"):
        model = LiRaMLVQ(random_state=0).fit(X, y)
    report = relevance_report(model, X, y, n_bootstraps=10, random_state=0)
    assert {feature.kind for feature in report.features} == {"chance"}


def test_the_report_prints_as_a_table_and_becomes_a_frame():
    data = load_wine(as_frame=True)
    X = data.data.copy()
    X[:] = StandardScaler().fit_transform(X)
    model = GRLVQ(prototypes_per_class=2, random_state=0).fit(X, data.target)
    report = relevance_report(model, X, data.target, n_bootstraps=10, random_state=0)
    again = relevance_report(model, X, data.target, n_bootstraps=10, random_state=0)
    assert str(report) == str(again)
    lines = str(report).splitlines()
    assert lines[0].split() == [
        "feature",
        "relevance",
        "95%",
        "interval",
        "bounds",
        "kind",
    ]
    assert lines[1].startswith(X.columns[model.relevances_.argmax()][:6])
    frame = report.to_frame()
    assert frame["name"].tolist() == X.columns.tolist()
    np.testing.assert_allclose(frame["relevance"], model.relevances_)
    assert (frame["low"] <= frame["high"]).all()
    assert "<table>" in report._repr_html_()


def test_groups_are_drawn_together():
    X, y = table()
    X, y = np.repeat(X, 4, axis=0), np.repeat(y, 4)
    X = X + 0.5 * np.random.default_rng(0).normal(size=X.shape)
    model = GMLVQ(random_state=0).fit(X, y)
    group = np.repeat(np.arange(90), 4)
    given = {"n_bootstraps": 30, "random_state": 0}
    alone, together = (
        relevance_report(model, X, y, groups, **given).to_frame()
        for groups in (np.arange(360), group)
    )
    width = [(f["high"] - f["low"]).sum() for f in (alone, together)]
    assert width[1] > 1.2 * width[0]


def test_beyond_the_most_relevant_features_none_is_tested(monkeypatch):
    from labelscape.prototypes import relevances

    monkeypatch.setattr(relevances, "MOST_FEATURES", 3)
    X, y = table()
    model = GMLVQ(random_state=0).fit(X, y)
    report = relevance_report(model, X, y, n_bootstraps=10, random_state=0)
    untested = [f for f in report.features if f.kind == "untested"]
    assert len(untested) == 1
    assert np.isnan(untested[0].upper)
    assert "untested" in str(report)


def test_bad_input_is_refused():
    X, y = table()
    model = GMLVQ(random_state=0).fit(X, y)
    for kind in (GLVQ, LGMLVQ):
        with pytest.raises(TypeError, match=f"{kind.__name__} has no relevances of"):
            relevance_report(kind(random_state=0).fit(X, y), X, y)
    with pytest.raises(ValueError, match="not fitted"):
        relevance_report(GMLVQ(), X, y)
    with pytest.raises(ValueError, match="4 features"):
        relevance_report(model, X[:, :3], y)
    with pytest.raises(ValueError, match="classes of the model"):
        relevance_report(model, X, y % 2)
    with pytest.raises(ValueError, match="groups"):
        relevance_report(model, X, y, groups=[1, 2])
    with pytest.raises(ValueError, match="n_bootstraps"):
        relevance_report(model, X, y, n_bootstraps=1)


def test_class_means_are_compared_by_units_and_not_by_rows():
    rng = np.random.default_rng(0)
    codes, units = np.repeat(np.arange(2), 20), np.arange(40)
    X = rng.normal(size=(40, 3)) + 2.0 * codes[:, None] * [1, 0, 0]
    X[:, 2] = 1.0  # says nothing
    assert bounds.unlike_classes(X, codes, units).tolist() == [True, False, False]
    # The same rows fifty times are no more evidence.
    noise, many = rng.normal(size=(8, 5)), np.repeat(np.arange(8), 50)
    half, within = np.arange(8) // 4, rng.normal(size=(400, 5)) / 10
    few = bounds.unlike_classes(noise, half, np.arange(8))
    same = bounds.unlike_classes((noise[many] + within), half[many], many)
    assert np.array_equal(few, same)
    assert not few.any()
    assert bounds.unlike_classes(noise[many], half[many], np.arange(400)).any()


def test_a_weak_copy_is_replaceable_and_a_noisy_one_of_a_needed_feature_is_needed():
    rng = np.random.default_rng(3)
    y = np.arange(240) % 2
    hidden, noise = rng.normal(size=(2, 240))
    signal = hidden + 2.0 * y
    # The third cancels what the first has in common with no class; its means are equal.
    X = np.column_stack([signal, rng.normal(size=240), hidden + 0.1 * noise])
    model = GMLVQ(random_state=0).fit(X, y)
    report = relevance_report(model, X, y, n_bootstraps=10, random_state=0)
    assert [one.kind for one in report.features] == ["needed", "chance", "needed"]
