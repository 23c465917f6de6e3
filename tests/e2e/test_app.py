"""The local app with a real server and a real browser, from file to map."""

import subprocess
import sys

import pandas as pd
import pytest
from playwright.sync_api import expect
from tests.hosts.app.serving import Server, table, until

import labelscape
from labelscape.datasets import load
from labelscape.hosts.app.workspace import Workspace
from labelscape.prototypes import GMLVQ

SCRIPT = "<img src=x onerror=\"document.title='caught'\">"

# The first table waits for the process that reads it to start: 19 s were seen on a busy
# machine, and 0.1 s for the next one.
READING = 600_000

# What the focus is on, in words, and whether a ring shows it: on the control itself, or
# on the card or zone that stands for it.
FOCUSED = """() => {
  const el = document.activeElement;
  if (el === document.body) {
    return "";  // nothing has the focus; its text would be that of the whole page
  }
  return el.ariaLabel || el.labels?.[0]?.textContent || el.textContent;
}"""
RINGED = """() => {
  const el = document.activeElement;
  return [el, el.parentElement].some(
    (one) => getComputedStyle(one).outlineStyle === "solid");
}"""


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The app with its own workspace."""
    server = Server(tmp_path_factory.mktemp("app") / "space", "--workers", "2")
    yield server
    if server.process.poll() is None:
        server.stop()


@pytest.fixture
def page(visit, app):
    """The first page of the app; errors in the browser are failures."""
    page = visit(app.link)
    page.get_by_role("heading", name="A map of your data").wait_for()
    return page


def test_the_page_in_the_workspace_leads_a_browser_to_the_app(browser, app, tmp_path):
    workspace = Workspace(tmp_path)
    door = workspace.door(app.link)
    page = browser.new_page()
    page.goto(door.as_uri())
    page.get_by_role("heading", name="A map of your data").wait_for()
    assert page.url == f"{app.address}/"
    page.close()
    workspace.close()


@pytest.fixture(scope="module")
def two_maps(app):
    """Two finished runs of one table."""
    embedded = app.http.post("/api/datasets", json={"name": "iris"}).json()
    wish = {"reading": {"label": None, "id": None}}
    ids = [
        app.client.started(embedded["id"], method, name=name, **wish)
        for method, name in [("liram", "one map"), ("pca", "another map")]
    ]
    for key in ids:
        assert app.client.ended(key)["state"] == "finished"
    return ids


def trees_with_gaps():
    """Return a table as CSV, with missing values."""
    lines = table().splitlines()
    for row, column in [(3, 1), (10, 2), (17, 2)]:
        cells = lines[row].split(",")
        cells[column] = ""
        lines[row] = ",".join(cells)
    return "\n".join(lines)


def take(page, name):
    """Open a data set of Labelscape."""
    page.locator(".ls-app-set").filter(has_text=name).first.click()
    page.get_by_role("button", name="Start").wait_for(timeout=READING)


def load_file(page, path):
    page.locator(".ls-app-drop input").set_input_files(path)
    page.get_by_role("button", name="Start").wait_for(timeout=READING)


def pick(page, method):
    """Choose the card of a method, in any group."""
    card = page.locator(f"[data-method={method}]")
    if not card.is_visible():
        page.locator("details").filter(has=card).locator("summary").first.click()
    card.click()


def start(page, method, honesty=False):
    """Choose a method, start it, and wait for the page of the run."""
    pick(page, method)
    box = page.get_by_label("Test whether the separation")
    if box.count():
        box.set_checked(honesty)
    page.get_by_label("Check labels").set_checked(honesty)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/#/run/*")


def open_run(page, key):
    page.evaluate("key => { location.hash = `#/run/${key}` }", key)


def finished(page):
    """Wait until a run has finished, and its map is drawn."""
    status = page.locator(".ls-app-status[data-state=finished]")
    status.wait_for(timeout=READING)
    page.locator(".ls-data canvas").first.wait_for()
    return status


def more(page, words):
    """Open a list of actions."""
    page.locator(".ls-app-menu summary").filter(has_text=words).click()


def saved(page, words, folder):
    more(page, "Save")
    with page.expect_download() as coming:
        page.get_by_role("link", name=words, exact=True).click()
    path = folder / coming.value.suggested_filename
    coming.value.save_as(path)
    return path


def test_from_a_file_with_gaps_to_a_map_that_its_code_repeats(page, visit, tmp_path):
    (tmp_path / "trees.csv").write_text(trees_with_gaps(), encoding="utf-8")
    load_file(page, tmp_path / "trees.csv")
    expect(page.get_by_text("3 values are missing in 2 columns")).to_be_visible()
    label = page.get_by_label("Classes are in")
    assert label.locator("option:checked").text_content() == "kind"
    assert "3 classes" in page.locator(".ls-app-preview").text_content()

    start(page, "liram", honesty=True)
    assert "Trustworthiness" in finished(page).text_content()
    assert page.title() == "trees: LiRaM LVQ – Labelscape"
    expect(page.locator(".ls-lights-bar [data-light]")).to_have_count(3)
    expect(page.locator(".ls-lights-bar")).to_contain_text("of held-out rows")
    expect(page.get_by_role("tabpanel", name="Summary")).to_contain_text("Table")

    page.get_by_label("Search by id or value").fill("t7")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Selection").click()
    page.locator("[role=tabpanel] [data-object]").first.click()
    page.locator(".ls-stage[data-level=object]").wait_for()
    page.get_by_role("tab", name="Point").click()
    expect(page.get_by_role("tabpanel", name="Point")).to_contain_text("t7")

    exported = saved(page, "Page", tmp_path)
    visit(exported.as_uri()).locator(".ls-data canvas").first.wait_for()

    positions = saved(page, "Positions", tmp_path)
    assert positions.name == "trees-LiRaM-LVQ-positions.csv"
    model = labelscape.load(saved(page, "Model", tmp_path))
    assert model.classes_.tolist() == ["ash", "fir", "oak"]
    code = saved(page, "Python code", tmp_path)
    subprocess.run([sys.executable, code], cwd=tmp_path, check=True)
    repeated = tmp_path / "positions-repeated.csv"
    assert repeated.read_bytes() == positions.read_bytes()


def test_a_map_is_watched_while_it_forms_also_after_a_reload_until_cancelled(page):
    take(page, "digits")
    pick(page, "sammon")
    page.get_by_text("Parameters (").click()
    page.get_by_label("max iter").fill("20000")
    page.get_by_label("tol").fill("0")  # long enough for any machine
    start(page, "sammon")

    def watched():
        page.locator(".ls-app-stage canvas").first.wait_for(timeout=READING)
        page.locator(".ls-app-curve svg").wait_for()
        expect(page.locator(".ls-app-steps li").first).to_contain_text("Read the table")
        doing = page.locator(".ls-app-steps [aria-current]").text_content()
        assert doing.startswith("Fit the map: iteration ")
        assert doing.endswith(" s")
        return int(doing.split()[4].rstrip(","))

    before = watched()
    page.reload()
    assert watched() > before > 0
    page.get_by_role("button", name="Cancel").click()
    page.locator(".ls-app-status[data-state=cancelled]").wait_for()
    assert page.locator(".ls-root").count() == 0
    status = page.locator(".ls-app-status").text_content()
    assert status.startswith("cancelled after ")
    assert not status.startswith("cancelled after 0 s")


def test_lights_are_shown_once_and_the_view_ends_above_the_fold(visit, app):
    wine = app.http.post("/api/datasets", json={"name": "wine"}).json()["id"]
    wish = {"reading": {"label": None, "id": None}, "honesty": True}
    key = app.client.started(wine, "liram", **wish)
    app.client.ended(key)
    page = visit(app.link, viewport={"width": 1280, "height": 800})
    page.get_by_role("heading", name="A map of your data").wait_for()
    open_run(page, key)
    finished(page)
    lights = page.locator(".ls-lights-bar").get_by_text("really separated?")
    expect(lights.locator("visible=true")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollHeight") <= 800

    page.get_by_role("link", name="Labelscape").click()
    row = page.get_by_role("row").filter(has=page.locator(f"[href='#/run/{key}']"))
    expect(row.locator("[data-light]")).to_have_count(3)
    expect(row.locator("[data-light=good]").first).to_contain_text("of held-out rows")


def test_a_run_that_was_not_judged_says_so_in_the_list(visit, app):
    app.client.ended(app.client.started(app.client.added(), honesty=False))
    page = visit(app.link)
    lights = page.locator(".ls-app-runs tbody tr").first.locator("[data-light]")
    expect(lights.first).to_contain_text("Not tested")
    assert lights.first.get_attribute("data-light") == "none"


def test_a_run_is_renamed_and_deleted(page, app):
    key = app.client.started(app.client.added(name="<b>.csv"), name="before")
    app.client.ended(key)
    open_run(page, key)
    finished(page)
    more(page, "More")
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Name of this run").fill("a <b>better</b> name")
    page.get_by_role("button", name="Save name").click()
    title = page.locator(".ls-app-naming h1")
    expect(title).to_have_text("a <b>better</b> name")
    assert app.client.get(f"/runs/{key}")["name"] == "a <b>better</b> name"

    page.get_by_role("link", name="Labelscape").click()
    link = page.get_by_role("link", name="a <b>better</b> name")
    link.wait_for()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete a <b>better</b> name").click()
    link.wait_for(state="detached")
    assert app.http.get(f"/api/runs/{key}").status_code == 404


def test_rows_chosen_in_one_map_are_chosen_in_the_other(page, two_maps):
    for name in ("one map", "another map"):
        page.get_by_label(f"Compare {name}").check()
    page.get_by_role("button", name="Compare", exact=True).click()
    maps = page.locator(".ls-small")
    expect(maps).to_have_count(2)
    expect(page.locator(".ls-toolbar")).to_have_count(1)
    maps.nth(1).locator("canvas").wait_for()
    top = maps.first.bounding_box()["y"]
    assert top == maps.nth(1).bounding_box()["y"] < 300
    page.get_by_label("Search by id or value").fill("class = setosa")
    page.keyboard.press("Enter")
    expect(page.locator(".ls-tally")).to_have_text("50 selected")
    figures = page.get_by_role("region", name="All maps in numbers")
    expect(figures.get_by_role("row").nth(1)).to_contain_text("LiRaM LVQ")
    page.get_by_role("button", name="Switch to dark mode").click()
    page.locator(".ls-app[data-theme=dark]").wait_for()
    figures.get_by_role("button", name="another map").click()
    page.locator(".ls-data canvas").first.wait_for()
    expect(maps).to_have_count(0)


def relabel(page, label):
    page.locator("[data-key=relabel]").locator("visible=true").select_option(label)


def test_any_point_is_relabelled_and_decisions_survive_a_reload(page, app):
    key = app.client.started(app.client.added())
    app.client.ended(key)
    open_run(page, key)
    finished(page)
    page.get_by_label("Search by id or value").fill("class = oak")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Selection").click()
    relabel(page, "ash")
    expect(page.get_by_role("button", name="20 labels reviewed")).to_be_visible()
    page.get_by_label("Search by id or value").fill("t7")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Point").click()
    relabel(page, "oak")
    expect(page.get_by_role("button", name="21 labels reviewed")).to_be_visible()
    path = f"/runs/{key}/decisions"
    until(lambda: len(app.client.get(path)["decisions"]) == 21)

    page.reload()
    finished(page)
    expect(page.get_by_text("21 labels reviewed")).to_be_visible()
    page.locator(".ls-data").focus()
    page.keyboard.press("u")
    until(lambda: len(app.client.get(path)["decisions"]) == 20)
    assert [7, "oak"] not in app.client.get(path)["decisions"]


def test_what_a_finding_proposes_is_done_by_a_button(page, app):
    lines = [
        f"{line},{'lab' if i == 0 else 1}"
        for i, line in enumerate(table().splitlines())
    ]
    odd = app.client.added("\n".join(lines), "odd.csv")
    key = app.client.started(odd, audit=True)
    app.client.ended(key)
    open_run(page, key)
    finished(page)
    page.get_by_role("button", name="Leave out").click()
    page.wait_for_function(f"!location.hash.endsWith('{key}')")
    finished(page)
    again = app.client.get(f"/runs/{page.url.rpartition('/')[2]}")
    assert again["settings"]["reading"]["drop"] == ["lab"]
    assert again["name"] == "odd: Linear discriminant 2"
    expect(page.get_by_role("button", name="Leave out")).to_have_count(0)


def test_a_map_is_fitted_again_to_labels_that_were_decided_on(page, app):
    wine = load("wine")
    frame = pd.DataFrame(wine.X, columns=wine.feature_names).assign(kind=wine.y)
    frame.loc[[5, 80, 140], "kind"] = ["class_1", "class_2", "class_0"]
    wines = app.client.added(frame.to_csv(index=False), "wines.csv")
    key = app.client.started(wines, "lfda", audit=True, reading={"id": None})
    app.client.ended(key)
    open_run(page, key)
    finished(page)
    page.locator("[data-line=suspects]").focus()
    for one in "nr":
        page.keyboard.press(one)
    page.get_by_role("button", name="Fit again").click()
    title = page.locator(".ls-app-naming h1")
    expect(title).to_have_text("wines: Local Fisher discriminant, 1 label reviewed")
    finished(page)
    expect(page.locator("[data-line=suspects]")).to_be_visible()


def test_a_saved_model_is_pictured(page, tmp_path):
    wine = load("wine")
    model = GMLVQ(random_state=0).fit(wine.X, wine.y)
    labelscape.save(model, tmp_path / "wine.labelscape")
    take(page, "wine")
    pick(page, "model")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_have_text("Choose the model file first.")
    page.get_by_label("Model file", exact=True).set_input_files(
        tmp_path / "wine.labelscape"
    )
    expect(page.locator(".ls-app-model")).to_contain_text("GMLVQ with 13 features")
    page.get_by_role("button", name="Start").click()
    assert "GMLVQ" in finished(page).text_content()
    page.get_by_role("link", name="Another run").click()
    expect(page.locator(".ls-app-model")).to_contain_text("GMLVQ with 13 features")


def test_new_rows_are_placed_on_a_map_and_chosen_by_what_is_said_of_them(
    page, app, tmp_path
):
    iris = app.http.post("/api/datasets", json={"name": "iris"}).json()["id"]
    wish = {"reading": {"label": None, "id": None}, "name": "old flowers"}
    key = app.client.started(iris, "lfda", **wish)
    assert app.client.ended(key)["state"] == "finished"
    data = load("iris")
    new = tmp_path / "grown.csv"
    rows = data.X[::5].copy()
    rows[:, 2] += 9.0
    lines = [",".join(data.feature_names), *(",".join(map(str, x)) for x in rows)]
    new.write_text("\n".join(lines))

    open_run(page, key)
    page.get_by_role("button", name="Place new rows").click()
    page.locator(".ls-app-placing .ls-app-drop input").set_input_files(new)
    heading = page.get_by_role("heading", name="grown.csv on old flowers").first
    heading.wait_for(timeout=READING)
    finished(page)
    expect(page.get_by_role("heading", name="New rows: grown.csv")).to_be_visible()
    page.get_by_role("button", name="30 of 30 new rows look unlike").click()
    expect(page.locator(".ls-tally").first).to_have_text("30 selected")
    page.get_by_role("button", name="Shifted: petal length").click()
    page.get_by_role("link", name="The map").click()
    page.wait_for_url(f"**/#/run/{key}")


def test_the_whole_path_goes_by_keyboard_alone(page):
    def tab_to(words):
        """Press Tab until an element with this text has a visible focus."""
        for _ in range(80):
            page.keyboard.press("Tab")
            if words in page.evaluate(FOCUSED):
                break
        else:
            pytest.fail(f"Tab does not lead to {words!r}.")
        assert page.evaluate(RINGED), f"Nobody sees that {words!r} has the focus."

    tab_to("iris")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Start").wait_for()
    tab_to("The best for these data")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    assert page.locator("[data-method=pca] input").is_checked()
    tab_to("More methods")
    page.keyboard.press("Enter")
    expect(page.locator("[data-method=lfda]")).to_be_visible()
    tab_to("Test whether the separation")
    page.keyboard.press("Space")
    tab_to("Start")
    page.keyboard.press("Enter")
    finished(page)
    tab_to("More")
    page.keyboard.press("Enter")
    tab_to("Rename")
    page.keyboard.press("Enter")
    page.keyboard.type("by keyboard")
    page.keyboard.press("Enter")
    expect(page.locator(".ls-app-naming h1")).to_have_text("by keyboard")


def test_markup_in_names_and_classes_is_shown_as_text(page, tmp_path):
    quoted = SCRIPT.replace('"', '""')
    rows = [f'"{quoted}",other,kind']
    kinds = ("<i>x</i>", "<u>y</u>")
    rows += [f"{i % 7},{i % 3 + i / 50},{kinds[i % 2]}" for i in range(40)]
    (tmp_path / "markup.csv").write_text("\n".join(rows), encoding="utf-8")
    load_file(page, tmp_path / "markup.csv")
    expect(page.locator(".ls-app-columns")).to_contain_text(SCRIPT)
    expect(page.locator(".ls-app-preview")).to_contain_text("<u>y</u>")
    start(page, "pca")
    finished(page)
    expect(page.locator(".ls-legend")).to_contain_text("<u>y</u>")
    assert page.locator("img, u").count() == 0
    assert "caught" not in page.title()


def test_a_fit_that_fails_says_why(page):
    take(page, "iris")
    pick(page, "lda")
    page.get_by_text("Parameters (").click()
    page.get_by_label("shrinkage").fill("0.5")  # a good value, but not for its solver
    page.get_by_role("button", name="Start").click()
    failed = page.locator(".ls-app-status[data-state=failed]")
    failed.wait_for(timeout=READING)
    assert "shrinkage not supported" in failed.text_content()
    page.get_by_role("link", name="Another run").click()
    page.get_by_role("button", name="Start").wait_for()
    assert page.locator("[data-method=lda] input").is_checked()
    expect(page.get_by_label("shrinkage")).to_have_value("0.5")  # to be mended


def test_a_typing_error_is_told_before_the_start(open_watched, app):
    page = open_watched(app.link).page  # a refusal is on the console, too
    take(page, "iris")
    pick(page, "tsne")
    page.get_by_text("Parameters (").click()
    page.get_by_label("perplexity").fill("abc")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "perplexity must be 'auto', or a number"
    )
    expect(page.get_by_label("perplexity")).to_be_focused()


def test_a_spreadsheet_with_commas_and_dashes_is_read(page, tmp_path):
    rows = [line.replace(",", ";").replace(".", ",") for line in table().splitlines()]
    cells = rows[5].split(";")
    rows[5] = ";".join([cells[0], "-", *cells[2:]])
    (tmp_path / "sheet.csv").write_text("\n".join(rows))
    load_file(page, tmp_path / "sheet.csv")
    expect(page.get_by_label("Decimal sign")).to_have_value(",")
    expect(page.locator(".ls-app-problem")).to_contain_text("contains '-' in line 6")
    page.get_by_label("What age is used for").select_option("drop")
    pick(page, "pca")
    page.get_by_role("button", name="as missing").click()
    expect(page.get_by_text("1 value is missing in 1 column")).to_be_visible()
    expect(page.locator(".ls-app-problem")).to_have_count(0)
    expect(page.get_by_label("What age is used for")).to_have_value("drop")
    start(page, "pca")
    finished(page)
    page.go_back()
    page.get_by_role("button", name="Start").wait_for()
    assert page.locator("[data-method=pca] input").is_checked()
    expect(page.get_by_label("What age is used for")).to_have_value("drop")
    assert not page.get_by_label("Test whether the separation").is_checked()


def test_a_file_that_is_no_table_is_refused_where_it_was_dropped(open_watched, app):
    page = open_watched(app.link).page  # a refusal is on the console, too
    wrong = {"name": "no.parquet", "mimeType": "", "buffer": b"this is no table"}
    page.locator(".ls-app-drop input").set_input_files(wrong)
    words = page.locator(".ls-app-drop + [role=alert]")
    words.wait_for()
    assert "parquet" in words.text_content().lower()


def test_without_a_guess_the_classes_are_asked_for(page, tmp_path):
    rows = [f"{i**1.5:.4f},{i * i / 9:.4f},{i % 4}" for i in range(40)]
    (tmp_path / "numbers.csv").write_text("\n".join(["a,b,c", *rows]))
    load_file(page, tmp_path / "numbers.csv")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_contain_text("choose the column")
    label = page.get_by_label("Classes are in")
    expect(label).to_be_focused()
    label.select_option("c")
    expect(page.get_by_label("What c is used for")).to_have_value("label")
    expect(page.locator(".ls-app-plan")).to_contain_text("2 columns as features")
    start(page, "lda")
    finished(page)


def test_nothing_is_wider_than_a_phone(visit, app, two_maps):
    page = visit(app.link, viewport={"width": 390, "height": 844})
    page.get_by_role("link", name="one map").wait_for()
    iris = app.client.get(f"/runs/{two_maps[0]}")["table"]
    for place, there in [
        ("", ".ls-app-runs a"),
        (f"table/{iris}", ".ls-app-start"),
        (f"run/{two_maps[0]}", ".ls-data canvas"),
        (f"compare/{','.join(two_maps)}", ".ls-small + .ls-small canvas"),
    ]:
        page.evaluate("place => { location.hash = `#/${place}` }", place)
        page.locator(there).first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, place


def test_runs_are_there_when_the_app_is_started_again_with_a_table(visit, tmp_path):
    first = Server(tmp_path / "space")
    trees = first.client.added()
    ready = first.client.started(trees, "pca", name="one map")
    assert first.client.ended(ready)["state"] == "finished"
    first.client.slow(trees, name="cut short")
    first.kill()
    again = Server(tmp_path / "space", "wine")
    try:
        page = visit(again.link)
        page.get_by_role("heading", name="wine").wait_for()
        page.get_by_role("link", name="Labelscape").click()
        row = page.get_by_role("row").filter(has_text="cut short")
        row.wait_for()
        assert "interrupted" in row.text_content()
        page.get_by_role("link", name="one map").click()
        finished(page)
    finally:
        again.stop()
