"""The command line for a user who may only write the output."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import labelscape

NOBODY = "65534"
# A user whom permissions bind: root is none, and hands over to nobody.
AS_USER = (
    ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]
    if hasattr(os, "getuid") and os.getuid() == 0
    else []
)


@pytest.fixture
def read_only_copy(tmp_path):
    """The package in a read-only folder, without compiled functions."""
    package = Path(labelscape.__file__).parent
    folder = tmp_path / "site"
    without_cache = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, folder / "labelscape", ignore=without_cache)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in (folder, *folder.rglob("*")):  # so that it can be removed
        path.chmod(0o755)


@pytest.fixture
def python(tmp_path, read_only_copy):
    """Run Python as this user, without a home folder and a cache folder."""
    for folder in (tmp_path, *tmp_path.parents):  # pytest's, closed to others
        folder.chmod(folder.stat().st_mode | 0o011)
        if folder.name.startswith("pytest-of-"):
            break
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(read_only_copy),
        "HOME": "/nonexistent",
        "TMPDIR": "/nonexistent",
    }

    def run(*arguments):
        return subprocess.run(
            [*AS_USER, sys.executable, *arguments],
            cwd=read_only_copy,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    if AS_USER and not shutil.which("setpriv"):
        pytest.skip("root needs setpriv to become an unprivileged user")
    if run("-c", "import labelscape, numpy").returncode:
        pytest.skip("an unprivileged user can't run this Python")
    return run


@pytest.mark.slow
def test_a_map_is_drawn_where_only_the_output_can_be_written(tmp_path, python):
    out = tmp_path / "out"
    out.mkdir()
    out.chmod(0o777)
    run = "from labelscape.cli.main import main; main()"
    page = out / "wine.html"
    order = ("map", "wine", "--method", "liram", "--no-honesty", "--no-audit")
    done = python("-c", run, *order, "-o", str(page))
    # Steps are reported where they take long, as on a busy machine.
    steps = ("Reading", "Fitting", "Measuring", "Choosing", "Drawing")
    notes = [one for one in done.stderr.splitlines() if not one.startswith(steps)]
    assert (done.returncode, len(notes)) == (0, 1), done.stderr
    assert "NUMBA_CACHE_DIR" in notes[0]
    assert page.stat().st_size > 100_000
