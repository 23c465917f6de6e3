import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from labelscape.boundary import ClassifierMap

X, y = load_iris(return_X_y=True)
BAYES = GaussianNB().fit(X, y)
TREE = DecisionTreeClassifier(random_state=0).fit(X, y)


@pytest.fixture(scope="module")
def model():
    return ClassifierMap(BAYES, PCA(2), resolution=40).fit(X)


def test_a_classifier_agrees_with_itself(model):
    comparison = model.compare(BAYES, X)
    assert comparison.share == 0.0
    assert comparison.share_of_samples == 0.0
    assert not comparison.differ.any()
    assert not comparison.samples_differ.any()


def test_differences_are_counted_on_cells_near_data_and_on_objects(model):
    comparison = model.compare(TREE, X)
    regions = model.regions_
    grid = np.stack(np.meshgrid(regions.x, regions.y), axis=-1).reshape(-1, 2)
    objects = model.inverse_transform(grid)
    differ = BAYES.predict(objects) != TREE.predict(objects)
    near = regions.support.ravel() <= 3
    assert comparison.share == pytest.approx(differ[near].mean())
    expected = (BAYES.predict(X) != TREE.predict(X)).mean()
    assert comparison.share_of_samples == pytest.approx(expected)
    assert comparison.names == ("GaussianNB", "DecisionTreeClassifier")


def test_without_objects_only_the_grid_is_compared(model):
    comparison = model.compare(TREE)
    assert comparison.share_of_samples is None
    assert comparison.positions is None
    assert comparison.share > 0.0


def test_classes_are_compared_by_name_and_not_by_column(model):
    part = DecisionTreeClassifier(random_state=0).fit(X[y > 0], y[y > 0])
    differ = model.compare(part, X).samples_differ
    assert differ[y == 0].all()  # a class that the other does not know
    assert differ[y > 0].mean() < 0.1


def test_classifiers_of_other_classes_are_refused(model):
    other = GaussianNB().fit(X, np.array(["a", "b", "c"])[y])
    with pytest.raises(ValueError, match="compare needs classifiers of the same cla"):
        model.compare(other)
