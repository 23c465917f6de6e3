from io import BytesIO
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest

from labelscape.plotting import plot_map


def names_beside(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def n_points(ax):
    return sum(len(c.get_offsets()) for c in ax.collections)


def test_three_classes_have_a_legend_beside_the_map(groups):
    Z, y = groups(3)
    ax = plot_map(Z, np.array(["oak", "elm", "ash"])[y], title="Trees")
    assert names_beside(ax) == ["ash", "elm", "oak"]
    assert n_points(ax) == len(Z)
    assert ax.get_title(loc="left") == "Trees"


def test_both_axes_of_a_map_have_one_scale(groups):
    Z, y = groups(3)
    ax = plot_map(Z * [1.0, 20.0], y)
    ax.figure.canvas.draw()
    width, height = ax.bbox.width, ax.bbox.height
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert (right - left) / width == pytest.approx((top - bottom) / height, rel=1e-2)
    assert left < Z[:, 0].min()
    assert top > 20 * Z[:, 1].max()


def test_forty_classes_are_named_on_the_map_without_overlap(groups, boxes_of):
    Z, y = groups(40)
    ax = plot_map(Z, [f"class number {label}" for label in y])
    assert ax.get_legend() is None
    assert len(ax.texts) == 40
    boxes = boxes_of(ax.texts)
    overlap = (boxes[:, None, :2] < boxes[None, :, 2:] - 1).all(axis=2)
    assert np.triu(overlap & overlap.T, 1).sum() == 0
    assert (boxes[:, 0] >= ax.bbox.x0 - 1).all()
    assert (boxes[:, 2] <= ax.bbox.x1 + 1).all()


def test_forty_classes_are_forty_looks(groups):
    Z, y = groups(40)
    ax = plot_map(Z, y, legend="none")
    looks = {
        (collection.get_paths()[0].vertices.tobytes(), tuple(color))
        for collection in ax.collections
        for color in collection.get_facecolors()
    }
    assert len(looks) == 40


def test_a_legend_for_forty_classes_has_columns_and_stays_on_the_page(groups):
    Z, y = groups(40)
    ax = plot_map(Z, y, legend="beside")
    ax.figure.canvas.draw()
    box = ax.get_legend().get_window_extent()
    assert box.y0 >= 0
    assert box.x1 <= ax.figure.bbox.x1


def test_no_class_is_drawn_over_all_others(groups):
    Z, y = groups(3, n_each=50)
    (drawn,) = plot_map(Z, y).collections
    colors = [tuple(color) for color in drawn.get_facecolors()[:50]]
    assert len(set(colors)) == 3


def test_many_points_are_smaller_paler_and_one_picture_in_a_vector_graphic(groups):
    few, many = (plot_map(*groups(2, n_each=n)).collections[0] for n in (20, 4000))
    assert many.get_sizes()[0] < few.get_sizes()[0]
    assert many.get_alpha() < few.get_alpha()
    assert many.get_rasterized()
    assert not few.get_rasterized()


def test_points_without_classes_are_drawn_without_a_legend(groups):
    Z, _ = groups(3)
    ax = plot_map(Z)
    assert ax.get_legend() is None
    assert n_points(ax) == len(Z)


def test_prototypes_are_larger_and_named_in_the_legend(groups):
    Z, y = groups(3)
    W = np.array([Z[y == c].mean(axis=0) for c in range(3)])
    ax = plot_map(Z, y, prototypes=W, prototype_labels=[0, 1, 2])
    points, *prototypes = ax.collections
    assert len(prototypes) == 3
    assert prototypes[0].get_sizes()[0] > points.get_sizes()[0]
    assert names_beside(ax) == ["0", "1", "2", "prototype"]


def test_prototypes_can_be_drawn_among_points_without_classes(groups):
    Z, _ = groups(2)
    ax = plot_map(Z, prototypes=Z[:2], prototype_labels=["a", "b"])
    assert n_points(ax) == len(Z) + 2
    assert names_beside(ax) == ["a", "b", "prototype"]


def test_regions_have_the_pale_colours_of_the_winning_classes(groups):
    Z, y = groups(2)
    ax = plot_map(
        Z, y, regions=lambda places: np.eye(2)[(places[:, 0] > 0).astype(int)]
    )
    areas = [one for one in ax.collections if one.get_zorder() == 0]
    colors = np.concatenate([one.get_facecolor()[:, :3] for one in areas])
    assert len(colors) == 2
    assert colors.min() > 0.7
    drawn = BytesIO()
    ax.figure.savefig(drawn, format="svg")
    assert b"<image" not in drawn.getvalue()


def test_regions_cover_the_whole_axes(groups):
    Z, y = groups(2)
    ax = plot_map(Z * [30.0, 1.0], y, regions=lambda places: places)
    ax.figure.canvas.draw()
    areas = [one for one in ax.collections if one.get_zorder() == 0]
    places = np.concatenate([p.vertices for one in areas for p in one.get_paths()])
    (left, bottom), (right, top) = places.min(axis=0), places.max(axis=0)
    assert left <= ax.get_xlim()[0]
    assert right >= ax.get_xlim()[1]
    assert bottom <= ax.get_ylim()[0]
    assert top >= ax.get_ylim()[1]
    # And no more of them is shown than the points need.
    assert ax.get_xlim()[1] - ax.get_xlim()[0] < 1.3 * np.ptp(30.0 * Z[:, 0])


def test_regions_with_another_number_of_classes_are_refused(groups):
    Z, y = groups(3)
    with pytest.raises(ValueError, match="one score for each of the 3 classes"):
        plot_map(Z, y, regions=lambda places: places)


def test_given_classes_keep_their_colours(groups):
    Z, y = groups(3)
    whole = plot_map(Z, y).collections[0].get_facecolors()
    part = plot_map(Z[y == 2], y[y == 2], classes=[0, 1, 2]).collections[0]
    assert tuple(part.get_facecolors()[0]) in {tuple(color) for color in whole}
    assert names_beside(part.axes) == ["0", "1", "2"]


def test_three_columns_are_drawn_in_space(groups):
    Z, y = groups(14, n_features=3)
    ax = plot_map(Z, y)
    assert hasattr(ax, "get_zlim")
    ax.figure.canvas.draw()
    (legend,) = ax.figure.legends
    assert legend.get_window_extent().x1 <= ax.figure.bbox.x1


def test_one_column_is_drawn_with_a_row_per_class(groups):
    Z, y = groups(3, n_features=1)
    ax = plot_map(Z, y)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["0", "1", "2"]
    heights = ax.collections[0].get_offsets()[:, 1]
    assert set(np.round(heights).astype(int)) == {0, 1, 2}


def test_one_column_without_classes_is_one_row(groups):
    ax = plot_map(groups(3, n_features=1)[0])
    assert len(ax.get_yticks()) == 0


def test_a_single_object_is_a_map():
    assert n_points(plot_map([[1.0, 2.0]], ["a"])) == 1


def test_formulas_in_labels_are_shown_as_text():
    ax = plot_map([[1.0, 2.0]], ["$x^2"])
    assert ax.get_legend().get_texts()[0].get_text() == r"\$x^2"


def test_long_labels_are_cut_in_the_middle():
    ax = plot_map([[1.0, 2.0]], ["a" * 50 + "z"])
    (name,) = names_beside(ax)
    assert len(name) <= 24
    assert "…" in name
    assert name.endswith("z")


def test_a_map_is_drawn_on_given_axes(groups):
    _, ax = plt.subplots()
    assert plot_map(*groups(3), ax=ax) is ax


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"embedding": np.zeros((3, 5))}, "1, 2 or 3 columns"),
        ({"embedding": np.zeros((0, 2))}, "no points"),
        ({"embedding": [[0.0, np.nan]]}, "NaN or infinity"),
        ({"embedding": np.zeros((3, 2)), "y": [1, 2]}, "one label per point"),
        ({"embedding": np.zeros((1, 2)), "legend": "left"}, "legend must be"),
        ({"embedding": np.zeros((1, 2)), "prototypes": [[1, 2]]}, "go together"),
        (
            {
                "embedding": np.zeros((1, 2)),
                "y": [1],
                "prototypes": [[1]],
                "prototype_labels": [1],
            },
            "with the same model",
        ),
        ({"embedding": np.zeros((1, 2)), "y": [3], "classes": [1, 2]}, "not among"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_words(arguments, words):
    with pytest.raises(ValueError, match=words):
        plot_map(**arguments)


def test_flat_axes_are_refused_for_a_map_in_space(groups):
    _, ax = plt.subplots()
    with pytest.raises(ValueError, match="3-D axes"):
        plot_map(*groups(3, n_features=3), ax=ax)


def test_of_many_classes_those_side_by_side_have_different_colours():
    y = np.repeat(np.arange(14), 3)
    Z = np.column_stack([y, np.tile([0.0, 0.1, 0.2], 14)])
    ax = plot_map(Z, y)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    handles = ax.get_legend().legend_handles
    colors = [handle.get_markerfacecolor() for handle in handles]
    shapes = [handle.get_marker() for handle in handles]
    assert texts == [str(c) for c in range(14)]
    assert all(one != other for one, other in pairwise(colors))
    assert len({*zip(colors, shapes, strict=True)}) == 14
    plain = plot_map(Z, y, classes=range(14)).get_legend().legend_handles
    assert plain[0].get_markerfacecolor() == plain[12].get_markerfacecolor()
