"""The view and Python together, in a real JupyterLab."""

import numpy as np
import pytest
from PIL import Image
from tests.e2e.looking import Looking
from tests.e2e.scenes import wine_view

pytestmark = [pytest.mark.xdist_group("jupyter"), pytest.mark.slow]


@pytest.fixture(scope="module")
def explorer():
    return wine_view()


@pytest.fixture
def look(notebook, explorer):
    notebook.fresh()
    yield Looking(notebook.page, explorer.scene)
    assert notebook.troubles == []


def test_points_chosen_in_the_view_are_a_selection_in_python(look, notebook):
    places = look.places()
    middle = np.median(places, axis=0)
    corners = [(-70, -40), (70, -40), (70, 40), (-70, 40)]
    look.lasso([middle + corner for corner in corners])
    inside = np.flatnonzero((np.abs(places - middle) < (70, 40)).all(axis=1))
    assert notebook.say("print(view.selection.tolist())") == f"{inside.tolist()}\n"


def test_what_python_sets_is_shown(look, notebook):
    notebook.say("view.selection = [3, 140]")
    assert look.chosen_ids() == ["<i>3</i>", "<i>140</i>"]
    notebook.say("view.object, view.level = 140, 'object'")
    look.root.locator(".ls-centre[data-object='140']").wait_for()


def test_the_picture_comes_back_to_python(look, notebook, tmp_path):
    path = tmp_path / "map.png"
    notebook.say(f"view.to_png({str(path)!r})")
    for _ in range(100):
        if path.exists():
            break
        look.page.wait_for_timeout(100)
    with Image.open(path) as image:
        assert min(image.size) > 300


def test_python_explains_what_the_scene_does_not(notebook):
    notebook.fresh("large_view")
    root = notebook.page.locator(".ls-root")
    point = int(notebook.say("print(view.unexplained)"))
    notebook.say(f"view.object, view.level = {point}, 'object'")
    root.get_by_role("tab", name="Object").click()
    root.get_by_text("The smallest change").wait_for()
    assert notebook.troubles == []


def test_a_map_is_shown_while_it_forms(notebook):
    notebook.fresh("forming_view")
    words = notebook.page.locator(".ls-strip")
    assert "Sammon" not in words.text_content()
    assert notebook.say("view.fit(); print(view.scene.maps[0].name)") == "Sammon\n"
    words.filter(has_text="Sammon").wait_for()
    assert notebook.troubles == []


def test_a_button_measures_honesty_and_the_lights_turn_on(notebook):
    notebook.fresh("unjudged_view")
    lights = notebook.page.locator(".ls-lights-bar [data-light]")
    assert "not tested" in lights.first.text_content()
    notebook.page.get_by_role("button", name="Measure").click()
    notebook.page.locator(".ls-lights-bar [data-light=good]").first.wait_for()
    assert "of new objects" in lights.first.text_content()
    assert notebook.page.get_by_role("button", name="Measure").count() == 0
    real = notebook.say("print(view.scene.maps[0].honesty.real)")
    assert real == "yes\n"
    assert notebook.troubles == []
