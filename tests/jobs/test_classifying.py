import pytest

import labelscape
from labelscape.datasets import load
from labelscape.jobs import classify_table
from labelscape.prototypes import KMeansPrototypes


def test_a_model_of_other_classes_is_refused(tmp_path):
    iris, path = load("iris"), tmp_path / "m.labelscape"
    labelscape.save(KMeansPrototypes().fit(iris.X, [f"k{c}" for c in iris.y]), path)
    with pytest.raises(ValueError, match="none in common"):
        classify_table(iris, model=path)


def test_parameters_reach_the_classifier():
    found = classify_table(load("iris"), "svm", parameters={"C": 7.0})
    assert found.classifier[-1].C == 7.0


def test_a_table_too_small_to_train_on_is_refused_in_words():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [1.0, 2.0, 3.0, 5.0], "kind": list("abab")})
    few = labelscape.datasets.read_table(frame, label="kind")
    with pytest.raises(ValueError, match="has 4 rows: too few to train a classifier"):
        classify_table(few)
