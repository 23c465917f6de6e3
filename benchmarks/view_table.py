"""A table with many rows in a browser: time to open, filter and sort.

    python -m benchmarks view_table [ROWS]

A page of 200,000 points with 20 additional columns is opened from disk in a headless
Chromium without a graphics card. Then the table is opened, and rows are filtered by the
search and by a bar of a histogram, and sorted. Two times are measured inside the page:
until the rows of the table have changed, and until the next frame, in which the map has
changed, too (its points are drawn by software). The benchmark needs Chromium, and
playwright from the `dev` extra.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.view_million import FLAGS, READY
from labelscape.hosts.page import write_page
from labelscape.scene import encode
from labelscape.scene._internal import scene_of

N_COLUMNS = 20
REPEATS = 5
# Maximum times.
FLOORS = {"open": 4.0, "filter": 100.0}
QUESTIONS = (
    "number 0 > 0.5 and not (number 1 < 0 or kind 2 = red)",
    "kind 2 = green",
    "number 3 > number 4",
)
TIMED = """
(act) => {
  const one = (selector) => document.querySelector(selector);
  const acts = {
    table: () => one("[role=tab][data-tab=table]").click(),
    search: () => one("form[role=search]").requestSubmit(),
    bar: () => one(".ls-bin").dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", bubbles: true })),
    sort: () => one(".ls-grid-sort[data-column='number 0']").click(),
  };
  const start = performance.now();
  acts[act]();
  const rows = performance.now() - start;
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(
    [rows, performance.now() - start]))));
}
"""


def shown_columns(n):
    """Return a table of numbers and categories that are not used for the map."""
    rng = np.random.default_rng(0)
    kinds = np.array(["red", "green", "blue", "grey"])
    columns = {}
    for j in range(N_COLUMNS):
        is_kind = j % 4 == 2
        values = kinds[rng.integers(0, 4, n)] if is_kind else rng.normal(size=n)
        columns[f"{'kind' if is_kind else 'number'} {j}"] = values
    return pd.DataFrame(columns)


def page_of(folder, n):
    """Write the page and return its path."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 6, n)
    Z = rng.normal(size=(6, 2))[y] * 4 + rng.normal(size=(n, 2))
    scene = scene_of(Z, None, y, quality=False, columns=shown_columns(n))
    return write_page(folder / "table.html", encode(scene), "A table")


def acts(page):
    """Yield each action, with its milliseconds until the rows and the frame."""
    yield "open the table", [page.evaluate(TIMED, "table")]
    for question in QUESTIONS:
        page.fill(".ls-search", question)
        times = []
        for _ in range(REPEATS):
            times.append(page.evaluate(TIMED, "search"))
            page.keyboard.press("Escape")
        yield f"filter: {question}", times
    page.click("button[aria-label=Histograms]")
    page.click("[role=option] >> text='number 0'")
    yield "filter: a bar", [page.evaluate(TIMED, "bar") for _ in range(REPEATS)]
    page.keyboard.press("Escape")
    yield "sort", [page.evaluate(TIMED, "sort")]


def main(n):
    from playwright.sync_api import sync_playwright

    find = [Path(__file__).parents[1] / "scripts" / "chromium", "--find"]
    chromium = subprocess.check_output(find, text=True).strip()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        start = time.perf_counter()
        path = page_of(Path(folder), n)
        size = path.stat().st_size / 1e6
        written = time.perf_counter() - start
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(path.as_uri(), wait_until="commit")
        ready = page.evaluate(READY)
        print(
            f"{n:,} rows, {N_COLUMNS} columns: page {size:.1f} MB, "
            f"written in {written:.1f} s, ready in {ready:.1f} s"
        )
        for what, times in acts(page):
            rows, frame = np.median(times, axis=0)
            longest, _ = np.max(times, axis=0)
            print(
                f"  {what:62} {rows:4.0f} ms, longest {longest:4.0f}; "
                f"frame {frame:4.0f}"
            )
        browser.close()
    print(
        f"wanted: open in {FLOORS['open']:.0f} s, filter in {FLOORS['filter']:.0f} ms"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
