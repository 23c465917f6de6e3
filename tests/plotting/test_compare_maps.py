import pytest

from labelscape.plotting import compare_maps


def test_each_map_has_a_panel_and_all_share_a_legend(groups):
    Z, y = groups(3)
    figure = compare_maps({"before": Z, "after": -Z}, y)
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["before", "after"]
    (legend,) = figure.legends
    assert len(legend.get_texts()) == 3


@pytest.mark.parametrize(("n_maps", "n_rows"), [(1, 1), (4, 1), (5, 2), (9, 3)])
def test_rows_of_maps_are_balanced(groups, n_maps, n_rows):
    Z, y = groups(2, n_each=3)
    figure = compare_maps({str(i): Z for i in range(n_maps)}, y)
    rows = {ax.get_subplotspec().rowspan.start for ax in figure.axes}
    assert len(figure.axes) == n_maps
    assert len(rows) == n_rows


def test_a_legend_of_forty_classes_stays_on_the_page(groups):
    Z, y = groups(40, n_each=3)
    figure = compare_maps({"a": Z, "b": Z}, y)
    figure.canvas.draw()
    box = figure.legends[0].get_window_extent()
    assert box.y0 >= 0
    assert box.x1 <= figure.bbox.x1 + 1


def test_flat_and_spatial_maps_stand_side_by_side(groups):
    Z, _ = groups(3, n_features=3)
    figure = compare_maps({"flat": Z[:, :2], "space": Z})
    assert [hasattr(ax, "get_zlim") for ax in figure.axes] == [False, True]
    assert figure.legends == []


def test_nothing_to_compare_is_refused():
    with pytest.raises(ValueError, match="there is no map"):
        compare_maps({})
