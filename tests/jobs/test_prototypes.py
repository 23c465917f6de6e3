import numpy as np
import pytest
from tests.jobs.cases import some_iris, table_of, without_classes

import labelscape
from labelscape._core.checks import ConstantFeatures
from labelscape._core.errors import ParameterError
from labelscape.jobs import methods_of, prototype_table

NAMES = [method.name for method in methods_of("prototypes")]


@pytest.mark.parametrize("name", NAMES)
def test_every_method_finds_prototypes_that_know_the_classes(name):
    table = some_iris()
    found = prototype_table(table, name)
    assert found.method == name
    assert found.table is table
    assert found.verdict.accuracy > 0.8
    assert found.model.score(table.X, table.y) > 0.9
    labels = set(found.model[-1].prototype_labels_)
    assert labels == set(table.y)


def test_the_summary_counts_prototypes_and_right_answers():
    found = prototype_table(some_iris(), "kmeans")
    n = len(found.model[-1].prototypes_)
    assert str(found) == repr(found)
    right = (
        f"Is the classifier right? Yes: {found.verdict.accuracy:.0%} of held-out rows"
    )
    assert str(found).startswith(f"{n} prototypes. {right} get the right class")


def test_a_model_that_knows_its_rows_by_heart_is_judged_by_others():
    rng = np.random.default_rng(0)
    table = table_of(rng.normal(size=(60, 5)), rng.integers(2, size=60).astype(str))
    found = prototype_table(table, "icf")
    assert found.model.score(table.X, table.y) > 0.6
    assert found.verdict.real == "no"
    assert "no better than chance" in str(found)


def test_a_class_of_one_row_can_not_be_judged_and_need_not_be():
    iris = some_iris()
    y = iris.y.astype(object)
    y[0] = "alone"
    found = prototype_table(table_of(iris.X, y.astype(str)), "kmeans")
    assert found.verdict.why == "a class has fewer than two independent rows"
    unasked = prototype_table(iris, "kmeans", judge=False)
    assert str(unasked).endswith("Not tested: the test was not requested.")


@pytest.mark.parametrize("name", ["pag", "gmlvq"])
def test_the_same_seed_gives_the_same_prototypes(name):
    first, second = (prototype_table(some_iris(), name, seed=5) for _ in range(2))
    np.testing.assert_array_equal(
        first.model[-1].prototypes_, second.model[-1].prototypes_
    )


def test_features_are_put_on_one_scale():
    table = some_iris()
    large = table_of(table.X * [1.0, 1e3, 1.0, 1.0], table.y)
    first, second = (prototype_table(one, "pag") for one in (table, large))
    np.testing.assert_allclose(
        first.model[-1].prototypes_, second.model[-1].prototypes_
    )


def test_parameters_reach_the_method():
    found = prototype_table(some_iris(), "icf", parameters={"n_neighbors": 5})
    assert found.model[-1].n_neighbors == 5


def test_a_parameter_that_makes_no_sense_is_named():
    with pytest.raises(ParameterError, match="n_neighbors must be") as raised:
        prototype_table(some_iris(), "icf", parameters={"n_neighbors": -1})
    assert raised.value.parameter == "n_neighbors"


def test_the_fit_can_be_watched_and_the_model_saved_afterwards(tmp_path):
    news = []
    found = prototype_table(some_iris(), "gmlvq", callback=news.append)
    assert news
    assert found.model[-1].callback is None
    labelscape.save(found.model, tmp_path / "m.labelscape")
    again = labelscape.load(tmp_path / "m.labelscape")
    X = found.table.X
    np.testing.assert_array_equal(again.predict(X), found.model.predict(X))


def test_a_map_is_no_method_with_prototypes():
    with pytest.raises(ValueError, match=r"no method 'sammon'.*Available: glvq, grlvq"):
        prototype_table(some_iris(), "sammon")


def test_a_table_without_classes_is_refused():
    with pytest.raises(ValueError, match="has no classes, but prototypes need them"):
        prototype_table(without_classes())


def test_a_constant_feature_is_named():
    iris = some_iris()
    table = table_of(iris.X, iris.y, dull=np.ones(len(iris.y)))
    with pytest.warns(ConstantFeatures, match="dull"):
        prototype_table(table, "kmeans")


def test_the_page_shows_rows_and_prototypes_in_the_units_of_the_data():
    found = prototype_table(some_iris(), "kmeans")
    scene = found.scene()
    assert scene.title == "table: k-means per class"
    assert scene.n_points == len(found.table.X)
    wanted = found.model[0].inverse_transform(found.model[-1].prototypes_)
    np.testing.assert_array_equal(scene.model.prototypes.values, wanted)
    assert scene.model.unit == "standard_deviation"


def test_the_page_is_the_same_for_the_same_seed():
    found = prototype_table(some_iris(), "pag")
    first, second = (found.scene(seed=2) for _ in range(2))
    np.testing.assert_array_equal(first.maps[0].positions, second.maps[0].positions)
