import numpy as np
import pytest
from matplotlib.collections import PathCollection

from labelscape.plotting import plot_discriminative_map
from labelscape.prototypes import GLVQ, GMLVQ, LiRaMLVQ, LocalLiRaMLVQ
from labelscape.prototypes._internal import class_scores_in_plane


@pytest.mark.parametrize(
    "model",
    [
        LiRaMLVQ(random_state=0),
        LocalLiRaMLVQ(random_state=0),
        LocalLiRaMLVQ(2, localization="prototype", random_state=0),
    ],
)
def test_regions_are_the_decisions_of_the_model(groups, model):
    X, y = groups(4, n_features=5)
    model.fit(X, y)
    winners = class_scores_in_plane(model)(model.transform(X)).argmax(axis=1)
    np.testing.assert_array_equal(model.classes_[winners], model.predict(X))


def test_the_map_shows_points_prototypes_and_regions(groups):
    X, y = groups(3, n_features=5)
    model = LiRaMLVQ(2, random_state=0).fit(X, y)
    ax = plot_discriminative_map(model, X, y)
    assert sum(one.get_zorder() == 0 for one in ax.collections) == 3
    points, *prototypes = [c for c in ax.collections if isinstance(c, PathCollection)]
    assert len(points.get_offsets()) == len(X)
    assert len(prototypes) == len(model.prototypes_)
    assert ax.get_title(loc="left") == f"LiRaMLVQ: {len(X)} samples"
    # Prototypes are diamonds, as in the view.
    assert {len(path.vertices) for c in prototypes for path in c.get_paths()} == {5}


def test_a_part_of_the_classes_keeps_the_colours_of_all(groups):
    X, y = groups(3, n_features=5)
    model = LiRaMLVQ(random_state=0).fit(X, y)
    ax = plot_discriminative_map(model, X[y == 2], y[y == 2])
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["0", "1", "2", "prototype"]


@pytest.mark.parametrize("n_components", [1, 3])
def test_one_and_three_dimensions_have_no_regions(groups, n_components):
    X, y = groups(3, n_features=5)
    model = LiRaMLVQ(n_components=n_components, random_state=0).fit(X, y)
    ax = plot_discriminative_map(model, X, y)
    assert all(one.get_zorder() > 0 for one in ax.collections)


def test_a_model_with_too_many_dimensions_is_refused(groups):
    X, y = groups(3, n_features=5)
    model = GMLVQ(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match=r"5 dimensions.*model.reduced\(2\)"):
        plot_discriminative_map(model, X, y)


def test_a_model_without_a_projection_is_refused(groups):
    X, y = groups(3)
    with pytest.raises(ValueError, match="GLVQ has no projection"):
        plot_discriminative_map(GLVQ(random_state=0).fit(X, y), X, y)
