import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from labelscape.boundary import ClassifierMap
from labelscape.plotting import plot_classifier_comparison

X, y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def model():
    return ClassifierMap(GaussianNB().fit(X, y), PCA(2), resolution=40).fit(X)


@pytest.fixture(scope="module")
def tree():
    return DecisionTreeClassifier(random_state=0).fit(X, y)


def titles(figure):
    return [ax.get_title(loc="left") for ax in figure.axes]


def test_three_maps_name_the_classifiers_and_count_objects(model, tree):
    comparison = model.compare(tree, X)
    figure = comparison.plot()
    assert titles(figure) == [
        "GaussianNB",
        "DecisionTreeClassifier",
        f"Predictions differ for {comparison.share_of_samples:.1%} of the samples",
    ]
    drawn = figure.axes[2].collections[-1].get_offsets()
    expected = model.embedding_[comparison.samples_differ]
    np.testing.assert_allclose(np.asarray(drawn), expected)


def test_without_objects_the_grid_is_counted(model, tree):
    figure = plot_classifier_comparison(model.compare(tree))
    assert titles(figure)[2].endswith("of the map near data")


def test_colours_are_of_all_classes_that_either_knows(model):
    part = GaussianNB().fit(X[y > 0], y[y > 0])
    figure = plot_classifier_comparison(model.compare(part))
    names = [text.get_text() for text in figure.axes[2].get_legend().get_texts()]
    assert names == ["0", "1", "2"]


def test_a_part_of_a_figure_can_be_given(model, tree):
    figure = plt.figure(figsize=(9, 6), layout="constrained")
    upper, _ = figure.subfigures(2, 1)
    assert plot_classifier_comparison(model.compare(tree), figure=upper) is upper
    assert len(upper.axes) == 3
