"""Actions of a user in the view, in both hosts: a page, and a real JupyterLab.

All that needs JupyterLab stands in this file, so that one is started.
"""

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from tests.e2e.looking import Looking, colors_at, isolated, nearest_class
from tests.e2e.scenes import IMAGE, SCRIPT, wine_view


@pytest.fixture(scope="module")
def explorer():
    return wine_view()


@pytest.fixture(scope="module")
def page(open_watched, explorer, tmp_path_factory):
    path = explorer.to_html(tmp_path_factory.mktemp("page") / "wine.html")
    return open_watched(path.as_uri())


@pytest.fixture(params=["page", pytest.param("notebook", marks=pytest.mark.slow)])
def host(request):
    """The two hosts of the view, one after the other."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def look(host, explorer):
    """The view, fresh."""
    host.fresh()
    yield Looking(host.page, explorer.scene)
    assert host.troubles == []


@pytest.fixture
def beside_python(notebook, explorer):
    """The view in a notebook, fresh."""
    notebook.fresh()
    yield Looking(notebook.page, explorer.scene)
    assert notebook.troubles == []


@pytest.fixture
def labels(explorer):
    return explorer.scene.labels.astype(int)


def test_every_point_is_drawn_in_the_colour_of_its_class(look, labels):
    places = look.places()
    drawn = nearest_class(colors_at(look.only_points(), places), 3)
    assert (drawn >= 0).all()
    alone = isolated(places)
    assert len(alone) > 10
    assert (drawn[alone] == labels[alone]).mean() > 0.95


def test_the_legend_counts_classes_and_hides_them(look, labels):
    row = look.root.locator(".ls-legend [data-class='0']")
    assert str((labels == 0).sum()) in row.text_content()
    row.click()
    assert row.get_attribute("aria-pressed") == "false"
    places = look.places()
    alone = isolated(places)
    drawn = nearest_class(colors_at(look.only_points(), places[alone]), 3)
    np.testing.assert_array_equal(drawn >= 0, labels[alone] != 0)


def test_names_that_look_like_html_are_shown_as_text(look):
    legend = look.root.locator(".ls-legend .ls-class-name").all_text_contents()
    assert sorted(legend) == sorted([SCRIPT, "<b>oak & elm</b>", "plain"])
    assert SCRIPT in look.root.locator("h1").text_content()
    assert look.root.locator("b:has-text('oak'), script, img").count() == 0
    assert "broken in" not in look.page.evaluate("document.title").removeprefix(
        f"Wine {SCRIPT}"
    )


def test_the_pointer_brings_up_what_is_known_of_a_point(look, labels, explorer):
    places = look.places()
    point = int(isolated(places)[5])
    tooltip = look.hover(places[point])
    tooltip.wait_for()
    assert tooltip.get_attribute("data-object") == str(point)
    words = tooltip.text_content()
    assert f"<i>{point}</i>" in words
    assert explorer.scene.classes[labels[point]][:12] in words


def test_a_lasso_chooses_the_points_inside_it(look, explorer):
    places = look.places()
    middle = np.median(places[explorer.scene.labels == 2], axis=0)
    corners = [(-60, -60), (60, -60), (60, 60), (-60, 60)]
    look.lasso([middle + corner for corner in corners])
    inside = np.flatnonzero((np.abs(places - middle) < 60).all(axis=1))
    assert 5 < len(inside) < 150
    assert look.chosen_ids() == [f"<i>{point}</i>" for point in inside]


def test_the_levels_of_the_model_can_be_switched(look, explorer):
    look.root.locator("button[data-level=classes]").click()
    assert look.root.get_attribute("data-level") == "classes"
    k = len(explorer.scene.model.prototypes.labels)
    assert look.root.locator(".ls-stage [data-prototype]").count() == k
    look.root.locator("button[data-level=data]").click()
    assert look.stage.is_visible()


def test_chosen_prototypes_are_compared_by_their_numbers(look, explorer):
    look.root.locator("button[data-level=classes]").click()
    for k in (2, 0):
        look.root.locator(f".ls-stage [data-prototype='{k}']").click()
    panel = look.root.locator("[role=tabpanel]:visible")
    panel.get_by_role("button", name="Raw").click()
    values = explorer.scene.model.prototypes.values
    groups = panel.get_by_role("list", name="Features side by side")
    for j in (0, 7, 12):
        name = explorer.scene.features[j].name
        group = groups.get_by_role("listitem", name=name, exact=True)
        if not group.count():
            panel.get_by_role("button", name="Show all").first.click()
        bars = group.locator("[data-value]")
        shown = [float(bar.get_attribute("data-value")) for bar in bars.all()]
        np.testing.assert_allclose(shown, values[[2, 0], j], rtol=1e-12)
        assert name.startswith(IMAGE)


def test_an_object_is_shown_at_its_distances_from_the_classes(look, explorer):
    places = look.places()
    point = int(isolated(places)[3])
    look.page.mouse.dblclick(*look.on_page(places[point]))
    model = explorer.scene.model
    look.root.locator(f".ls-center[data-object='{point}']").wait_for()
    for c in range(3):
        mark = look.root.locator(f".ls-stage [data-prototype][data-class='{c}']")
        distance = float(mark.get_attribute("data-value"))
        assert distance == pytest.approx(model.class_distances[point, c], rel=1e-6)
        near = int(mark.get_attribute("data-prototype"))
        assert near == model.class_nearest[point, c]


def test_a_point_dragged_to_the_middle_of_the_disc_stays_there(look):
    look.root.get_by_role("button", name="Hyperbolic focus").click()
    look.page.wait_for_timeout(900)  # the map travels into the disc
    pixels = look.only_points()
    middle = np.array(pixels.shape[1::-1]) / 2
    found = nearest_class(pixels.reshape(-1, 3), 3).reshape(pixels.shape[:2])
    rows, columns = np.nonzero(found >= 0)
    far = np.linalg.norm(np.c_[columns, rows] - middle, axis=1)
    start = np.array([columns, rows]).T[far.argmax()]
    tooltip = look.hover(start)
    tooltip.wait_for()
    point = tooltip.get_attribute("data-object")
    look.drag([start, (start + middle) / 2, middle])
    tooltip = look.hover(middle)
    tooltip.wait_for()
    assert tooltip.get_attribute("data-object") == point


def test_another_map_is_one_choice_away_and_keeps_the_selection(look):
    look.lasso([(5, 5), (5, 400), (300, 400), (300, 5)])
    before = look.chosen_ids()
    look.root.get_by_role("button", name="Map").first.click()
    look.root.get_by_role("option", name="PCA").click()
    assert look.chosen_ids() == before


def test_the_picture_can_be_saved_as_png(look, tmp_path):
    with look.page.expect_download() as coming:
        look.root.get_by_role("button", name="Save as PNG").click()
    coming.value.save_as(tmp_path / "map.png")
    image = Image.open(BytesIO((tmp_path / "map.png").read_bytes())).convert("RGB")
    assert min(image.size) > 300
    found = nearest_class(np.asarray(image).reshape(-1, 3) / 255.0, 3)
    assert all((found == c).sum() > 100 for c in range(3))


def test_the_picture_can_be_saved_as_svg(look, tmp_path):
    with look.page.expect_download() as coming:
        look.root.get_by_role("button", name="Save as SVG").click()
    coming.value.save_as(tmp_path / "map.svg")
    words = " ".join(ElementTree.parse(tmp_path / "map.svg").getroot().itertext())
    assert "plain" in words
    assert "<b>oak & elm</b>" in words


def test_the_view_is_light_or_dark_like_what_is_around_it(look, host):
    assert look.root.get_attribute("data-theme") == "light"
    light = look.pixels()[3, 3]
    host.turn("dark")
    look.page.locator(".ls-root[data-theme=dark]").last.wait_for()
    dark = look.pixels()[3, 3]
    host.turn("light")
    look.page.locator(".ls-root[data-theme=light]").last.wait_for()
    assert dark.mean() < 0.25 < 0.8 < light.mean()


# The view and Python together.


@pytest.mark.slow
def test_points_chosen_in_the_view_are_a_selection_in_python(beside_python, notebook):
    places = beside_python.places()
    middle = np.median(places, axis=0)
    corners = [(-70, -40), (70, -40), (70, 40), (-70, 40)]
    beside_python.lasso([middle + corner for corner in corners])
    inside = np.flatnonzero((np.abs(places - middle) < (70, 40)).all(axis=1))
    assert notebook.say("print(view.selection.tolist())") == f"{inside.tolist()}\n"


@pytest.mark.slow
def test_what_python_sets_is_shown(beside_python, notebook):
    notebook.say("view.selection = [3, 140]")
    assert beside_python.chosen_ids() == ["<i>3</i>", "<i>140</i>"]
    notebook.say("view.object, view.level = 140, 'object'")
    beside_python.root.locator(".ls-center[data-object='140']").wait_for()


@pytest.mark.slow
def test_the_picture_comes_back_to_python(beside_python, notebook, tmp_path):
    path = tmp_path / "map.png"
    notebook.say(f"view.to_png({str(path)!r})")
    for _ in range(100):
        if path.exists():
            break
        beside_python.page.wait_for_timeout(100)
    with Image.open(path) as image:
        assert min(image.size) > 300


@pytest.mark.slow
def test_python_explains_what_the_scene_does_not(notebook):
    notebook.fresh("large_view")
    root = notebook.page.locator(".ls-root")
    point = int(notebook.say("print(view.unexplained)"))
    notebook.say(f"view.object, view.level = {point}, 'object'")
    root.get_by_role("tab", name="Point").click()
    root.get_by_text("The smallest change").wait_for()
    assert notebook.troubles == []


@pytest.mark.slow
def test_a_map_is_shown_while_it_forms(notebook):
    notebook.fresh("forming_view")
    words = notebook.page.get_by_role("tabpanel", name="Summary")
    assert "Sammon" not in words.text_content()
    assert notebook.say("view.fit(); print(view.scene.maps[0].name)") == "Sammon\n"
    words.filter(has_text="Sammon").wait_for()
    assert notebook.troubles == []


@pytest.mark.slow
def test_a_button_measures_honesty_and_the_lights_turn_on(notebook):
    notebook.fresh("unjudged_view")
    lights = notebook.page.locator(".ls-lights-bar [data-light]")
    assert "Not tested" in lights.first.text_content()
    notebook.page.get_by_role("button", name="Measure").click()
    notebook.page.locator(".ls-lights-bar [data-light=good]").first.wait_for()
    assert "of held-out rows" in lights.first.text_content()
    assert notebook.page.get_by_role("button", name="Measure").count() == 0
    real = notebook.say("print(view.scene.maps[0].honesty.real)")
    assert real == "yes\n"
    assert notebook.troubles == []
