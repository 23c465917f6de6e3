"""A real browser for tests, which opens pages like a user."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",  # WebGL without a graphics card
    "--disable-gpu-compositing",  # all else is drawn faster without WebGL
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]
ROOT = Path(__file__).parents[2]
# Milliseconds that only a page which never shows something takes.
ENDLESS = 180_000
OWN = ("data:", "blob:", "about:")
CELL = """\
from tests.e2e.scenes import {name}
view = {name}()
view
"""


@pytest.fixture(scope="session")
def chromium():
    find = [ROOT / "scripts" / "chromium", "--find"]
    found = subprocess.run(find, capture_output=True, text=True)
    return found.stdout.strip() or pytest.fail(found.stderr)


@pytest.fixture(scope="session")
def browser(chromium):
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=ENDLESS)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


class Watched:
    """A page in the browser; what it should not do is noted.

    Errors on the console and requests to anybody else are troubles.
    """

    def __init__(self, browser, address, **options):
        size = {"viewport": {"width": 1280, "height": 800}}
        self.context = browser.new_context(**size | options)
        self.page = self.context.new_page()
        self.troubles = []
        home = address.split("?")[0].split("/lab")[0]

        def hear(message):
            if message.type == "error":
                self.troubles.append(f"console: {message.text}")

        def see(request):
            if not request.url.startswith((home, *OWN)):
                self.troubles.append(f"request: {request.url}")

        self.page.on("console", hear)
        self.page.on("pageerror", lambda error: self.troubles.append(error.stack))
        self.page.on("request", see)
        self.page.set_default_timeout(ENDLESS)
        self.page.goto(address)

    def fresh(self):
        """Reset the page to the state after opening."""
        self.page.reload()

    def turn(self, shade):
        """Set a light or dark theme around the view."""
        self.page.emulate_media(color_scheme=shade)


class Notebook(Watched):
    """A notebook in JupyterLab: a cell that shows a view, and one to talk to it."""

    def __init__(self, browser, address):
        size = {"viewport": {"width": 1500, "height": 1000}}
        super().__init__(browser, address, **size)
        self.cells = self.page.locator(".jp-CodeCell")
        self.cells.nth(1).wait_for()
        self._wait_for_the_kernel()

    def _wait_for_the_kernel(self):
        """Run a cell until it answers: without a kernel that does nothing.

        It imports what the views need, which takes long on a busy machine.
        """
        from playwright.sync_api import TimeoutError as TookTooLong

        answer = self.cells.nth(1).locator(".jp-OutputArea-output", has_text="here")
        for _ in range(20):
            try:
                self._run(1, "import tests.e2e.scenes\nprint('here')")
                return answer.wait_for(timeout=10_000)
            except TookTooLong:
                said = self.page.locator(".jp-Dialog").all_inner_texts()
                self.page.keyboard.press("Escape")  # a dialog is in the way of cells
        pytest.fail(f"The notebook does not answer. Its dialogs: {said}")

    def fresh(self, name="wine_view"):
        """Show a view of `scenes.py` in the first cell, and wait for it."""
        self.page.evaluate(
            "for (const el of document.querySelectorAll('.ls-root'))"
            " el.dataset.old = 'yes'"
        )
        self._run(0, CELL.format(name=name))
        new = self.cells.first.locator(".ls-root:not([data-old])")
        new.wait_for()

    def turn(self, shade):
        """Choose a theme of JupyterLab, and wait until its splash screen is gone.

        A change during the 200 ms in which the screen of the change before fades makes
        JupyterLab remove that screen twice: the second removeChild fails.
        """
        theme = f"JupyterLab {shade.title()}"
        command = "theme => jupyterapp.commands.execute('apputils:change-theme', theme)"
        self.page.evaluate(command, {"theme": theme})
        chosen = self.page.locator(f"body[data-jp-theme-name='{theme}']")
        chosen.wait_for(state="attached")
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    def say(self, code):
        """Run code in the second cell, and return what it prints."""
        end = secrets.token_hex(4)
        self._run(1, f"{code}\nprint({end!r})")
        output = self.cells.nth(1).locator(".jp-OutputArea-output pre")
        output.filter(has_text=end).wait_for()
        return "".join(output.all_text_contents()).removesuffix(f"{end}\n")

    def _run(self, cell, code):
        self.cells.nth(cell).locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(code)
        self.page.keyboard.press("Control+Enter")


@pytest.fixture(scope="module")
def open_watched(browser):
    """Open an address in a new browser window."""
    opened = []

    def watched(address, **options):
        opened.append(Watched(browser, address, **options))
        return opened[-1]

    yield watched
    for one in opened:
        one.context.close()


@pytest.fixture(scope="session")
def notebook(browser, jupyter):
    """Open one notebook in JupyterLab for all tests, because kernels start slowly."""
    folder, address = jupyter
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = {
        "cells": [_cell("first"), _cell("second")],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (folder / "book.ipynb").write_text(json.dumps(book), encoding="utf-8")
    opened = Notebook(browser, address("book.ipynb"))
    yield opened
    opened.context.close()


@pytest.fixture
def visit(browser):
    """Open an address and return its page; troubles are failures.

    Pages are closed after each test: a map that nobody looks at is drawn all the same.
    """
    opened = []

    def page(address, **options):
        opened.append(Watched(browser, address, **options))
        return opened[-1].page

    yield page
    troubles = [one.troubles for one in opened if one.troubles]
    for one in opened:
        one.context.close()
    assert troubles == []


@pytest.fixture
def open_page(visit, tmp_path):
    """Open a page of HTML from a file and return the DOM after its scripts have run."""

    def opened(html):
        file = Path(tmp_path, "page.html")
        file.write_text(f"<!doctype html><meta charset=utf-8>{html}", encoding="utf-8")
        return visit(file.as_uri()).content()

    return opened


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory):
    """Run a JupyterLab of our own: yields its folder, and the address of a file."""
    home = tmp_path_factory.mktemp("jupyter")
    folder = home / "notebooks"
    folder.mkdir()
    token, port = secrets.token_hex(16), _free_port()
    places = {f"JUPYTER_{kind}_DIR": str(home / kind) for kind in ("CONFIG", "RUNTIME")}
    options = [
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={folder}",
        f"--IdentityProvider.token={token}",
        "--LabApp.extension_manager=readonly",
        "--LabApp.expose_app_in_browser=True",
    ]
    settings = home / "CONFIG" / "labconfig" / "page_config.json"
    settings.parent.mkdir(parents=True)
    news = "@jupyterlab/apputils-extension:announcements"
    settings.write_text(json.dumps({"disabledExtensions": {news: True}}))
    # The kernel uses what the tests use.
    sources = filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
    with open(home / "log.txt", "wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            env=os.environ | places | {"PYTHONPATH": os.pathsep.join(sources)},
            stdout=log,
            stderr=log,
        )
    try:
        base = f"http://127.0.0.1:{port}"
        _wait_for(f"{base}/api?token={token}", server, home / "log.txt")
        yield folder, lambda name: f"{base}/lab/tree/{name}?token={token}&reset"
    finally:
        server.terminate()
        server.wait()


def _cell(name):
    cell = {"cell_type": "code", "id": name, "source": "", "metadata": {}}
    return cell | {"outputs": [], "execution_count": None}


def _free_port():
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return some.getsockname()[1]


def _wait_for(address, server, log, seconds=600):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")
