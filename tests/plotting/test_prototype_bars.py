import numpy as np
import pytest

from labelscape.plotting import plot_comparison
from labelscape.prototypes import GRLVQ, LGMLVQ, KMeansPrototypes, LiRaMLVQ, PushAndGrow


def names(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def rows_of_bars(ax):
    return np.array([[bar.get_width() for bar in group] for group in ax.containers])


def test_each_feature_has_a_bar_per_prototype_and_object(groups):
    X, y = groups(3, n_features=4)
    ax = plot_comparison(PushAndGrow().fit(X, y), X[:2], sample_names=["Ann", "Bob"])
    assert rows_of_bars(ax).shape == (5, 4)
    assert names(ax) == ["0", "1", "2", "Ann", "Bob"]


def test_raw_values_are_written_beside_their_bars(groups):
    X, y = groups(3, n_features=2)
    model = PushAndGrow().fit(X, y)
    ax = plot_comparison(model, feature_names=["width", "height"])
    texts = [text.get_text() for text in ax.texts]
    assert texts[0] == f"{model.prototypes_[0, 0]:.3g}"
    assert len(texts) == 6
    assert [text.get_text() for text in ax.get_yticklabels()] == ["width", "height"]


def test_raw_bars_of_each_feature_have_a_scale_of_their_own(groups):
    X, y = groups(3, n_features=3)
    ax = plot_comparison(PushAndGrow().fit(X * [1.0, 1e6, 1e-6], y))
    np.testing.assert_allclose(np.abs(rows_of_bars(ax)).max(axis=0), 1.0)


def test_scaled_values_lie_in_the_range_of_the_data(groups):
    X, y = groups(3, n_features=3)
    low, high = X.min(axis=0), X.max(axis=0)
    ax = plot_comparison(PushAndGrow().fit(X, y), [low, high], show="scaled", data=X)
    np.testing.assert_allclose(rows_of_bars(ax)[3], 0.0)
    np.testing.assert_allclose(rows_of_bars(ax)[4], 1.0)


@pytest.mark.parametrize(
    "model",
    [
        PushAndGrow(),
        GRLVQ(random_state=0),
        LiRaMLVQ(random_state=0),
        LGMLVQ(random_state=0),
    ],
)
def test_contributions_add_up_to_the_squared_distance(groups, model):
    X, y = groups(4, n_features=3)
    model.fit(X, y)
    sums = rows_of_bars(plot_comparison(model, X[0], show="contribution")).sum(axis=1)
    d = np.sort(model.metric_.lengths(X[:1])[0])[:3]
    np.testing.assert_allclose(sums, d**2, rtol=1e-9)


def test_prototypes_of_one_class_differ_by_hatch_and_number(groups):
    X, y = groups(2, n_features=3)
    model = KMeansPrototypes(2).fit(X, y)
    ax = plot_comparison(model, prototypes=[0, 1])
    assert names(ax) == ["0 (prototype 0)", "0 (prototype 1)"]
    hatches = {group.patches[0].get_hatch() for group in ax.containers}
    assert len(hatches) == 2


def test_of_two_hundred_features_those_that_differ_most_are_shown(groups):
    X, y = groups(2, n_features=200)
    ax = plot_comparison(PushAndGrow().fit(X, y), title="Trees")
    assert rows_of_bars(ax).shape == (2, 25)
    assert ax.get_title(loc="left") == "Trees (25 of 200 features)"


def test_many_prototypes_are_compared_in_fewer_features(groups):
    X, y = groups(40, n_features=20, n_each=3)
    assert rows_of_bars(plot_comparison(PushAndGrow().fit(X, y))).shape == (40, 8)


def test_one_feature_and_one_prototype_are_enough(groups):
    X, y = groups(2, n_features=1)
    ax = plot_comparison(PushAndGrow().fit(X, y), prototypes=[1])
    assert rows_of_bars(ax).shape == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"show": "scaled"}, "Pass the training samples"),
        ({"show": "contribution"}, "got 0 samples"),
        ({"show": "colours"}, "show must be"),
        ({"samples": [1.0, 2.0], "sample_names": ["a", "b"]}, "needs 1 names for"),
    ],
)
def test_what_is_missing_is_said_in_words(groups, arguments, words):
    model = PushAndGrow().fit(*groups(3))
    with pytest.raises(ValueError, match=words):
        plot_comparison(model, **arguments)
