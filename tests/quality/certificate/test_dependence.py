"""Rows near each other that are alike are found; independent rows are not reported."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine

from labelscape._core.columns import ShownColumn
from labelscape._resampling.units import units_of
from labelscape.datasets import read_table
from labelscape.jobs.positions import certify_table
from labelscape.quality import certify
from labelscape.quality.certificate.dependence import dependent_rows

N = 200


def found(X, y, names=None, groups=None):
    codes = np.unique(y, return_inverse=True)[1]
    names = names or [f"f{j}" for j in range(X.shape[1])]
    units = units_of(X, groups, codes=codes)
    return dependent_rows(X, codes, names, units, np.arange(len(X)))


def share(make, n=20):
    """Return the share of tables with a finding."""
    return np.mean([bool(found(*make(np.random.default_rng(s)))) for s in range(n)])


def normal(rng, d=6):
    """Return independent rows of two classes that overlap, with related features."""
    y = rng.integers(2, size=N)
    return (rng.normal(size=(N, d)) + y[:, None]) @ (np.eye(d) + 0.3), y


def sorted_by(key):
    def make(rng):
        X, y = normal(rng)
        X[:, 1] = rng.integers(4, size=N)
        X[:, 2:] += X[:, 1:2]
        order = np.lexsort(key(X, y))
        return X[order], y[order]

    return make


def field(rng, at, scale=0.2, waves=200):
    directions = rng.normal(size=(waves, 2)) / scale
    phases = at @ directions.T + rng.uniform(0, 2 * np.pi, waves)
    return np.sqrt(2 / waves) * np.cos(phases).sum(axis=1)


def fields(rng, d=6):
    """Return features and a label that are independent fields, and the places."""
    at = rng.uniform(size=(N, 2))
    X = np.column_stack([field(rng, at) for _ in range(d)])
    return X + 0.5 * rng.normal(size=X.shape), (field(rng, at) > 0) * 1, at


def walks(rng):
    steps = np.cumsum(rng.normal(size=(N, 7)), axis=0)
    return steps[:, 1:], (steps[:, 0] > np.median(steps[:, 0])) * 1


def autoregression(rng):
    x = rng.normal(size=(N, 7))
    for i in range(1, N):
        x[i] += 0.85 * x[i - 1]
    return x[:, 1:], (x[:, 0] > 0) * 1


def subjects(rng):
    of_row = np.arange(N) // 10
    X = 0.7 * rng.normal(size=(N // 10, 6))[of_row] + rng.normal(size=(N, 6))
    return X, rng.integers(2, size=N // 10)[of_row]


@pytest.mark.parametrize(
    "make",
    [
        normal,
        lambda rng: (rng.standard_t(1.5, size=(N, 6)), rng.integers(3, size=N)),
        lambda rng: ((rng.uniform(size=(N, 9)) < 0.1) * 1.0, rng.integers(2, size=N)),
        sorted_by(lambda _, y: (y,)),
        sorted_by(lambda X, _: (X[:, 0],)),
        sorted_by(lambda X, y: (-X[:, 0], y)),
        sorted_by(lambda X, _: (X[:, 1],)),
        sorted_by(lambda X, y: (X[:, 0], X[:, 1], y)),
    ],
)
def test_independent_rows_in_any_order_are_not_reported(make):
    # 20 tables at a level of 0.4%: two are reported with a chance of 0.3%.
    assert share(make) <= 1 / 20


@pytest.mark.parametrize("make", [walks, autoregression, subjects])
def test_rows_alike_in_order_are_reported(make):
    assert share(make) >= 0.9


def test_rows_alike_in_space_are_reported_with_the_coordinates():
    for seed in range(10):
        X, y, at = fields(np.random.default_rng(seed))
        names = [*"abcdef", "lon", "lat"]
        (one,) = found(np.column_stack([X, at]), y, names)
        assert (one.code, one.subjects) == ("near in space", ("lon", "lat"))
        assert one.column in "abcdef"
        assert "blocks of 'lon', 'lat'" in str(one)
        assert not found(X, y)  # the places are not known, and the order has no meaning


def test_sorted_classes_with_days_that_do_not_matter_are_not_reported():
    # Neighbors are of one day, but rows of other days give the same answer.
    X, y = load_wine(return_X_y=True)
    assert not found(X, y)
    for seed in range(10):
        rng = np.random.default_rng(seed)
        day = np.arange(N) // 20
        y = np.arange(N) // (N // 2)
        X = rng.normal(size=(N, 6)) + 0.5 * rng.normal(size=(10, 6))[day]
        assert not found(X + 4.0 * y[:, None], y)


def test_labels_without_dependence_make_a_valid_test():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, _ = walks(rng)
        assert not found(X, np.arange(N) % 2)


def test_named_groups_are_not_tested_again():
    X, y = subjects(np.random.default_rng(0))
    assert found(X, y)
    assert not found(X, y, groups=np.arange(N) // 10)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Longitude", "Latitude"), True),
        (("decimalLatitude", "decimalLongitude"), True),
        (("Längengrad", "Breitengrad"), True),
        (("経度", "緯度"), True),
        (("Easting", "Northing"), True),
        (("array_row", "array_col"), True),
        (("Zeile", "Spalte"), True),
        (("x", "y"), True),
        (("pos_x", "pos_y"), True),
        (("acc_x", "acc_y"), False),
        (("x_mean", "y_mean"), False),
        (("width", "height"), False),
        (("long", "wide"), False),
    ],
)
def test_coordinates_are_known_by_their_names(names, expected):
    X, y, at = fields(np.random.default_rng(0))
    table = np.column_stack([X, at])
    codes = [one.code for one in found(table, y, [*"abcdef", *names])]
    assert ("near in space" in codes) == expected


def test_lengths_called_x_y_and_z_are_no_coordinates():
    X, y, at = fields(np.random.default_rng(0))
    table = np.column_stack([X, at, at.sum(axis=1)])
    codes = [one.code for one in found(table, y, [*"abcdef", "x", "y", "z"])]
    assert "near in space" not in codes


def test_features_that_depend_on_measurements_x_and_y_are_not_reported():
    def make(rng):
        at, y = rng.normal(size=(N, 2)), rng.integers(2, size=N)
        at += y[:, None]
        X = at @ rng.normal(size=(2, 6)) + rng.normal(size=(N, 6))
        return np.column_stack([X, at]), y, [*"abcdef", "x", "y"]

    assert share(make) <= 1 / 20


def test_the_light_is_amber_and_names_the_groups_to_give():
    X, y, at = fields(np.random.default_rng(1))
    X += 2.0 * y[:, None]
    frame = pd.DataFrame(X, columns=[*"abcdef"]).assign(lon=at[:, 0], lat=at[:, 1])
    verdict = certify(frame, X[:, :2], y, random_state=0).verdict
    assert (verdict.real, verdict.lights[0].state) == ("yes", "fair")
    assert "such as blocks of lon and lat." in verdict.lights[0].figure
    walk = certify(*_walk_map(), random_state=0).verdict
    assert walk.lights[0].state == "fair"
    assert "such as stretches of rows." in walk.lights[0].figure
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    shuffled = certify(X[order], X[order, 2:], y[order], random_state=0).verdict
    assert shuffled.lights[0].state == "good"


def _walk_map():
    X, y = walks(np.random.default_rng(0))
    return X, X[:, :2], y


def test_shown_coordinates_are_used_except_the_positions_of_the_map():
    X, y, at = fields(np.random.default_rng(1))
    X += 2.0 * y[:, None]
    frame = pd.DataFrame(X, columns=[*"abcdef"]).assign(label=np.array(["p", "q"])[y])
    table = read_table(frame, "label")
    assert certify_table(table, X[:, :2]).honesty.verdict.alike_near == ""
    places = tuple(
        ShownColumn(name, "number", values)
        for name, values in zip(["x", "y"], at.T, strict=True)
    )
    table = replace(table, shown=places)
    report = certify_table(table, X[:, :2]).honesty
    assert report.verdict.alike_near == "x and y"
    assert report.warnings[-1].code == "near in space"
    assert certify_table(table, "x, y").honesty.verdict.alike_near == ""
