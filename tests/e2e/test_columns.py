"""A table with columns of categories, explored by its columns."""

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from tests.e2e.looking import Looking

from labelscape import explore
from labelscape.prototypes import GMLVQ

N = 60
COLOURS = np.array(["red", "green", "blue"])
RANDOM = np.random.RandomState(0)
KINDS = RANDOM.randint(0, 2, N)
FRAME = pd.DataFrame(
    {
        "colour": np.where(RANDOM.rand(N) < 0.7, COLOURS[KINDS], "blue"),
        "leaf": np.where(RANDOM.rand(N) < 0.8, KINDS, 1 - KINDS).astype(str),
        "site": RANDOM.choice(["north", "east", "south", "west"], N),
        "link": [f"https://trees.example/{i}" for i in range(N)],
    }
)
WORDS = ["colour", "leaf", "site"]


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    y = np.array(["oak", "elm"])[KINDS]
    view = explore(GMLVQ(random_state=0), FRAME, y, random_state=0).fit()
    return view.to_html(tmp_path_factory.mktemp("columns") / "trees.html")


@pytest.fixture
def look(visit, trees):
    return Looking(visit(trees.as_uri()), None)


def search(look, question):
    box = look.root.locator(".ls-search")
    box.fill(question)
    box.press("Enter")


def test_points_are_found_and_coloured_by_column(look):
    search(look, "colour = red")
    n = int((FRAME["colour"] == "red").sum())
    expect(look.root.locator(".ls-tally")).to_have_text(f"{n} selected")
    apart = look.root.locator("[data-feature=colour] .ls-meaning")
    expect(apart).to_contain_text("red: 100% here, 0% in the others")
    look.root.get_by_role("button", name="Color", exact=True).click()
    look.root.locator("[role=option][data-value='column:site']").click()
    rows = look.root.locator(".ls-categories [data-category]")
    expect(rows).to_have_count(4)
    expect(rows.first.locator(".ls-class-name")).to_have_text("east")
    search(look, "site = moon")
    expect(look.root.locator(".ls-answer")).to_contain_text("“site” is never “moon”")


def test_an_object_is_told_by_its_columns(look):
    look.root.locator("[data-level=object]").click()
    search(look, "site != north and colour = green")
    look.root.get_by_role("tab", name="Point").click()
    point = int(look.root.locator("h2.ls-id").get_attribute("data-object"))
    bars = look.root.locator("[aria-label='Contributions of features'] > g")
    names = bars.evaluate_all("all => all.map(g => g.dataset.feature)")
    assert sorted(names) == [f"{name} = {FRAME[name][point]}" for name in WORDS]
    look.root.locator("summary[data-key=values]").click()
    colour = look.root.locator("[data-column=colour]")
    expect(colour).to_have_text("green")
    link = look.root.locator("[data-column=link] a")
    expect(link).to_have_attribute("href", FRAME["link"][point])
    expect(link).to_have_attribute("rel", "noopener noreferrer")


def test_relevances_are_those_of_columns_and_open_to_categories(look):
    look.root.get_by_role("tab", name="Prototypes").click()
    chart = look.root.locator("[aria-label='Relevance of columns']")
    expect(chart.locator("> g")).to_have_count(3)
    chart.locator("[data-key='open:colour']").click()
    expect(chart.locator("> g")).to_have_count(6)
    parts = chart.locator("> g.ls-bar-part-of")
    sums = parts.locator("rect").evaluate_all("all => all.map(r => +r.dataset.value)")
    whole = chart.locator("> g[data-feature=colour] rect").get_attribute("data-value")
    assert sum(sums) == pytest.approx(float(whole))


def test_rows_are_sorted_and_filtered_in_the_table(look):
    look.root.get_by_role("tab", name="Table").click()
    grid = look.root.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", str(N + 1))
    grid.get_by_role("button", name="site").click()
    rows = grid.locator("[data-point]")
    expect(rows.first).to_contain_text("east")
    search(look, "not (colour = red or site = east)")
    chosen = (FRAME["colour"] != "red") & (FRAME["site"] != "east")
    expect(grid).to_have_attribute("aria-rowcount", str(chosen.sum() + 1))
    expect(rows.first).to_contain_text("north")
    rows.first.click()
    expect(look.root.get_by_role("tab", name="Point")).to_have_attribute(
        "aria-selected", "true"
    )


def test_bars_of_two_histograms_choose_together(look):
    look.root.get_by_role("tab", name="Table").click()
    for column in ("colour", "site"):
        look.root.get_by_role("button", name="Histograms").click()
        look.root.get_by_role("option", name=column, exact=True).click()
    for column, word in (("colour", "blue"), ("site", "north")):
        bars = look.root.locator(f"figure[data-column={column}]")
        bars.get_by_role("button", name=word).click()
    n = int(((FRAME["colour"] == "blue") & (FRAME["site"] == "north")).sum())
    expect(look.root.locator(".ls-tally")).to_have_text(f"{n} selected")
    expect(look.root.get_by_role("grid")).to_have_attribute("aria-rowcount", str(n + 1))
