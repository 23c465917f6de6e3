"""Take screenshots of the local app for the guide, for ``make screenshots``.

The pictures are written to docs/images/app/, each in light and in dark colors. The app
runs in a temporary workspace and shows data sets of the library.
"""

import subprocess
import sys
import tempfile
import time
from io import BytesIO
from pathlib import Path

import httpx
from PIL import Image
from playwright.sync_api import sync_playwright
from screenshots import FLAGS, chromium, write

FOLDER = Path(__file__).parents[1] / "docs" / "images" / "app"
SIZE = {"width": 1100, "height": 740}


class App:
    """The app as a process, with the runs that the pictures show."""

    def __init__(self, folder):
        command = "from labelscape.cli.main import main; main()"
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                command,
                "serve",
                "--no-open",
                "--workspace",
                folder,
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        lines = iter(self.process.stdout.readline, "")
        self.link = next(line.strip() for line in lines if "http://" in line)
        address, token = self.link.split("/?token=")
        headers = {"authorization": f"Bearer {token}"}
        self._http = httpx.Client(
            base_url=f"{address}/api", headers=headers, timeout=60
        )

    def table(self, name):
        """Load a data set, and return its id."""
        return self._http.post("/datasets", json={"name": name}).json()["id"]

    def run(self, table, method, name, **more):
        """Start a run, and return its id."""
        wish = {"table": table, "method": method, "name": name, **more}
        return self._http.post("/runs", json=wish).json()["id"]

    def wait(self, run):
        """Wait until a run has ended."""
        while self._http.get(f"/runs/{run}").json()["state"] in ("queued", "running"):
            time.sleep(0.2)

    def cancel(self, run):
        """Stop a run."""
        self._http.post(f"/runs/{run}/cancel")

    def trees(self):
        """Load a table with gaps, and return its id."""
        rows = ["tree,height,girth,leaf,evergreen,kind"]
        for i in range(90):
            kind, leaf = (("oak", "broad"), ("fir", "needle"), ("elm", "broad"))[i % 3]
            height = "" if i % 11 == 4 else 12 + 4 * (i % 3) + i % 7 / 2
            girth = f"{1 + i % 5 / 3:.2f}"
            rows.append(f"tree {i},{height},{girth},{leaf},{kind == 'fir'},{kind}")
        answer = self._http.post(
            "/tables", params={"name": "trees.csv"}, content="\n".join(rows)
        )
        return answer.json()["id"]


def choose_a_class(page):
    """Choose the rows of one class in two maps."""
    page.locator(".ls-search").fill("class = class_1")
    page.keyboard.press("Enter")
    page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")


def pictures(app):
    """Yield name, address, selector of the loaded page, and action of each picture."""
    wine = app.table("wine")
    shown = app.run(wine, "liram", "wine: LiRaM LVQ")
    other = app.run(wine, "pca", "wine: Principal components")
    noise = app.run(app.table("noise"), "liram", "noise: LiRaM LVQ")
    # This run fails during the fit, because discriminants by SVD cannot shrink.
    shrunk = {"shrinkage": 0.5}
    wrong = app.run(wine, "lda", "wine: Linear discriminant", parameters=shrunk)
    for run in (shown, other, noise, wrong):
        app.wait(run)
    yield "table", f"table/{app.trees()}", ".ls-app-start", None
    yield "home", "", ".ls-app-runs a", None
    yield "map", f"run/{shown}", ".ls-points", None
    yield "failed", f"run/{wrong}", "[data-state=failed]", None
    yield "compare", f"compare/{shown},{other}", ".ls-small-plot", choose_a_class
    parameters = {"max_iter": 5000}
    forming = app.run(
        app.table("digits"),
        "sammon",
        "digits: Sammon's mapping",
        parameters=parameters,
    )
    yield "forming", f"run/{forming}", ".ls-app-curve svg", None
    app.cancel(forming)


def photographed(browser, link, theme, place, there, act):
    """Return a screenshot of a page of the app."""
    page = browser.new_page(viewport=SIZE, color_scheme=theme)
    page.goto(link)
    page.locator("h1").first.wait_for()
    page.evaluate("place => { location.hash = `#/${place}` }", place)
    page.locator(there).first.wait_for(timeout=60_000)
    page.wait_for_timeout(1500)
    if act:
        act(page)
        page.wait_for_timeout(1000)
    picture = Image.open(BytesIO(page.screenshot()))
    page.close()
    return picture


def main(names):
    """Write all pictures, or those with these names."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        app = App(folder)
        try:
            for name, place, there, act in pictures(app):
                if names and name not in names:
                    continue
                for theme, ending in (("light", ""), ("dark", "_dark")):
                    path = FOLDER / f"{name}{ending}.png"
                    write(
                        photographed(browser, app.link, theme, place, there, act), path
                    )
                    print(f"{path.name} {path.stat().st_size:,} bytes")
        finally:
            app.process.terminate()
            app.process.wait()
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
