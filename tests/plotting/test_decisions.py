from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
import pytest

from labelscape.boundary import Regions
from labelscape.plotting._classifier_map import (
    BORDERS,
    ISOLINES,
    draw_decisions,
    fitting_size,
)
from labelscape.plotting._marks import classes_of
from labelscape.plotting._theme import rgb


@pytest.fixture
def regions():
    """Two classes, left and right, surer away from the middle; no data at the top."""
    x, y = np.linspace(-2, 2, 41), np.linspace(0, 1, 11)
    lead = np.tile(np.abs(x) / 2, (11, 1))
    winners = np.tile((x > 0.03).astype(int), (11, 1))
    support = np.tile(np.linspace(0, 5, 11)[:, None], (1, 41))
    return Regions(x, y, winners, (1 + lead) / 2, lead, support, np.array(["a", "b"]))


def areas(ax):
    """Return where colours are drawn, and how much of them there is, palest first."""
    drawn = [one for one in ax.collections if one.get_zorder() == 0]
    return [
        (
            np.concatenate([path.vertices for path in one.get_paths()]),
            1.0 - one.get_facecolor()[0, :3],
        )
        for one in drawn
    ]


def test_colour_grows_with_certainty_and_fades_far_from_data(regions):
    _, ax = plt.subplots()
    looks = classes_of(["a", "b"])
    draw_decisions(ax, regions, looks)
    left = [one for one in areas(ax) if one[0][:, 0].max() < 0.1]
    strengths = [color.max() for _, color in left]
    assert len(strengths) > 3
    assert strengths == sorted(strengths)
    # The surest is at the edge, and not at the top, where no data are.
    places, color = left[-1]
    assert places[:, 0].max() < -1.0
    assert places[:, 1].max() < 0.75
    blue = 1.0 - rgb(looks.colors[0])
    np.testing.assert_allclose(color / color.max(), blue / blue.max())


def test_colours_are_those_of_all_classes_of_a_figure(regions):
    looks = classes_of(["0", "a", "b"])
    _, ax = plt.subplots()
    draw_decisions(ax, regions, looks)
    color, expected = areas(ax)[0][1], 1.0 - rgb(looks.colors[1])
    np.testing.assert_allclose(color / color.max(), expected / expected.max())


def test_certainty_of_decision_values_ends_at_zero(regions):
    _, ax = plt.subplots()
    draw_decisions(ax, regions._replace(certainty=regions.lead), classes_of(["a", "b"]))
    palest = min(color.max() for _, color in areas(ax))
    assert 0.0 < palest < 0.1


def test_regions_are_areas_in_a_vector_file(regions):
    figure, ax = plt.subplots()
    draw_decisions(ax, regions, classes_of(["a", "b"]))
    drawn = BytesIO()
    figure.savefig(drawn, format="svg")
    assert b"<image" not in drawn.getvalue()


def test_borders_are_where_the_decision_changes(regions):
    _, ax = plt.subplots()
    draw_decisions(ax, regions, classes_of(["a", "b"]), isolines=False)
    lines = [
        path.vertices
        for drawn in ax.collections
        if drawn.get_zorder() == BORDERS
        for path in drawn.get_paths()
    ]
    assert lines
    np.testing.assert_allclose(np.concatenate(lines)[:, 0], 0.0, atol=0.051)


def test_lines_of_certainty_end_where_data_end(regions):
    _, ax = plt.subplots()
    draw_decisions(ax, regions, classes_of(["a", "b"]))
    lines = [drawn for drawn in ax.collections if drawn.get_zorder() == ISOLINES]
    heights = np.concatenate([p.vertices[:, 1] for p in lines[0].get_paths()])
    assert heights.max() <= 0.6 + 1e-9


def test_one_certain_region_has_neither_borders_nor_lines(regions):
    _, ax = plt.subplots()
    sure = regions._replace(
        winners=np.zeros_like(regions.winners),
        certainty=np.ones_like(regions.certainty),
        support=np.zeros_like(regions.support),
    )
    draw_decisions(ax, sure, classes_of(["a", "b"]))
    assert {drawn.get_zorder() for drawn in ax.collections} == {0}


def test_figures_have_the_shape_of_the_map(regions):
    width, height = fitting_size(regions, 6.0)
    assert width == pytest.approx(7.0)
    assert height == pytest.approx(6.0 * 11 / 41 + 0.4)
