"""Maps after decisions about labels."""

from dataclasses import replace

import numpy as np
import pytest
from tests.jobs.cases import Ear, without_classes

from labelscape import load as load_model
from labelscape import save
from labelscape.datasets import load
from labelscape.jobs import map_table, read_decisions, refit_table, relabeled
from labelscape.jobs.refit import DECIDED


@pytest.fixture(scope="module")
def crossfit():
    """A cross-fitted map of iris."""
    return map_table(load("iris"), "crossfit", judge=False)


DECISIONS = {70: "virginica", 133: "versicolor", 0: "setosa"}


def test_labels_are_changed_where_somebody_decided_and_nowhere_else():
    iris = load("iris")
    changed = relabeled(iris, DECISIONS)
    assert (changed.y != iris.y).nonzero()[0].tolist() == [70, 133]
    assert changed.y[[70, 133]].tolist() == ["virginica", "versicolor"]
    assert iris.y[70] == "versicolor"  # what was given stays


def test_classes_that_are_numbers_stay_numbers():
    table = replace(load("iris"), y=np.repeat([0.0, 1.0], 75))
    for one in ("1", 1, 1.0):
        assert relabeled(table, {0: one}).y[:2].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("decisions", "words"),
    [
        ({150: "setosa"}, "rows 0 to 149"),
        ({-1: "setosa"}, "rows 0 to 149"),
        ({True: "setosa"}, "rows 0 to 149"),
        ({3: "oak"}, "give row 3 the class 'oak'"),
        ({3: ["setosa"]}, "give row 3 the class"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(decisions, words):
    with pytest.raises(ValueError, match=words):
        relabeled(load("iris"), decisions)


def test_a_table_without_classes_has_nothing_to_decide_about():
    with pytest.raises(ValueError, match="no classes"):
        relabeled(without_classes(), {0: "a"})


@pytest.mark.parametrize("method", ["liram", "crossfit", "pca", "sammon", "lfda"])
def test_a_map_is_fitted_to_the_labels_that_were_decided(method):
    iris = load("iris")
    first = map_table(iris, method, judge=False)
    before = first.model[-1].get_params()
    again = refit_table(iris, DECISIONS, method, model=first.model)
    np.testing.assert_array_equal(again.table.y, relabeled(iris, DECISIONS).y)
    np.testing.assert_allclose(
        again.model.transform(iris.X), again.embedding, atol=0.2, rtol=0
    )
    # It begins with the map that was there: no point has far to go.
    moved = np.linalg.norm(again.embedding - first.embedding, axis=1)
    assert np.median(moved) < 0.1 * first.embedding.std()
    assert (again.honesty_note, again.audit_note) == (DECIDED, DECIDED)
    assert again.honesty is None
    assert first.model[-1].get_params().keys() == before.keys()
    assert not getattr(again.model[-1], "warm_start", False)


@pytest.mark.parametrize("method", ["pca", "sammon"])
def test_labels_do_not_move_a_map_that_has_no_use_for_them(method):
    iris = load("iris")
    first = map_table(iris, method, judge=False)
    again = refit_table(iris, DECISIONS, method, model=first.model)
    np.testing.assert_array_equal(again.embedding, first.embedding)


def test_a_map_from_a_file_moves_as_the_one_in_memory_does(crossfit, tmp_path):
    save(crossfit.model, tmp_path / "map.labelscape", include_data=True)
    kept = load_model(tmp_path / "map.labelscape")
    ours, theirs = (
        refit_table(crossfit.table, DECISIONS, "crossfit", model=model)
        for model in (crossfit.model, kept)
    )
    np.testing.assert_array_equal(ours.embedding, theirs.embedding)


def test_the_former_map_is_left_as_it_was(crossfit):
    new = crossfit.table.X[:5] + 0.1
    before = crossfit.model.transform(new)
    refit_table(crossfit.table, DECISIONS, "crossfit", model=crossfit.model)
    np.testing.assert_array_equal(crossfit.model.transform(new), before)


def test_a_class_may_lose_all_its_rows():
    iris = load("iris")
    first = map_table(iris, "liram", judge=False)
    gone = dict.fromkeys(range(50), "versicolor")
    again = refit_table(iris, gone, "liram", model=first.model)
    assert again.model.classes_.tolist() == ["versicolor", "virginica"]


def test_a_map_that_is_fitted_again_is_judged_and_audited_if_asked_for():
    wine = load("wine")
    y = wine.y.copy()
    y[[5, 80, 140]] = y[[80, 140, 5]]
    mixed = replace(wine, y=y)
    first = map_table(mixed, "lda", audit=True)
    suspects = first.audit.suspects.tolist()
    assert set(suspects) >= {5, 80, 140}
    for model in (first.model, None):
        again = refit_table(
            mixed, {5: y[5]}, "lda", model=model, judge=True, audit=True
        )
        assert again.honesty.verdict.real == "yes"
        assert "1 label was changed by hand" in again.honesty_note
        # The label is as wrong as before, but somebody has decided to keep it.
        assert again.audit.suspects.tolist() == [row for row in suspects if row != 5]
        rows = [one.row for one in again.audit.records]
        assert rows == again.audit.suspects.tolist()
        assert again.audit.ranking[-1] == 5


def test_without_a_former_map_one_is_fitted_and_steps_are_told():
    ear = Ear()
    again = refit_table(load("iris"), DECISIONS, "lda", begin=ear)
    assert ear.names == ["fitting", "measuring", "explaining"]
    assert again.honesty_note == DECIDED


HEAD = "row,id,given,likely,chance_wrong,decision,label\n"


def test_decisions_of_a_page_are_read(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(
        f"\ufeff{HEAD}70,70,versicolor,virginica,0.9,relabelled,virginica\r\n"
        "0,0,setosa,versicolor,0.5,kept,setosa\r\n"
        "133,133,virginica,versicolor,0.4,open,\r\n"
    )
    assert read_decisions(path, load("iris")) == {70: "virginica", 0: "setosa"}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("70,70,setosa,virginica,1,open,", "row '70' the label 'setosa'"),
        ("900,900,setosa,virginica,1,open,", "row '900'"),
        ("x,1,setosa,virginica,1,open,", "row 'x'"),
        (",,,,,,", "row ''"),
    ],
)
def test_decisions_about_another_table_are_refused(tmp_path, line, words):
    path = tmp_path / "labels.csv"
    path.write_text(f"{HEAD}{line}\n")
    with pytest.raises(ValueError, match=words):
        read_decisions(path, load("iris"))


def test_a_table_that_holds_no_decisions_is_refused(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="the columns row, given, label"):
        read_decisions(path, load("iris"))


def test_the_certificate_of_a_repaired_table_says_that_it_is_one():
    result = map_table(load("iris"), "lda", judge=False)
    assert result.with_relabeling_note(0) is result
    assert "1 label was changed" in result.with_relabeling_note(1).honesty_note
    assert "3 labels were changed" in result.with_relabeling_note(3).honesty_note
