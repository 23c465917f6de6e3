import numpy as np
import pandas as pd
import pytest

from labelscape._core.errors import Setting
from labelscape._resampling.units import units_of
from labelscape.datasets import read_table
from labelscape.jobs import audit_table
from labelscape.quality.audit.table_findings import (
    equal_rows,
    nearly_equal_rows,
    rare_classes,
    silent_columns,
    spelled_alike,
    stand_in_values,
    stand_ins,
    telling_gaps,
)
from labelscape.quality.records import Finding


def near_copies(X, groups=None):
    return [*nearly_equal_rows(X, units_of(X, groups))]


def coded(labels):
    return np.unique(np.array(labels), return_inverse=True)


def test_copies_are_the_rows_after_the_first_of_each():
    X = np.tile([[1.0], [2.0], [1.0], [1.0], [3.0]], 4)
    (found,) = equal_rows(units_of(X), np.array([0, 1, 0, 0, 1]))
    assert (found.code, found.count, found.sure) == ("copies", 2, "certain")
    assert found.rows.tolist() == [2, 3]


def test_copies_of_several_classes_contradict_each_other_all_of_them():
    X = np.tile([[1.0], [2.0], [1.0], [1.0], [2.0], [3.0]], 4)
    found = [*equal_rows(units_of(X), np.array([0, 1, 0, 1, 1, 0]))]
    assert [one.code for one in found] == ["copies", "contradictions"]
    assert found[1].rows.tolist() == [0, 2, 3]


def test_rows_that_differ_by_little_are_near_copies():
    rng = np.random.RandomState(0)
    X = rng.normal(size=(300, 6))
    X[[7, 200]] = X[[50, 51]] + 1e-4 * rng.normal(size=(2, 6))
    (found,) = near_copies(X)
    assert found.rows.tolist() == [7, 50, 51, 200]
    assert found.sure == "likely"


@pytest.mark.parametrize("d", [1, 2, 5, 30])
@pytest.mark.parametrize("shape", ["normal", "uniform", "t", "clusters", "grid"])
def test_clouds_have_no_near_copies(d, shape):
    rng = np.random.RandomState(d)
    n = 500
    X = {
        "normal": lambda: rng.normal(size=(n, d)),
        "uniform": lambda: rng.uniform(size=(n, d)),
        "t": lambda: rng.standard_t(3, size=(n, d)),
        "clusters": lambda: (
            rng.normal(size=(n, d)) * 10.0 ** (np.arange(n) % 3)[:, None]
        ),
        "grid": lambda: np.unique(rng.randint(0, 30, size=(n, d)), axis=0) * 1.0,
    }[shape]()
    assert near_copies(X) == []


def test_rows_of_a_group_may_be_alike():
    rng = np.random.RandomState(0)
    X = rng.normal(size=(100, 4))
    X[50:] = X[:50] + 1e-5 * rng.normal(size=(50, 4))
    assert near_copies(X)[0].count == 100
    assert near_copies(X, np.arange(100) % 50) == []


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (np.r_[np.linspace(0, 1, 40), [-999.0] * 3], [-999.0]),
        (np.r_[np.linspace(0, 1, 40), [-999.0] * 3, [9999.0] * 3], [-999.0, 9999.0]),
        (np.r_[np.linspace(0, 1, 40), [-9.0] * 3, [9.0] * 3], [-9.0, 9.0]),
        (np.r_[np.linspace(0, 1, 40), [-999.0] * 2], []),  # not often enough
        (np.r_[np.linspace(0, 1, 40), [-0.9] * 5], []),  # not far enough
        (np.arange(60) % 2 * 999.0, []),  # two values are two values
        (np.r_[np.arange(40.0), [0.0] * 20], []),  # zeros among counts
        (np.r_[[0.0] * 9, 1.0 + 0.01 * np.arange(20)], []),  # zeros beside ones
        (np.r_[np.linspace(150, 2000, 450), [-999.0] * 150], [-999.0]),
        (np.r_[np.linspace(0, 90, 90), [-9.0] * 5], [-9.0]),
        (np.r_[np.linspace(-9, 90, 90), [-9.0] * 5], []),  # not the only negative value
        (np.r_[np.arange(60) % 5 + 1.0, [99.0] * 3], [99.0]),
        (np.r_[np.linspace(100, 400, 40), [999.0] * 3], [999.0]),
        (np.r_[np.linspace(100, 900, 40), [999.0] * 3], []),
        (np.repeat([92.0, 95.0, 99.0], 20), []),  # years
    ],
)
def test_values_that_repeat_far_outside_stand_for_missing_ones(column, expected):
    assert stand_in_values(column) == expected


def test_a_code_that_another_column_needs_has_no_remedy():
    rng = np.random.RandomState(0)
    X = rng.uniform(size=(90, 3))
    X[:4, 0], X[:, 1] = 99.0, np.arange(90) + 60.0
    (one,) = stand_ins(X, ["a", "b", "c"])
    assert (one.remedy, one.column) == (None, "b")
    assert "would also remove 99 from 'b', where it is an ordinary value" in str(one)
    (one,) = stand_ins(X[:, ::2], ["a", "c"])
    assert one.remedy == Setting("missing_values", ["99"])


def test_zeros_are_no_codes_if_other_columns_have_ordinary_zeros():
    rng = np.random.RandomState(0)
    X = rng.uniform(4, 7, size=(90, 2))
    X[:4, 0] = 0.0
    assert [one.figure for one in stand_ins(X, ["a", "b"])] == [0.0]
    X[:, 1] = np.arange(90) % 2
    assert list(stand_ins(X, ["a", "b"])) == []


@pytest.mark.parametrize("seed", range(5))
def test_heavy_tails_hold_no_stand_ins(seed):
    column = np.round(np.random.RandomState(seed).standard_cauchy(2000), 1)
    assert stand_in_values(column) == []


def test_columns_that_say_nothing_are_named():
    X = np.random.RandomState(0).normal(size=(1000, 4))
    X[:, 1] = 3.0
    X[:, 2] = 0.0
    X[:4, 2] = 1.0
    X[:, 3] = np.arange(1000) % 100 == 0  # one in a hundred is something
    found = [*silent_columns(X, ["a", "b", "c", "d"])]
    assert [(one.code, one.subjects) for one in found] == [
        ("constant", ("b",)),
        ("nearly constant", ("c",)),
    ]
    assert found[0].remedy.value == ["b"]


def test_classes_that_differ_by_case_or_spaces_are_named_with_the_rarer_rows():
    classes, codes = coded(["oak", "Oak ", "oak", "fir", "fir", "red oak", "redoak"])
    found = [*spelled_alike(classes, codes)]
    assert [set(one.subjects) for one in found] == [
        {"oak", "Oak "},
        {"red oak", "redoak"},
    ]
    assert found[0].subjects[0] == "oak"
    assert found[0].rows.tolist() == [1]


def test_numbers_are_never_spelled_alike():
    assert [*spelled_alike(*coded([1, 2, 1, 2]))] == []


def test_a_class_of_few_units_is_rare_however_often_they_were_copied():
    classes, codes = coded(["a"] * 10 + ["b"] * 10 + ["c"] * 3)
    X = np.arange(23.0)[:, None]
    X[10:20] = np.arange(10)[:, None] % 2 - 5.0
    (found,) = rare_classes(classes, codes, units_of(np.tile(X, 4)))
    assert found.subjects == ("b", "c")
    assert found.rows.tolist() == [*range(10, 23)]


def test_gaps_of_one_class_are_telling_and_random_ones_are_not():
    rng = np.random.RandomState(0)
    codes = np.arange(200) % 2
    gaps = {
        "telling": np.flatnonzero((codes == 1) & (rng.uniform(size=200) < 0.3)),
        "random": np.flatnonzero(rng.uniform(size=200) < 0.2),
    }
    units = units_of(rng.normal(size=(200, 2)))
    (found,) = telling_gaps(gaps, codes, units, rng)
    assert found.subjects == ("telling",)
    assert found.figure <= 0.025
    assert found.rows.tolist() == gaps["telling"].tolist()


@pytest.mark.slow
def test_gaps_of_random_labels_are_rarely_telling():
    rng = np.random.RandomState(1)
    told = 0
    for _ in range(20):
        gaps = {"x": np.flatnonzero(rng.uniform(size=60) < 0.3)}
        units = units_of(rng.normal(size=(60, 2)))
        told += len([*telling_gaps(gaps, rng.randint(0, 2, 60), units, rng)])
    assert told <= 3


def test_a_finding_is_a_record_first_and_names_its_remedy_last():
    (found,) = silent_columns(np.ones((5, 1)), ["age"])
    assert found.record() == {
        "code": "constant",
        "subjects": ["age"],
        "count": 1,
        "rows": [],
        "sure": "certain",
        "remedy": {"drop": ["age"]},
        "figure": None,
        "column": "",
        "words": "1 column is constant: 'age'. To leave it out, pass drop=['age'].",
    }


def test_many_names_are_counted():
    found = Finding("constant", tuple("abcdefgh"), 8)
    assert str(found).endswith("'a', 'b', 'c', 'd', 'e' and 3 more.")


def test_a_column_of_categories_is_silent_as_a_whole_or_not_at_all():
    hue = np.repeat([0, 1, 2], [500, 498, 2])  # one category is rare, as some are
    wood = np.repeat([0, 1, 2], [997, 2, 1])
    X = np.hstack([np.eye(3)[hue], np.eye(3)[wood]])
    (found,) = silent_columns(X, ["hue"] * 3 + ["wood"] * 3)
    assert found.code == "nearly constant"
    assert found.subjects == ("wood",)


def test_a_category_that_gives_the_class_away_is_left_out_with_its_column():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=200),
            "smell": np.where(y == 1, "foul", rng.choice(["none", "mild"], 200)),
            "class": y,
        }
    )
    report = audit_table(read_table(frame, "class"), seed=0)
    leaks = [one for one in report.findings if one.subjects == ("smell=foul",)]
    assert [one.remedy.value for one in leaks] == [["smell"]]
