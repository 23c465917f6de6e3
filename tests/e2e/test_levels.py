"""The levels of a model's picture (paper 003): the disc, and objects compared."""

import re

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.e2e.looking import Looking, isolated
from tests.e2e.scenes import large_view, wine_view

MARKS = ".ls-svg-stage :is(.ls-prototype, .ls-cluster)"


@pytest.fixture(scope="module")
def explorer():
    return wine_view()


@pytest.fixture(scope="module")
def page(open_watched, explorer, tmp_path_factory):
    path = explorer.to_html(tmp_path_factory.mktemp("page") / "wine.html")
    # Nobody waits for motions here.
    return open_watched(path.as_uri(), reduced_motion="reduce")


@pytest.fixture
def look(page, explorer):
    page.fresh()
    yield Looking(page.page, explorer.scene)
    assert page.troubles == []


def _open(look, level):
    if level == "compressed":
        look.root.get_by_role("button", name="Show a few class centers").click()
    else:
        look.root.locator(f"[data-level={level}][aria-pressed]").click()
    look.root.locator(MARKS).first.wait_for()


def _middles(marks):
    boxes = "all => all.map(e => (b => [b.x + b.width / 2, b.y + b.height / 2])"
    shapes = "(e.querySelector('path, circle').getBoundingClientRect()))"
    return np.array(marks.evaluate_all(boxes + shapes))


@pytest.mark.parametrize("level", ["classes", "object", "compressed"])
def test_the_disc_holds_all_of_a_level_and_a_click_brings_a_mark_to_its_middle(
    look, level
):
    look.page.mouse.click(*look.on_page(look.places()[0]))
    _open(look, level)
    look.root.get_by_role("button", name="Fisheye").click()
    rim = look.root.locator(".ls-rim").bounding_box()
    middle = np.array([rim["x"] + rim["width"] / 2, rim["y"] + rim["height"] / 2])
    marks = look.root.locator(MARKS)
    away = np.linalg.norm(_middles(marks) - middle, axis=1)
    assert len(away) >= 3
    assert away.max() < rim["width"] / 2
    farthest = marks.nth(int(away.argmax()))
    farthest.click()
    np.testing.assert_allclose(_middles(farthest)[0], middle, atol=1)
    away = np.linalg.norm(_middles(marks) - middle, axis=1)
    assert away.max() < rim["width"] / 2


def _chosen(look, points):
    """Choose points that are alone on the map, one by one."""
    places = look.places()
    for point in points:
        look.page.keyboard.down("Shift")
        look.page.mouse.click(*look.on_page(places[point]))
        look.page.keyboard.up("Shift")


def test_selected_points_stand_among_the_prototypes_where_distances_fit_best(
    open_watched, tmp_path
):
    view = large_view()
    path = view.to_html(tmp_path / "large.html")
    page = open_watched(path.as_uri(), reduced_motion="reduce")
    look, scene = Looking(page.page, view.scene), view.scene
    level, prototypes = scene.model.class_levels[0], scene.model.prototypes.values
    X = np.column_stack([feature.values for feature in scene.features])
    distances = np.array([[_squared(scene, x, w) for w in prototypes] for x in X])
    others = np.setdiff1d(np.arange(len(X)), level.objects)
    point = int(others[distances[others].min(axis=1).argmax()])
    _lasso_around(look, look.places()[point])
    look.root.get_by_role("tab", name="Selection").click()
    look.root.get_by_role("button", name="Show with prototypes").click()
    marks = look.root.locator(".ls-object-mark")
    marks.first.wait_for()
    chosen = [
        int(marks.nth(k).get_attribute("data-object")) for k in range(marks.count())
    ]
    assert point in chosen
    # From pixels back to the units of the level.
    pixels = _middles(look.root.locator(".ls-stage-classes .ls-prototype")) * [1, -1]
    at = level.prototype_positions.astype(float)
    scale = np.ptp(at[:, 0]) / np.ptp(pixels[:, 0])
    places = (_middles(marks) * [1, -1] - pixels[0]) * scale + at[0]
    drawn = dict(zip(level.objects.tolist(), level.object_positions, strict=True))
    for one, place in zip(chosen, places, strict=True):
        best = drawn.get(one, _best_place(at, distances[one]))
        np.testing.assert_allclose(place, best, atol=scale)  # a pixel
    look.root.get_by_role("button", name="Show the default points").click()
    assert look.root.locator(".ls-object-mark").count() == len(level.objects)
    assert page.troubles == []


def _lasso_around(look, place):
    angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    look.lasso(place + 4 * np.column_stack([np.cos(angles), np.sin(angles)]))


def _best_place(at, wanted):
    """Return the position of a point with the least stress."""

    def stress(z):
        return np.sum((np.linalg.norm(z - at, axis=1) - wanted) ** 2 / wanted)

    near = at[wanted.argmin()]
    starts = near + wanted.min() * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    return min((minimize(stress, start) for start in starts), key=lambda r: r.fun).x


def _squared(scene, a, b):
    """Return the squared distance of two rows of values, as the model measures."""
    factors = scene.model.metric.factors
    gap = np.asarray(a, float) - np.asarray(b, float)
    return float(np.sum((factors @ gap) ** 2))


def test_two_objects_and_any_prototype_are_compared_at_exact_distances(look):
    scene = look.scene
    first, second = (int(i) for i in isolated(look.places())[:2])
    _chosen(look, [first, second])
    look.root.get_by_role("tab", name="Selection").click()
    look.root.get_by_role("button", name="Compare").click()
    look.root.locator(".ls-chip[data-prototype='2']").click()
    X = np.column_stack([feature.values for feature in scene.features])
    subjects = [scene.model.prototypes.values[2], X[first], X[second]]
    for i, j in [(1, 0), (2, 0), (2, 1)]:
        cell = look.root.locator(f"[data-pair='{i},{j}']")
        wanted = _squared(scene, subjects[i], subjects[j])
        assert float(cell.get_attribute("data-value")) == pytest.approx(
            wanted, rel=1e-4
        )
    bars = look.root.locator("[aria-label='Features side by side'] [role=listitem]")
    assert bars.first.locator("rect").count() == 3


def test_the_nearest_point_of_the_border_is_drawn_at_both_levels(look):
    scene = look.scene
    found, drawn = scene.model.explanations, scene.maps[0]
    point = int(np.intersect1d(isolated(look.places()), found.objects)[0])
    at = int(np.searchsorted(found.objects, point))
    look.page.mouse.click(*look.on_page(look.places()[point]))
    look.root.get_by_role("tab", name="Point").click()
    mark = look.root.locator(".ls-borders .ls-border")
    mark.wait_for()
    # The arrow leads from the point to where the map places the changed object.
    scale = np.ptp(look.places()[:, 0]) / np.ptp(drawn.positions[:, 0].astype(float))
    way = (drawn.borders[at] - drawn.positions[point]).astype(float) * [1, -1] * scale
    path = mark.locator(".ls-border-line").get_attribute("d")
    ends = re.findall(r"(-?[\d.]+) (-?[\d.]+)", path.split("M")[1])
    start, end = np.array(ends[0], float), np.array(ends[-1], float)
    np.testing.assert_allclose(end - start, way, atol=1.5)
    name = scene.classes[found.change_classes[at]]
    assert name in mark.get_attribute("aria-label")
    look.root.locator("[data-level=object][aria-pressed]").click()
    beside = look.root.locator(".ls-stage-object .ls-border")
    assert name in beside.get_attribute("aria-label")
    assert beside.locator(".ls-border-line").get_attribute("d")
