"""A real browser for tests: pages are opened as a user would open them."""

import shutil
import subprocess
from pathlib import Path

import pytest

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=2000",
]


@pytest.fixture(scope="session")
def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    pytest.fail("No Chromium on the PATH. `make test` installs it: scripts/chromium.")


@pytest.fixture
def open_page(chromium, tmp_path):
    """Open a page of HTML from a file and return the DOM after its scripts have run."""

    def opened(html):
        page = Path(tmp_path, "page.html")
        page.write_text(f"<!doctype html><meta charset=utf-8>{html}", encoding="utf-8")
        run = subprocess.run(
            [
                chromium,
                *FLAGS,
                f"--user-data-dir={tmp_path}/profile",
                "--dump-dom",
                page.as_uri(),
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        return run.stdout

    return opened
