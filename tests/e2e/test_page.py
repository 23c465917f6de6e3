"""One HTML file, opened from disk."""

import re
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from playwright.sync_api import expect
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.e2e.looking import Looking
from tests.e2e.scenes import wine_view
from typer.testing import CliRunner

from labelscape import audit, explore
from labelscape.cli.main import app
from labelscape.datasets import available, load
from labelscape.embeddings import LFDA


@pytest.fixture(scope="module")
def explorer():
    return wine_view()


@pytest.fixture
def wine(explorer, tmp_path):
    return explorer.to_html(tmp_path / "wine & more.html")


def written(tmp_path, *arguments):
    """Return the page that a command writes."""
    path = tmp_path / "page.html"
    command = [*(str(argument) for argument in arguments), "-o", str(path)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    return path


def shows(visit, path, subtitle):
    """Check that a page opens and draws points."""
    page = visit(path.as_uri())
    page.locator(".ls-root").wait_for()
    assert subtitle in page.locator(".ls-header").text_content()
    look = Looking(page, None)
    assert len(np.unique(look.pixels().reshape(-1, 3), axis=0)) > 20


UNJUDGED = ("--no-honesty", "--no-audit")
NAMES = [info.name for info in available() if info.origin == "embedded"]


@pytest.mark.parametrize("name", NAMES)
def test_the_map_of_every_embedded_set_opens(visit, tmp_path, name):
    path = written(tmp_path, "map", name, "-m", "liram", *UNJUDGED)
    shows(visit, path, "points")


def test_a_table_of_mixed_types_with_gaps_opens(visit, tmp_path):
    rows = ["kind,height,leaf,evergreen"]
    for i in range(40):
        kind, leaf = ("oak", "broad") if i % 2 else ("fir", "needle")
        height = "" if i % 7 == 0 else 10 + i % 12 + 8 * (i % 2)
        rows.append(f"{kind},{height},{'' if i == 5 else leaf},{i % 2 == 0}")
    (tmp_path / "trees.csv").write_text("\n".join(rows), encoding="utf-8")
    data = tmp_path / "trees.csv"
    path = written(tmp_path, "map", data, "-m", "liram", "--label", "kind", *UNJUDGED)
    shows(visit, path, "40 points")


def test_twenty_thousand_columns_open(visit, tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 6)
    names = [f"g{j}" for j in range(20_000)]
    X = np.round(
        rng.normal(size=(12, 20_000)) + y[:, None] * (np.arange(20_000) < 20), 3
    )
    rows = [",".join(["kind", *names])]
    rows += [",".join([f"c{c}", *map(str, row)]) for c, row in zip(y, X, strict=True)]
    (tmp_path / "genes.csv").write_text("\n".join(rows), encoding="utf-8")
    data = tmp_path / "genes.csv"
    path = written(tmp_path, "map", data, "-m", "liram", "--label", "kind", *UNJUDGED)
    shows(visit, path, "20,000 features")


def test_a_comparison_opens_with_all_its_maps(visit, tmp_path):
    path = written(tmp_path, "compare", "iris", "-m", "pca,lda,lfda", "--no-honesty")
    shows(visit, path, "150 points")


def test_maps_side_by_side_are_linked_and_rows_show_one_alone(visit, tmp_path):
    path = written(tmp_path, "compare", "iris", "-m", "pca,lda", "--no-honesty")
    page = visit(path.as_uri(), viewport={"width": 1440, "height": 900})
    plots = page.locator(".ls-small-plot")
    plots.nth(1).locator("canvas").wait_for()
    table = page.locator(".ls-together .ls-table")
    assert table.evaluate("one => one.scrollWidth <= one.clientWidth")
    box = plots.first.bounding_box()
    corners = [(0.02, 0.02), (0.98, 0.02), (0.98, 0.98), (0.02, 0.98)]
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    page.mouse.down()
    for across, down in corners:
        x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
        page.mouse.move(x, y, steps=2)
    page.mouse.up()
    expect(page.locator(".ls-tally")).to_have_text("150 selected")
    table.get_by_role("button", name="Linear discriminant").click()
    page.locator(".ls-data > canvas").first.wait_for()
    shown = page.get_by_role("button", name="Map", exact=True)
    expect(shown).to_contain_text("Linear discriminant")
    page.get_by_role("button", name="All maps", exact=True).click()
    expect(plots).to_have_count(2)


def lights(page):
    """Return the states and texts of the summary lines above the map."""
    shown = page.locator(".ls-lights-bar [data-light]")
    shown.first.wait_for()
    states = shown.evaluate_all("all => all.map(one => one.dataset.light)")
    return states, shown.all_text_contents()


def test_a_map_has_three_lights_with_their_figures_above_it(visit, tmp_path):
    page = visit(written(tmp_path, "map", "iris", "-m", "lda").as_uri())
    states, words = lights(page)
    assert states == ["good", "good", "fair"]  # versicolor and virginica touch
    assert "of held-out rows" in words[0]
    assert "in the data" in words[1]
    above = page.locator(".ls-lights-bar").bounding_box()
    assert above["y"] + above["height"] <= page.locator(".ls-data").bounding_box()["y"]
    page.get_by_role("tab", name="Quality").click()
    assert page.locator("[data-measure=unseen]").is_visible()
    assert page.get_by_text("Class by class").is_visible()


def test_islands_are_chosen_on_the_map_by_mouse_and_keyboard(visit, tmp_path):
    path = written(tmp_path, "map", "iris", "-m", "pca", *UNJUDGED, "--islands")
    page = visit(path.as_uri())
    page.get_by_role("tab", name="Quality").click()
    lines, tally = page.locator("[data-island]"), page.locator(".ls-tally")
    expect(lines).to_have_count(2)
    lines.nth(1).click()
    expect(tally).to_have_text("50 selected")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(tally).to_have_text("100 selected")
    expect(lines.first).to_have_attribute("aria-pressed", "true")
    expect(lines.first).to_be_focused()


def test_suspects_are_gone_through_by_keyboard_and_leave_as_a_file(visit, tmp_path):
    wine = load("wine")
    y = wine.y.copy()
    y[[5, 80, 140]] = ["class_1", "class_2", "class_0"]
    path = explore(
        wine.X[:, [0, 6]],
        wine.X,
        y,
        quality=False,
        audit=audit(wine.X, y, random_state=0),
    ).to_html(tmp_path / "page.html")
    page = visit(path.as_uri())
    assert page.get_by_role("tab", name="Summary").get_attribute("aria-selected")
    line = page.locator("[data-line=suspects]")
    expect(line).to_contain_text("of 178 look wrong")
    line.focus()
    page.keyboard.press("Enter")
    n_suspects = int(page.locator(".ls-tally").text_content().split()[0])
    page.keyboard.press("n")
    expect(page.locator(".ls-tally")).to_have_text("1 selected")
    expect(page.locator(".ls-suspect-details")).to_contain_text("when held out")
    for _ in range(n_suspects):
        page.keyboard.press("r")
    page.keyboard.press("u")
    page.keyboard.press("k")
    expect(page.get_by_text(f"{n_suspects} of {n_suspects} reviewed")).to_be_visible()
    assert page.get_by_text("Label looks wrong").count() == 0
    with page.expect_download() as coming:
        page.get_by_role("button", name="Save Python").click()
    names = {}
    exec(coming.value.path().read_text(encoding="utf-8"), names)
    repaired = names["repaired"](y)
    assert len(names["KEPT"]) == 1
    assert (repaired != y).sum() == len(names["RELABELLED"]) == n_suspects - 1


@pytest.fixture
def linear(visit, tmp_path):
    """A page of a linear map, open, and what it shows."""
    wine = load("wine")
    model = make_pipeline(StandardScaler(), PCA(2)).fit(wine.X)
    names = wine.feature_names
    view = explore(model, wine.X, wine.y, feature_names=names, quality=False)
    page = visit(view.to_html(tmp_path / "page.html").as_uri())
    return Looking(page, view.scene)


def test_arrows_lead_to_larger_values_and_are_saved(linear, tmp_path):
    page, arrows = linear.page, linear.scene.maps[0].arrows
    names = page.locator(".ls-arrow-name:visible")
    expect(names).to_have_count(0)
    page.get_by_role("button", name="Arrows").click()
    expect(names.first).to_be_visible()
    shown = [re.search("values of (.*?) lie", one)[1] for one in labels_of(page)]
    assert len(shown) >= 6
    assert set(shown) <= set(arrows.features)
    lines = page.locator(".ls-arrow:visible").evaluate_all(
        "all => all.map(one => one.getAttribute('d').match(/-?[\\d.]+/g).map(Number))"
    )
    drawn = np.array([[x1 - x0, y0 - y1] for x0, y0, x1, y1, *_ in lines])
    wanted = arrows.vectors[[arrows.features.index(name) for name in shown]]
    factor = np.linalg.norm(drawn[0]) / np.linalg.norm(wanted[0])
    assert_allclose(drawn, factor * wanted, atol=0.2)
    boxes = [one.bounding_box() for one in names.all()]
    assert not any(overlap(a, b) for a, b in combinations(boxes, 2))
    with page.expect_download() as coming:
        page.get_by_role("button", name="Save as SVG").click()
    coming.value.save_as(tmp_path / "map.svg")
    saved = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert shown[0] in saved
    assert "Toward larger" in saved


def labels_of(page):
    """Return the texts of the displayed arrows."""
    return page.locator(".ls-arrows g:visible").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )


def overlap(a, b):
    """Return whether two boxes of a page overlap."""
    return (
        abs(a["x"] - b["x"]) < (a["width"] if a["x"] < b["x"] else b["width"])
        and abs(a["y"] - b["y"]) < (a["height"] if a["y"] < b["y"] else b["height"]) - 4
    )


def test_nearest_neighbours_are_listed_linked_and_gone_to_by_keyboard(linear):
    page, wine = linear.page, load("wine")
    X = StandardScaler().fit_transform(wine.X)
    found = NearestNeighbors(n_neighbors=10).fit(X).kneighbors(return_distance=False)
    page.locator(".ls-search").fill("70")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Point").click()
    links = page.locator(".ls-neighbors .ls-link")
    expect(links).to_have_text([f"row {row}" for row in found[70]])
    toggle = page.get_by_role("button", name="Show on the map")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".ls-map-key")).to_contain_text("Neighbor in the data")
    links.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ls-id")).to_have_text(f"row {found[70][0]}")
    expect(links).to_have_text([f"row {row}" for row in found[found[70][0]]])
    expect(links.first).to_be_focused()


def test_a_map_that_was_not_judged_is_grey_and_says_how_to_judge_it(visit, tmp_path):
    iris = load("iris")
    view = explore(LFDA().fit(iris.X, iris.y), iris.X, iris.y, quality=False)
    page = visit(view.to_html(tmp_path / "grey.html").as_uri())
    states, words = lights(page)
    assert states == ["none", "none"]
    assert "Not tested" in words[0]
    expect(page.locator(".ls-strip")).to_contain_text("explore(..., honesty=True)")
    assert page.get_by_role("button", name="Measure").count() == 0


def noisy_table(folder):
    """Write a table whose labels can be overfitted, and predicted only in part."""
    rng = np.random.default_rng(0)
    y = np.arange(480) % 2
    X = rng.normal(size=(480, 30))
    X[:, 0] += 1.4 * y
    rows = ["kind," + ",".join(f"m{j}" for j in range(30))]
    rows += [
        f"{'ab'[c]}," + ",".join(f"{v:.4f}" for v in row)
        for c, row in zip(y, X, strict=True)
    ]
    path = folder / "noisy.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_the_picture_of_a_classifier_is_judged_by_held_out_rows(visit, tmp_path):
    wish = ["classify", noisy_table(tmp_path), "--label", "kind"]
    path = written(tmp_path, *wish, "--classifier", "svm")
    shows(visit, path, "480 points")
    page = visit(path.as_uri())
    _, words = lights(page)
    found = re.search(r"(\d+)% of held-out rows", words[0])
    assert 55 <= int(found[1]) <= 88  # and not the 100% of the rows it was fitted to
    assert words[1].startswith("Does the map match the classifier? ")
    strip = page.locator(".ls-strip")

    strip.get_by_role("button", name=re.compile("select (it|them)")).click()
    counted = int(strip.get_by_role("button").text_content().split()[0])
    expect(page.locator(".ls-tally")).to_have_text(f"{counted} selected")

    held_out = page.locator("[data-part=held_out]")
    expect(held_out).to_have_text("Held out144")
    held_out.click()
    expect(held_out).to_have_attribute("aria-pressed", "false")


def test_the_picture_of_a_classifier_opens(visit, tmp_path):
    shows(visit, written(tmp_path, "classify", "iris"), "150 points")


def test_without_webgl_the_page_says_so_and_still_draws(open_watched, wine, explorer):
    watched = open_watched("about:blank")
    watched.page.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
        "  return kind.includes('webgl') ? null : get.call(this, kind, ...more);"
        "};"
    )
    watched.page.goto(wine.as_uri())
    look = Looking(watched.page, explorer.scene)
    assert "WebGL" in look.root.locator(".ls-notice").text_content()
    assert len(np.unique(look.only_points().reshape(-1, 3), axis=0)) > 20


def test_a_damaged_page_says_so_in_words(visit, wine, tmp_path):
    html = wine.read_text(encoding="utf-8")
    start = html.index('type="application/gzip">') + 200
    broken = tmp_path / "broken.html"
    broken.write_text(html[:start] + html[start + 4000 :], encoding="utf-8")
    words = visit(broken.as_uri()).get_by_role("alert")
    words.wait_for()
    assert words.text_content().startswith("The map cannot be shown. The data in this")
