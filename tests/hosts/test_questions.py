import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape._core.columns import Categories
from labelscape.hosts.questions import explainer
from labelscape.prototypes import GMLVQ
from labelscape.scene._internal import scene_of


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    y = np.array(["setosa", "versicolor", "virginica"])[y]
    return make_pipeline(StandardScaler(), GMLVQ(random_state=0)).fit(X, y), X, y


def test_the_answer_is_what_the_model_says_in_units_of_the_data(iris):
    model, X, y = iris
    scene = scene_of(model, X, y, quality=False, regions=False)
    answer = explainer(model, X, scene)(77)
    scaler, inner = model[0], model[-1]
    said = inner.explain(scaler.transform(X)[77])
    np.testing.assert_allclose(answer.contributions, said.contributions, rtol=1e-5)
    changed = scaler.inverse_transform(said.counterfactual[None])[0]
    np.testing.assert_allclose(X[77] + answer.change, changed, rtol=1e-5)
    assert answer.change_distance == pytest.approx(said.counterfactual_distance)
    assert scene.classes[answer.change_class] == said.counterfactual_prediction


def test_the_change_changes_the_decision(iris):
    model, X, y = iris
    scene = scene_of(model, X, y, quality=False, regions=False)
    answer = explainer(model, X, scene)(3)
    # The step over the border is small, and numbers of the answer are rounded.
    after = model.predict([X[3] + 1.001 * np.array(answer.change)])
    assert after == scene.classes[answer.change_class]


def test_only_shown_features_are_spoken_of(iris):
    model, X, y = iris
    names = ["a", "b", "c", "d"]
    options = {"feature_names": names, "max_features": 2}
    scene = scene_of(model, X, y, quality=False, regions=False, **options)
    shown = [names.index(feature.name) for feature in scene.features]
    said = model[-1].explain(model[0].transform(X)[0])
    answer = explainer(model, X, scene, names)(0)
    np.testing.assert_allclose(
        answer.contributions, said.contributions[shown], rtol=1e-5
    )


def test_without_a_model_nothing_is_explained(iris):
    _, X, y = iris
    assert explainer(None, X, scene_of(X[:, :2], X, y, quality=False)) is None


def test_a_column_of_categories_changes_as_a_whole_in_units_of_the_data():
    rng = np.random.default_rng(0)
    color = rng.integers(0, 3, 60)
    X = np.column_stack([rng.normal(size=60), np.eye(3)[color]])
    y = np.where((color == 0) ^ (X[:, 0] > 1.5), "bad", "good")
    model = make_pipeline(StandardScaler(), GMLVQ(random_state=0)).fit(X, y)
    words = ("red", "green", "brown")
    categories = [Categories("color", words, np.arange(1, 4), np.eye(3))]
    scene = scene_of(model, X, y, quality=False, regions=False)
    ask = explainer(model, X, scene, None, categories)
    for i in range(10):
        after = X[i, 1:] + np.array(ask(i).change)[1:]
        np.testing.assert_allclose(after, np.eye(3)[after.argmax()], atol=1e-6)
