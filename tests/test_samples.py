"""The code samples of the guide run as printed."""

import gc
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from labelscape.cli.main import app

ROOT = Path(__file__).parents[1]
SAMPLE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A sample, and what it prints in the next block.
PRINTS = re.compile(
    r"^```python\n([^`]*?)^```\n(?:\n^```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL
)
FOREIGN = ("torch.", "adata")  # what we don't install
RECIPES = ROOT / "docs" / "recipes.md"  # each of them is a test of its own
PAGES = [ROOT / "README.md", *sorted({*(ROOT / "docs").glob("*.md")} - {RECIPES})]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_samples_of_a_page_run_one_after_another(page, tmp_path, monkeypatch):
    found = SAMPLE.findall(page.read_text(encoding="utf-8"))
    samples = [one for one in found if not any(name in one for name in FOREIGN)]
    if any("import dask" in sample for sample in samples):
        pytest.importorskip("dask", reason="labelscape[dask] is not installed")
    if not samples:
        pytest.skip(f"{page.name} has no sample in Python.")
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names = {"display": print}  # notebooks have it
    for sample in samples:
        exec(compile(sample, page.name, "exec"), names)


def recipes():
    """Return the code of each section of the recipes by its title."""
    first, *sections = RECIPES.read_text(encoding="utf-8").split("\n## ")
    setup = "".join(SAMPLE.findall(first))
    titles = [section.partition("\n")[0] for section in sections]
    return [
        pytest.param(setup, SAMPLE.findall(section), id=title)
        for title, section in zip(titles, sections, strict=True)
    ]


# Of packages that are not ours: gradio leaves event loops open.
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize(("setup", "samples"), recipes())
def test_a_recipe_runs(setup, samples, tmp_path, monkeypatch):
    assert samples
    for package in ("marimo", "streamlit", "gradio"):
        if any(f"import {package}" in sample for sample in samples):
            pytest.importorskip(package, reason=f"{package} is not installed")
    monkeypatch.chdir(tmp_path)
    names = {}
    for sample in (setup, *samples):
        exec(compile(sample, RECIPES.name, "exec"), names)
    for name, test in list(names.items()):
        if name.startswith("test_"):
            test()
    names.clear()
    gc.collect()  # while warnings of packages are ignored


def test_the_quickstart_prints_what_it_says(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names, n_compared = {}, 0
    for sample, printed in PRINTS.findall(page):
        exec(compile(sample, "quickstart.md", "exec"), names)
        output = capsys.readouterr().out
        if printed:
            assert output.startswith(printed)
            n_compared += 1
    assert n_compared == 3


@pytest.mark.slow
def test_the_quickstart_shows_what_the_command_prints(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
    shown = page.split("```text\n")[1].split("```")[0].splitlines()
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["map", "wine", "-o", "wine.html"])
    assert result.exit_code == 0
    assert [line for line in shown if line not in result.stdout.splitlines()] == []


def test_every_page_of_the_gallery_has_its_place_in_the_order():
    order = (ROOT / "docs/conf.py").read_text(encoding="utf-8")
    pages = [path.name for path in (ROOT / "docs/gallery").glob("plot_*.py")]
    assert pages
    assert [page for page in pages if f'"{page}"' not in order] == []
