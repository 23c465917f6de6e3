"""A page of a million points: seconds to open it, frames, memory, and size.

    python -m benchmarks view_million [POINTS]

Pages are written, opened from disk in a headless Chromium with software WebGL (no
graphics card), and moved with the mouse for a few seconds. Frame times are the times
between two animation frames of the page. Memory is the proportional set size of all
processes of the browser, sampled during the run. The benchmark needs Chromium, and
playwright from the `dev` extra.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from labelscape.hosts.page import write_page
from labelscape.prototypes import LiRaMLVQ
from labelscape.scene import encode
from labelscape.scene._internal import scene_of

FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
N_CLASSES, N_FEATURES = 8, 20
# Limits for a million points, and for the page of 100,000 points with a model.
FLOORS = {"ready": 10.0, "freeze": 1000.0, "memory": 1.5, "page": 10.0}

READY = """
() => new Promise((resolve) => {
  const look = () => {
    const canvas = document.querySelector(".ls-data canvas.ls-points");
    if (canvas && canvas.width > 300) {
      // Two frames later, what was to be drawn has been drawn.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(
        performance.now() / 1000)));
    } else {
      setTimeout(look, 20);
    }
  };
  look();
})
"""
RECORD = """
() => {
  window.frames = [];
  let before = performance.now();
  const next = (now) => {
    window.frames.push(now - before);
    before = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}
"""


def data(n, d):
    """Return n points of eight classes with a small overlap."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, N_CLASSES, n)
    return rng.normal(size=(N_CLASSES, d))[y] * 2 + rng.normal(size=(n, d)), y


def pages(folder, n):
    """Write the pages; yield the name, path and writing time of each."""
    X, y = data(100_000, N_FEATURES)
    model = LiRaMLVQ(random_state=0).fit(X[:5000], y[:5000])
    Z = model.transform(X)
    large, classes = data(n, 2)
    scenes = {
        "100,000 x 20, map alone": lambda: scene_of(Z, X, y, quality=False),
        "100,000 x 20, with model": lambda: scene_of(
            model, X, y, quality=False, random_state=0
        ),
        f"{n:,} x 2": lambda: scene_of(large, large, classes, quality=False),
    }
    for k, (what, scene) in enumerate(scenes.items()):
        start = time.perf_counter()
        path = write_page(folder / f"page{k}.html", encode(scene()), what)
        yield what, path, time.perf_counter() - start


class Memory(threading.Thread):
    """The peak memory of child processes that are browsers, in GB."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most = 0.0
        self.done = threading.Event()

    def run(self):
        """Measure the memory until the browser has ended."""
        while not self.done.wait(0.25):
            self.most = max(self.most, sum(map(_pss, _descendants(os.getpid()))))


def _descendants(pid):
    """Return all child processes of a process, and their child processes."""
    below = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:  # the process has ended
            continue
        for child in children:
            below += [int(child), *_descendants(int(child))]
    return below


def _pss(pid):
    """Return the memory of a process if it is a browser."""
    try:
        if "chrom" not in os.readlink(f"/proc/{pid}/exe"):
            return 0.0
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1e6


def looked_at(playwright, path):
    """Return the seconds to open, frame times by action, and GB of memory."""
    find = [Path(__file__).parents[1] / "scripts" / "chromium", "--find"]
    chromium = subprocess.check_output(find, text=True).strip()
    memory = Memory()
    memory.start()
    browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(120_000)
    page.goto(path.as_uri(), wait_until="commit")
    ready = page.evaluate(READY)
    page.evaluate(RECORD)
    frames = {"still": _frames(page, lambda: page.wait_for_timeout(1000))}
    box = page.locator(".ls-data").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    frames["panning"] = _frames(page, lambda: _pan(page, x, y))
    frames["zooming"] = _frames(page, lambda: _zoom(page, x, y))
    memory.done.set()
    memory.join()
    browser.close()
    return ready, frames, memory.most


def _frames(page, act):
    page.evaluate("() => { window.frames.length = 0 }")
    act()
    page.wait_for_timeout(500)
    return np.array(page.evaluate("() => window.frames"))


def _pan(page, x, y):
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(150):
        turn = 2 * np.pi * k / 75
        page.mouse.move(x + 150 * np.sin(turn), y + 100 * (1 - np.cos(turn)))
    page.mouse.up()


def _zoom(page, x, y):
    page.mouse.move(x, y)
    for k in range(60):
        page.mouse.wheel(0, -60 if k < 30 else 60)


def main(n):
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for what, path, seconds in pages(Path(folder), n):
            size = path.stat().st_size / 1e6
            ready, frames, memory = looked_at(playwright, path)
            print(
                f"{what}: page {size:.1f} MB, written in {seconds:.1f} s, "
                f"ready in {ready:.1f} s, {memory:.2f} GB"
            )
            for act, times in frames.items():
                median, late = np.percentile(times, [50, 95])
                print(
                    f"  {act:8} {len(times):4} frames, ms: median {median:4.0f}, "
                    f"95th {late:4.0f}, longest {times.max():4.0f}"
                )
            if "model" in what:
                print(f"  wanted: page below {FLOORS['page']:.0f} MB")
    print(
        f"wanted of the last: ready in {FLOORS['ready']:.0f} s, no frame of "
        f"{FLOORS['freeze']:.0f} ms, below {FLOORS['memory']} GB"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
