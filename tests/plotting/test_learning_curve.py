import pytest
from sklearn.decomposition import PCA

from labelscape.embeddings import WeightedMDS
from labelscape.plotting import plot_learning_curve
from labelscape.prototypes import LiRaMLVQ


def test_held_out_accuracy_is_drawn_beside_that_of_training(groups):
    X, y = groups(3, n_features=4)
    model = LiRaMLVQ(random_state=0).fit(X[::2], y[::2], validation=(X[1::2], y[1::2]))
    cost, accuracy = plot_learning_curve(model).axes
    assert len(cost.lines[0].get_ydata()) == len(model.loss_curve_)
    assert [line.get_label() for line in accuracy.lines] == ["training", "held out"]
    assert list(accuracy.lines[1].get_ydata()) == model.validation_curve_


def test_without_held_out_objects_there_is_one_accuracy(groups):
    X, y = groups(3, n_features=4)
    _, accuracy = plot_learning_curve(LiRaMLVQ(random_state=0).fit(X, y)).axes
    assert len(accuracy.lines) == 1


def test_a_single_iteration_is_a_visible_point(groups):
    X, y = groups(3, n_features=4)
    model = LiRaMLVQ(max_iter=1, random_state=0).fit(X, y)
    model.loss_curve_ = model.loss_curve_[:1]
    assert plot_learning_curve(model).axes[0].lines[0].get_marker() == "o"


def test_a_map_that_keeps_its_stress_has_a_curve_of_one_panel(groups):
    model = WeightedMDS(random_state=0).fit(groups(3, n_features=4)[0])
    assert len(plot_learning_curve(model).axes) == 1


def test_a_model_without_a_curve_is_refused(groups):
    with pytest.raises(ValueError, match="PCA has no loss_curve_"):
        plot_learning_curve(PCA().fit(groups(3)[0]))
