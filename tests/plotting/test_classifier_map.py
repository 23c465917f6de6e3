import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

import labelscape
from labelscape.boundary import ClassifierMap
from labelscape.plotting import plot_classifier_map
from labelscape.plotting._classifier_map import ISOLINES
from labelscape.prototypes import GLVQ

X, y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[y]


def picture(classifier, n=150, **options):
    return ClassifierMap(classifier, PCA(2), resolution=40, **options).fit(X[:n])


@pytest.fixture(scope="module")
def model():
    return picture(GaussianNB().fit(X, NAMES))


def rings(ax):
    """Return the places of marks that have an edge only."""
    return [
        np.asarray(drawn.get_offsets())
        for drawn in ax.collections
        if drawn.get_zorder() == 4
    ]


def points(ax):
    return [d for d in ax.collections if len(d.get_offsets()) == 150]


def test_without_labels_points_have_the_classifiers_colours(model):
    ax = plot_classifier_map(model)
    assert len(points(ax)) == 1
    assert not rings(ax)
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["setosa", "versicolor", "virginica"]
    assert ax.get_title(loc="left").endswith("of the fitted samples")


def test_objects_that_the_classifier_gets_wrong_have_a_ring(model):
    ax = model.plot(y=NAMES)
    wrong = model.predictions_ != NAMES
    assert wrong.any()
    np.testing.assert_allclose(rings(ax)[0], model.embedding_[wrong])


def test_nothing_wrong_is_no_ring(model):
    assert not rings(plot_classifier_map(model, y=model.predictions_))


def test_other_objects_can_be_shown(model):
    ax = plot_classifier_map(model, X[::2], NAMES[::2])
    assert ax.get_title(loc="left").endswith("of these samples")
    assert any(len(drawn.get_offsets()) == 75 for drawn in ax.collections)


def test_two_classes_and_decision_values():
    ax = plot_classifier_map(picture(SVC().fit(X[:100], y[:100]), 100), y=y[:100])
    assert len(ax.get_legend().get_texts()) == 2


def test_forty_classes_are_named_on_the_map(groups):
    objects, labels = groups(40, n_each=4, n_features=3)
    classifier = GaussianNB().fit(objects, labels)
    model = ClassifierMap(classifier, PCA(2), resolution=30).fit(objects)
    ax = plot_classifier_map(model, y=labels)
    assert ax.get_legend() is None
    assert {text.get_text() for text in ax.texts} == {str(c) for c in range(40)}


def test_a_picture_from_a_file_is_drawn_without_objects(tmp_path):
    labelscape.save(
        picture(GLVQ(random_state=0).fit(X, NAMES)).set_params(projection=None),
        tmp_path / "a.model",
    )
    ax = plot_classifier_map(labelscape.load(tmp_path / "a.model"), legend="direct")
    assert not points(ax)
    assert ax.get_legend() is not None  # there are no objects to write names on
    with pytest.raises(ValueError, match="y needs samples"):
        plot_classifier_map(labelscape.load(tmp_path / "a.model"), y=NAMES)


def test_title_legend_and_lines_can_be_chosen(model):
    ax = plot_classifier_map(model, isolines=False, title="Iris", legend="none")
    assert ax.get_title(loc="left") == "Iris"
    assert ax.get_legend() is None
    assert not [drawn for drawn in ax.collections if drawn.get_zorder() == ISOLINES]


def test_wrong_input_is_named(model):
    with pytest.raises(ValueError, match="plot_classifier_map: legend must be"):
        plot_classifier_map(model, legend="above")
    with pytest.raises(ValueError, match="has 150 points but y has shape"):
        plot_classifier_map(model, y=NAMES[:3])
    with pytest.raises(ValueError, match="not among the classes"):
        plot_classifier_map(model, y=np.full(150, "rose"))
    with pytest.raises(NotFittedError):
        plot_classifier_map(ClassifierMap(SVC()))
