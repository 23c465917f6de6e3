import numpy as np
import pandas
import pytest
from tests.jobs.cases import some_iris, table_of

from labelscape.datasets import load, read_table
from labelscape.jobs import compare, compare_methods, map_table
from labelscape.jobs.compare import LEGEND
from labelscape.jobs.methods import compared_names


def test_each_method_has_a_row_with_quality_honesty_and_time():
    found = compare_methods(load("iris"), ["lda", "pca"])
    taken, header, *rows = str(found).splitlines()
    assert taken.startswith("Chosen: ")
    for word in ("T", "C", "1-NN", "seen", "unseen", "kept", "real", "seconds"):
        assert word in header.split()
    assert [row.split()[0] for row in rows[:2]] == ["lda", "pca"]
    assert rows[2].startswith("Is there a gap between the classes?")
    assert "–" not in rows[0]


def test_a_map_is_the_one_that_the_verb_map_would_draw():
    table = load("iris")
    (found,) = compare_methods(table, ["lfda"], judge=False).maps
    alone = map_table(table, "lfda", judge=False)
    np.testing.assert_array_equal(found.embedding, alone.embedding)


def test_a_method_that_fails_gets_a_row_with_the_reason(monkeypatch):
    def refuse(table, method, **options):
        if method == "lda":
            raise ValueError("These data\nare too flat.")
        return map_table(table, method, **options)

    monkeypatch.setattr(compare, "map_table", refuse)
    found = compare_methods(load("iris"), ["pca", "lda"], judge=False)
    assert [result.method for result in found.maps] == ["pca"]
    assert "lda: These data are too flat." in str(found)
    assert found.record()["methods"][1]["error"] == "These data are too flat."


def test_of_a_large_table_a_part_is_compared_under_its_row_numbers(monkeypatch):
    monkeypatch.setattr(compare, "ROWS", 50)
    table = load("iris")
    found = compare_methods(table, ["pca"], judge=False)
    assert "50 random rows of 150" in str(found)
    rows = found.table.ids.astype(int)
    np.testing.assert_array_equal(found.table.X, table.X[rows])


def test_of_a_part_of_the_rows_it_is_known_which_values_were_filled_in(monkeypatch):
    monkeypatch.setattr(compare, "ROWS", 50)
    iris = load("iris")
    frame = pandas.DataFrame(iris.X, columns=["x0", "x1", "x2", "x3"])
    frame.loc[::2, "x0"] = np.nan
    frame["kind"] = iris.y
    table = read_table(frame, label="kind", missing="impute")
    part = compare_methods(table, ["pca"], judge=False).table
    rows = part.ids.astype(int)
    wanted = np.flatnonzero(rows % 2 == 0)
    assert 0 < len(wanted) < 50
    assert list(part.imputed) == ["x0"]
    np.testing.assert_array_equal(part.imputed["x0"], wanted)


def test_a_method_named_twice_is_refused():
    with pytest.raises(ValueError, match="contains a method twice"):
        compare_methods(load("iris"), ["pca", "PCA"])


def test_if_nobody_says_otherwise_the_usual_ones_are_compared(monkeypatch):
    asked = []

    def refuse(table, method, **options):
        asked.append(method)
        raise ValueError("Not today.")

    monkeypatch.setattr(compare, "map_table", refuse)
    found = compare_methods(some_iris())
    assert tuple(asked) == compared_names()
    assert found.maps == []
    assert found.reasons.count("Not today.") == len(asked)


def test_an_unknown_method_stops_it_before_anything_is_fitted():
    with pytest.raises(ValueError, match="There is no method 'lirm'"):
        compare_methods(some_iris(), ["pca", "lirm"])


def test_why_a_map_was_not_judged_stands_under_the_table():
    rng = np.random.default_rng(0)
    table = table_of(rng.normal(size=(9, 3)), ["a", "b", "a"] * 3)
    found = compare_methods(table, ["pca"])
    assert found.reasons.startswith("pca: Not tested: only 9 independent rows")
    assert found.reasons in str(found)
    silent = compare_methods(table, ["pca"], judge=False)
    assert silent.reasons == ""
    assert silent.record()["methods"][0]["honesty"] is None


def test_a_map_that_keeps_little_names_the_method_that_keeps_most():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 60)
    X = 4 * rng.normal(size=(120, 12))
    X[:, 0] = rng.normal(size=120) + 4 * (y == "a")
    table = table_of(X, y)
    pca, lda = compare_methods(table, ["pca", "lda"]).maps
    assert pca.honesty.verdict.kept == "little"
    assert "Linear discriminant shows more of the separation." in str(
        pca.honesty.verdict
    )
    assert lda.honesty.verdict.keeps_more == ""


def test_the_same_seed_gives_the_same_numbers():
    first, second = (
        compare_methods(some_iris(), ["pca", "lda"], seed=3).record()["methods"]
        for _ in range(2)
    )
    for one, other in zip(first, second, strict=True):
        assert one["quality"] == other["quality"]
        assert one["honesty"] == other["honesty"]


def test_in_a_notebook_it_is_a_table_and_the_legend_explains_its_columns():
    found = compare_methods(some_iris(), ["pca"], judge=False)
    html = found._repr_html_()
    assert html.count("<tr") == 2
    assert "pca" in html
    for head in ("T", "C", "R_NX", "class T", "1-NN", "seen", "unseen", "kept", "real"):
        assert head in LEGEND
