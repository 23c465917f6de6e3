"""All kinds of leaks are detected, and ordinary features are not reported."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from labelscape._core.columns import is_counter
from labelscape._resampling.classifiers import nearest_on_a_line
from labelscape._resampling.units import units_of
from labelscape.quality import certify, honesty
from labelscape.quality.audit import audit
from labelscape.quality.certificate.leaks import find_leaks


def leaks(X, y, original=0.95):
    classes, codes = np.unique(y, return_inverse=True)
    names = [f"x{j}" for j in range(X.shape[1])]
    return find_leaks(X, names, classes, codes, units_of(X), original)


def shuffled(X, y):
    order = np.random.default_rng(0).permutation(len(y))
    return X[order], y[order]


def table(n=200):
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=n)
    return rng.normal(size=(n, 4)) + y[:, None], y


def test_an_ordinary_table_has_none():
    assert leaks(*table()) == []
    assert leaks(*shuffled(*load_wine(return_X_y=True))) == []


def test_a_copy_of_the_labels_is_named():
    X, y = table()
    X[:, 2] = np.array([3.5, -1.0, 8.0])[y]
    (found,) = leaks(X, y)
    assert (found.code, found.subjects, found.figure) == ("copy", ("x2",), 1.0)


def test_features_of_tables_with_two_rows_per_class_are_no_copies():
    X, y = np.random.default_rng(0).normal(size=(100, 3)), np.arange(100) // 2
    assert not [leak for leak in leaks(X, y) if leak.code == "copy"]


def test_one_feature_that_does_it_all_is_named():
    X, y = table()
    X[:, 1] = 10 * y + np.random.default_rng(1).normal(size=200)
    (found,) = leaks(X, y)
    assert (found.code, found.subjects) == ("one feature", ("x1",))
    assert leaks(X, y, original=0.85) == []  # then it is no wonder


def test_a_feature_that_separates_two_of_three_classes_is_named():
    X, y = table(300)
    X[:, 1] = np.where(y == 1, np.random.default_rng(1).uniform(15, 40, 300), 45.0)
    (found,) = leaks(X, y)
    assert (found.code, found.subjects, found.column) == ("class value", ("x1",), "0")
    X[:, 1] = np.where(y == 1, X[:, 1], 0.0)  # counts are often 0
    assert leaks(X, y) == []


def test_iris_can_nearly_be_predicted_by_one_feature():
    kinds = {leak.code: leak.subjects for leak in leaks(*load_iris(return_X_y=True))}
    assert kinds == {"one feature": ("x3",), "order": ()}


def test_a_counter_in_any_order_and_unit_is_named_and_the_order_of_rows_too():
    X, y = table()
    X[:, 0] = np.random.default_rng(2).permutation(200) / 7 - 3
    (found,) = leaks(X, y)
    assert (found.code, found.subjects) == ("counter", ("x0",))
    by_class = np.argsort(y, kind="stable")
    (found,) = leaks(table()[0][by_class], y[by_class])
    assert (found.code, found.subjects) == ("order", ())
    assert found.figure > 0.9


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.arange(50) * 10 + 3, True),
        (np.delete(np.arange(60), [5, 17, 18, 40]), True),
        (np.arange(50) + np.random.default_rng(0).normal(0, 0.3, 50), True),
        (np.arange(50)[::-1], True),
        (np.sort(np.random.default_rng(0).uniform(size=300)), False),
        (np.random.default_rng(0).normal(size=50), False),
        (np.random.default_rng(0).integers(20_000, 90_000, 50), False),
        (np.repeat(np.arange(25), 2), False),
        (np.zeros(50), False),
        (np.arange(5), False),
    ],
)
def test_counters_are_distinguished_from_measurements(values, expected):
    assert is_counter(values) is expected
    scaled = (values - values.mean()) / max(values.std(), 1.0)
    assert is_counter(scaled) is expected


def test_a_part_of_a_counted_table_is_counted_by_its_rows():
    rows = np.sort(np.random.default_rng(0).choice(1000, 50, replace=False))
    assert not is_counter(rows**1.0)
    assert is_counter(rows * 2.5, rows)


@pytest.mark.parametrize("seed", range(5))
def test_neighbors_on_a_line_are_the_nearest(seed):
    rng = np.random.default_rng(seed)
    values, queries = rng.normal(size=30), rng.normal(size=12)
    found = nearest_on_a_line(values, 4, queries)
    wanted = np.argsort(np.abs(values - queries[:, None]), axis=1)[:, :4]
    assert_array_equal(found, wanted)


@pytest.mark.parametrize("seed", range(1, 4))
def test_the_unit_of_a_feature_has_no_influence(seed):
    # Whole numbers, whose distances are equal before they are standardized.
    rng = np.random.default_rng(seed)
    X, y = table()
    X[:, 1] = 10 * y + rng.integers(-5, 7, len(y))
    both = (X, StandardScaler().fit_transform(X))
    found, again = (leaks(one, y, original=0.9) for one in both)
    assert found[0].figure < 1.0
    assert [one.figure for one in again] == [one.figure for one in found]


def test_certificates_and_audits_of_any_seed_report_the_same_numbers():
    rng, y = np.random.default_rng(0), np.repeat([0, 1], 90)
    X = rng.normal(size=(180, 2))
    X = np.column_stack([X, 10 * y + rng.integers(-5, 6, size=180)])
    scaled = StandardScaler().fit_transform(X)

    def figures(findings):
        named = ("order", "one feature")
        return {one.code: one.figure for one in findings if one.code in named}

    found = [
        figures(audit(X, y, random_state=4).findings),
        figures(honesty(PCA(2), scaled, y, n_refits=0, random_state=1).warnings),
        figures(certify(scaled, PCA(2).fit_transform(scaled), y).warnings),
    ]
    assert set(found[0]) == {"order", "one feature"}
    assert found[1:] == found[:1] * 2
