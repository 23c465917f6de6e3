"""Actions of a user in the view, for tests."""

from io import BytesIO

import numpy as np
from PIL import Image

from labelscape.plotting._theme import COLORS, rgb

# As `camera.ts` fits a map into its stage.
MARGIN = 28


class Looking:
    """A view in a browser, and the scene that it shows."""

    def __init__(self, page, scene):
        self.page, self.scene = page, scene
        self.root = page.locator(".ls-root").last
        self.stage = self.root.locator(".ls-data")
        self.root.wait_for()
        page.wait_for_function(
            "() => document.querySelector('.ls-data canvas')?.width > 300"
        )

    def places(self):
        """Return the positions of the points in pixels of the stage."""
        Z = self.scene.maps[0].positions.astype(float)
        box = self.stage.bounding_box()
        size = np.array([box["width"], box["height"]])
        low, high = Z.min(axis=0), Z.max(axis=0)
        scale = ((size - 2 * MARGIN) / (high - low)).min()
        flipped = (Z - (low + high) / 2) * [1, -1]
        return size / 2 + flipped * scale

    def on_page(self, place):
        """Return a position on the stage in pixels of the page."""
        box = self.stage.bounding_box()
        return float(box["x"] + place[0]), float(box["y"] + place[1])

    def hover(self, place):
        """Move the pointer to a position, and return the tooltip."""
        x, y = self.on_page(place)
        self.page.mouse.move(x - 30, y - 30)
        self.page.mouse.move(x, y)
        return self.root.locator(".ls-tooltip:visible")

    def drag(self, places):
        """Drag the pointer along positions on the stage."""
        self.page.mouse.move(*self.on_page(places[0]))
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*self.on_page(place), steps=2)
        self.page.mouse.up()

    def lasso(self, places):
        """Select the points inside a polygon."""
        self.root.locator("[data-tool=lasso]").click()
        self.drag([*places, places[0]])

    def only_points(self):
        """Return the colors of the stage with the points only."""
        others = ".ls-regions, .ls-marks, .ls-prototypes, .ls-tooltip"
        style = self.page.add_style_tag(
            content=f"{others} {{ visibility: hidden !important }}"
        )
        self.page.mouse.move(2, 2)
        pixels = self.pixels()
        style.evaluate("element => element.remove()")
        return pixels

    def pixels(self):
        """Return the colors of the stage (height, width, 3), from 0 to 1."""
        image = Image.open(BytesIO(self.stage.screenshot())).convert("RGB")
        return np.asarray(image) / 255.0

    def chosen_ids(self):
        """Return the ids in the table of selected points."""
        self.root.get_by_role("tab", name="Selection").click()
        rows = self.root.get_by_role("tabpanel").locator("tbody [data-object]")
        return rows.all_text_contents()


def isolated(places, radius=10):
    """Return which points have no other point near them."""
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    return np.flatnonzero((distances < radius).sum(axis=1) == 1)


def colors_at(pixels, places):
    """Return the color in the middle of each point."""
    columns, rows = np.rint(places).astype(int).T
    return pixels[rows, columns]


def nearest_class(colors, n_classes):
    """Return the class with the nearest color; -1 for white and gray."""
    palette = np.array([rgb(color) for color in COLORS[:n_classes]])
    distances = np.linalg.norm(colors[:, None] - palette[None], axis=2)
    is_gray = np.ptp(colors, axis=1) < 0.08
    return np.where(is_gray, -1, distances.argmin(axis=1))
