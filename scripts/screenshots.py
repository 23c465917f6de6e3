"""Take screenshots of the view for the guide, for ``make screenshots``.

The pictures are written to docs/images/view/. They show data sets of the library, with
fixed random seeds. They have at most 256 colors, to keep the repository small.
"""

import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from playwright.sync_api import sync_playwright
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from labelscape import audit, datasets, explore, quality
from labelscape.boundary import ClassifierMap
from labelscape.embeddings import LFDA, FisherKernelTSNE
from labelscape.prototypes import LiRaMLVQ

FOLDER = Path(__file__).parents[1] / "docs" / "images" / "view"
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SIZE = {"width": 1100, "height": 660}
# Maximum size of a picture, and of all pictures, in bytes.
LARGEST, MOST = 75_000, 600_000
# Names of forty kinds of trees.
GENERA = ("Acer", "Alnus", "Betula", "Carpinus", "Castanea")
GENERA += ("Corylus", "Fagus", "Fraxinus", "Juglans", "Larix")
SPECIES = ("alba", "montana", "nigra", "rubra")


def wine():
    """Return a view of the wines: a model with its map, certificate and audit."""
    data = datasets.load("wine")
    model = make_pipeline(StandardScaler(), LiRaMLVQ(random_state=0))
    found = quality.honesty(model, data.X, data.y, random_state=0)
    return explore(
        model.fit(data.X, data.y),
        data.X,
        data.y,
        feature_names=data.feature_names,
        title="Wine of three cultivars",
        honesty=found,
        audit=audited(data.X, data.y),
        random_state=0,
    )


def audited(X, y):
    """Return the audit of the wines, with feature names."""
    names = datasets.load("wine").feature_names
    return audit(pd.DataFrame(X, columns=names), y, random_state=0)


def suspects():
    """Return a view of the wines with six wrong labels, which the audit lists."""
    data = datasets.load("wine")
    X, y = StandardScaler().fit_transform(data.X), data.y.copy()
    y[[5, 80, 81]], y[[100, 140, 150]] = "class_2", "class_0"
    return explore(
        LFDA().fit(X, y),
        X,
        y,
        feature_names=data.feature_names,
        title="Wine with six wrong labels",
        honesty=quality.honesty(LFDA(), X, y, random_state=0),
        audit=audited(X, y),
        random_state=0,
    )


def forty():
    """Return a view of forty classes, some of which overlap."""
    rng = np.random.default_rng(3)
    names = [f"{genus} {species}" for genus in GENERA for species in SPECIES]
    y = np.repeat(np.arange(40), 90)
    genera = rng.normal(size=(10, 12)) * 5
    middles = np.repeat(genera, 4, axis=0) + rng.normal(size=(40, 12)) * 2.2
    X = middles[y] + rng.normal(size=(len(y), 12))
    y = np.array(names)[y]
    return explore(
        LFDA(2).fit(X, y), X, y, title="Leaves of forty trees", quality=False
    )


def digits():
    """Return a view of a support vector machine that classifies digits."""
    data = datasets.load("digits")
    X, y = data.X[:1200] / 16, data.y[:1200]
    held_out = np.arange(len(y)) % 4 == 0
    svm = SVC().fit(X[~held_out], y[~held_out])
    picture = ClassifierMap(svm, FisherKernelTSNE(random_state=0), random_state=0)
    return explore(
        picture.fit(X[~held_out], y[~held_out]),
        X,
        y,
        held_out=held_out,
        feature_names=data.feature_names,
        thumbnails=(255 - 255 * X.reshape(-1, 8, 8)).astype(np.uint8),
        title="Digits, classified by a support vector machine",
        random_state=0,
    )


def solid():
    """Return a view of digits in three dimensions."""
    data = datasets.load("digits")
    X, y = data.X[:400], data.y[:400]
    places = PCA(3, random_state=0).fit(X)
    return explore(
        places, X, y, title="Digits in three dimensions", quality=False, random_state=0
    )


def tab(name):
    """Return a function that opens a tab of the side panel."""
    return lambda page: page.locator(f"[data-tab={name}]").click()


def level(name):
    """Return a function that opens a level of the view."""
    return lambda page: page.locator(f"button[data-level={name}]").click()


def compare(page):
    """Choose the prototypes of two classes at the level of classes."""
    level("classes")(page)
    for k in (0, 2):
        page.locator(f".ls-stage [data-prototype='{k}']").click()


def open_object(page):
    """Open a wine that lies between two classes."""
    find("121")(page)
    page.locator(".ls-center").wait_for()


def find(name):
    """Return a function that searches for a point and opens it."""

    def act(page):
        page.locator(".ls-search").fill(name)
        page.keyboard.press("Enter")
        page.locator(".ls-side [data-object]").first.click()

    return act


def go_home(page):
    """Show the whole map again, without a selection."""
    page.locator(".ls-search").fill("")
    page.locator(".ls-data").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("0")
    page.evaluate("document.activeElement.blur()")


def bend(page):
    """Show the map with a fisheye lens on a dense region."""
    page.get_by_role("button", name="Fisheye").click()
    page.wait_for_timeout(1000)
    box = page.locator(".ls-data").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 90, y + 10)
    page.mouse.down()
    page.mouse.move(x, y, steps=8)
    page.mouse.up()
    page.mouse.wheel(0, -250)


def turn(page):
    """Rotate a map in three dimensions until the classes are separated."""
    page.locator(".ls-data").focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    page.evaluate("document.activeElement.blur()")


def lasso(page):
    """Select points in the middle of the map with the lasso."""
    page.locator("[data-tool=lasso]").click()
    box = page.locator(".ls-data").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 90, y - 60)
    page.mouse.down()
    for dx, dy in ((90, -70), (100, 60), (-80, 70), (-90, -60)):
        page.mouse.move(x + dx, y + dy, steps=4)
    page.mouse.up()


# The view, the theme, and the actions before the screenshot.
PICTURES = {
    "data": (wine, "light", ()),
    "data_dark": (wine, "dark", (lasso,)),
    "classes": (wine, "light", (compare,)),
    "object": (wine, "light", (open_object,)),
    "quality": (wine, "light", (tab("quality"),)),
    "audit": (suspects, "light", ()),
    "forty_classes": (forty, "light", ()),
    "disc": (forty, "dark", (bend,)),
    "solid": (solid, "light", (turn,)),
    "classifier": (digits, "light", (find("1130"), go_home)),
}


def photographed(browser, path, theme, acts):
    """Return a screenshot of a page after some actions."""
    page = browser.new_page(viewport=SIZE, color_scheme=theme)
    page.goto(path.as_uri())
    page.locator(".ls-points").wait_for()
    page.wait_for_timeout(500)
    for act in acts:
        act(page)
    page.mouse.move(2, 2)
    page.wait_for_timeout(1000)  # until nothing moves
    picture = Image.open(BytesIO(page.screenshot()))
    page.close()
    return picture


def write(picture, path):
    """Write a picture with as many colors as the maximum size allows."""
    for n_colors in (256, 192, 128, 96, 64):
        few_colors(picture.convert("RGB"), n_colors).save(path, optimize=True)
        if path.stat().st_size <= LARGEST:
            return
    sys.exit(f"{path.name} has {path.stat().st_size:,} bytes, wanted {LARGEST:,}.")


def few_colors(picture, n):
    """Return a picture in n colors: the n / 2 most frequent colors, and means.

    Quantization by Pillow alone would change white, and the colors of small marks.
    """
    pixels = np.asarray(picture).reshape(-1, 3)
    colors, which, counts = np.unique(
        pixels, axis=0, return_inverse=True, return_counts=True
    )
    order = np.argsort(-counts, kind="stable")
    exact, rest = colors[order[: n // 2]], colors[order[n // 2 :]]
    palette = exact
    if len(rest):
        means = Image.fromarray(rest[None]).quantize(n - len(exact)).getpalette()
        palette = np.vstack([exact, np.array(means, dtype=np.uint8).reshape(-1, 3)])
    gaps = colors[:, None].astype(int) - palette[None]
    nearest = (gaps**2).sum(axis=2).argmin(axis=1).astype(np.uint8)
    found = Image.fromarray(nearest[which.ravel()].reshape(picture.size[::-1]), "P")
    found.putpalette(palette.ravel().tolist())
    return found


def chromium():
    """Return the path of the browser."""
    command = [Path(__file__).with_name("chromium"), "--find"]
    return subprocess.check_output(command, text=True).strip()


def main(names):
    """Write the pictures with these names, or all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        pages = {}
        for name in names or PICTURES:
            view, theme, acts = PICTURES[name]
            if view not in pages:
                pages[view] = view().to_html(Path(folder, f"{view.__name__}.html"))
            picture = photographed(browser, pages[view], theme, acts)
            write(picture, FOLDER / f"{name}.png")
            print(f"{name}.png {(FOLDER / f'{name}.png').stat().st_size:,} bytes")
        browser.close()
    total = sum(path.stat().st_size for path in FOLDER.glob("*.png"))
    if total > MOST:
        sys.exit(f"All pictures together have {total:,} bytes, wanted {MOST:,}.")


if __name__ == "__main__":
    main(sys.argv[1:])
