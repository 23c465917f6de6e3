"""Saved pictures contain every sentence to its end, in windows of any width."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from labelscape import explore
from labelscape.datasets import load
from labelscape.embeddings import LFDA
from labelscape.hosts.notebook.explorer import Explorer, ShownScene
from labelscape.quality import Light
from labelscape.scene.scene import ComparisonTable, Honesty

WIDTHS = (800, 1280, 1600)
WORDS = "few rows lie between setosa and versicolor and 14 other pairs overlap "
FIGURES = {
    "none": "",
    "short": "98% of held-out rows (chance 33%).",
    "one line": "98% of held-out rows get the right class, 97% in the data with a "
    "linear model of all features",
    "two lines": 2 * WORDS,
    "page": 40 * WORDS,
    "one word": 300 * "W",
    "no spaces": 80 * "少ない行しかない",
}
# Boxes of all texts: their ends and that of the drawing, and whether any lie outside.
ENDS = """() => {
    const page = document.querySelector("svg").getBoundingClientRect();
    return [...document.querySelectorAll("text")].map((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return [text.textContent, left - page.left, page.right - right,
                top - page.top, page.bottom - bottom];
    });
}"""


def view_of(figure):
    """Return a view whose verdict, title and notes have this length."""
    iris = load("iris")
    names = {name: name.upper() + 30 * "W" for name in np.unique(iris.y)}
    y = np.array([names[name] for name in iris.y])
    view = explore(LFDA().fit(iris.X, y), iris.X, y, honesty=False, quality=False)
    lights = tuple(
        Light(question, state, "Partly", figure)
        for question, state in (
            ("Are the classes really separated?", "good"),
            ("Does the map show all of the separation?", "fair"),
            ("Is there a gap between the classes?", "bad"),
        )
    )
    honest = Honesty("", real="yes", kept="all", lights=lights, notes=(figure,))
    first = view.scene.maps[0]
    maps = (replace(first, honesty=honest),)
    scene = replace(view.scene, maps=maps, title=f"Iris {figure}", subtitle=figure)
    return Explorer(ShownScene(scene, None))


def saved(page, kind, path):
    """Save the picture that a page shows."""
    with page.expect_download() as coming:
        page.get_by_role("button", name=f"Save as {kind}").click()
    coming.value.save_as(path)
    return path


def texts_saved(visit, page, folder, name):
    """Save both pictures of a page; return the texts, and check that none is cut."""
    drawing = saved(page, "SVG", folder / f"{name}.svg")
    picture = saved(page, "PNG", folder / f"{name}.png")
    texts = visit(drawing.as_uri()).evaluate(ENDS)
    assert [text for text in texts if min(text[1:]) < 0] == []
    pixels = np.asarray(Image.open(picture).convert("RGB"))
    edges = (pixels[:, :8], pixels[:, -8:], pixels[:8], pixels[-8:])
    assert all((edge == pixels[0, 0]).all() for edge in edges)
    return [text for text, *_ in texts]


@pytest.mark.slow
@pytest.mark.parametrize("length", FIGURES)
def test_no_sentence_of_a_saved_picture_is_cut(visit, tmp_path, length):
    figure = FIGURES[length]
    path = view_of(figure).to_html(tmp_path / "page.html")
    for width in WIDTHS:
        page = visit(path.as_uri(), viewport={"width": width, "height": 800})
        page.locator(".ls-root").wait_for()
        texts = texts_saved(visit, page, tmp_path, width)
        words = "".join(texts).replace(" ", "")
        # Title, subtitle, three lights and a note.
        assert words.count(figure.replace(" ", "")) >= 6 * bool(figure)


@pytest.mark.slow
def test_no_sentence_of_maps_side_by_side_is_cut(visit, tmp_path):
    iris = load("iris")
    maps = {f"{k} {WORDS}": iris.X[:, k : k + 2] for k in range(3)}
    table = ComparisonTable(("map",), tuple((one,) for one in ("LFDA", *maps)), ())
    view = explore(
        LFDA().fit(iris.X, iris.y),
        iris.X,
        iris.y,
        maps=maps,
        comparison=table,
        quality=False,
    )
    path = view.to_html(tmp_path / "page.html")
    for width in WIDTHS:
        page = visit(path.as_uri(), viewport={"width": width, "height": 800})
        page.locator(".ls-small-plot canvas").last.wait_for()
        texts = texts_saved(visit, page, tmp_path, width)
        assert set(maps) <= {text.strip() + " " for text in texts}
        assert not any("enlarged" in text for text in texts)  # said of one map
