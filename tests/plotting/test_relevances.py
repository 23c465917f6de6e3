import numpy as np
import pytest

from labelscape.plotting import plot_relevances
from labelscape.prototypes import GLVQ, GMLVQ, GRLVQ, LGMLVQ, LiRaMLVQ


def ticks(ax, axis="y"):
    return [text.get_text() for text in getattr(ax, f"get_{axis}ticklabels")()]


def bars(ax):
    return [bar.get_width() for bar in ax.patches]


def test_matrix_diagonal_and_eigenvalues_stand_side_by_side(groups):
    X, y = groups(3, n_features=5)
    model = LiRaMLVQ(random_state=0).fit(X, y)
    matrix, diagonal, eigenvalues = plot_relevances(model).axes[:3]
    shown = np.ma.filled(matrix.images[0].get_array(), np.nan)
    assert np.isnan(np.diagonal(shown)).all()
    off = ~np.eye(5, dtype=bool)
    np.testing.assert_allclose(shown[off], model.relevance_matrix_[off])
    np.testing.assert_allclose(bars(diagonal), model.relevances_)
    heights = [bar.get_height() for bar in eigenvalues.patches]
    assert sum(heights) == pytest.approx(1.0)
    assert np.count_nonzero(np.array(heights) > 1e-9) == 2


def test_the_matrix_of_the_model_is_left_alone(groups):
    X, y = groups(3, n_features=4)
    model = LiRaMLVQ(random_state=0).fit(X, y)
    plot_relevances(model)
    assert np.isfinite(model.relevance_matrix_).all()


def test_bars_are_level_with_the_rows_of_the_matrix(groups):
    X, y = groups(3, n_features=5)
    figure = plot_relevances(LiRaMLVQ(random_state=0).fit(X, y))
    figure.canvas.draw()
    matrix, diagonal = figure.axes[:2]
    assert matrix.get_ylim() == diagonal.get_ylim()
    assert matrix.bbox.y0 == pytest.approx(diagonal.bbox.y0, abs=1)
    assert matrix.bbox.y1 == pytest.approx(diagonal.bbox.y1, abs=1)


def test_feature_names_stand_on_both_axes(groups):
    X, y = groups(3, n_features=3)
    names = ["width", "height", "a very long name of a feature indeed"]
    figure = plot_relevances(LiRaMLVQ(random_state=0).fit(X, y), feature_names=names)
    assert ticks(figure.axes[0])[:2] == names[:2]
    assert len(ticks(figure.axes[0], "x")[2]) <= 24


def test_of_two_hundred_features_the_most_relevant_are_shown(groups):
    X, y = groups(3, n_features=200)
    model = LiRaMLVQ(random_state=0, max_iter=5).fit(X, y)
    matrix, diagonal = plot_relevances(model).axes[:2]
    assert len(ticks(matrix)) == 20
    top = np.sort(model.relevances_)[::-1][:20]
    np.testing.assert_allclose(bars(diagonal), top)
    assert "20 of 200 features" in diagonal.get_title(loc="left")


def test_one_feature_has_one_relevance(groups):
    X, y = groups(3, n_features=1)
    figure = plot_relevances(GMLVQ(random_state=0).fit(X, y))
    assert bars(figure.axes[1]) == [1.0]


def test_relevances_without_a_matrix_are_one_bar_chart(groups):
    X, y = groups(3, n_features=4)
    model = GRLVQ(random_state=0).fit(X, y)
    (ax,) = plot_relevances(model).axes
    np.testing.assert_allclose(bars(ax), model.relevances_)


@pytest.mark.parametrize("localization", ["class", "prototype"])
def test_local_matrices_have_a_column_each(groups, localization):
    X, y = groups(3, n_features=4)
    model = LGMLVQ(2, localization=localization, random_state=0).fit(X, y)
    ax = plot_relevances(model).axes[0]
    np.testing.assert_allclose(ax.images[0].get_array(), model.relevances_.T)
    assert len(ticks(ax, "x")) == (3 if localization == "class" else 6)


def test_a_model_without_relevances_is_refused(groups):
    with pytest.raises(ValueError, match="GLVQ learns no relevances"):
        plot_relevances(GLVQ(random_state=0).fit(*groups(3)))


def test_given_intervals_are_error_bars(groups):
    X, y = groups(3)
    model = GRLVQ(random_state=0).fit(X, y)
    assert not plot_relevances(model).axes[0].collections
    intervals = model.relevance_intervals(X, y, n_bootstraps=10)
    (lines,) = plot_relevances(model, intervals=intervals).axes[0].collections
    ends = np.array([segment[:, 0] for segment in lines.get_segments()])
    np.testing.assert_allclose(ends, intervals, atol=1e-12)
    with pytest.raises(ValueError, match="2 columns"):
        plot_relevances(model, intervals=intervals[:, :1])
    local = LGMLVQ(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="intervals can't be drawn"):
        plot_relevances(local, intervals=intervals)
