"""The samples of the guide run as they are printed."""

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FOREIGN = "torch."  # what we don't install
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_samples_of_a_page_run_one_after_another(page, tmp_path, monkeypatch):
    found = SAMPLE.findall(page.read_text(encoding="utf-8"))
    samples = [sample for sample in found if FOREIGN not in sample]
    if any("import dask" in sample for sample in samples):
        pytest.importorskip("dask", reason="labelscape[dask] is not installed")
    if not samples:
        pytest.skip(f"{page.name} has no sample in Python.")
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names = {"display": print}  # notebooks have it
    for sample in samples:
        exec(compile(sample, page.name, "exec"), names)


def test_every_page_of_the_gallery_has_its_place_in_the_order():
    order = (ROOT / "docs/conf.py").read_text(encoding="utf-8")
    pages = [path.name for path in (ROOT / "docs/gallery").glob("plot_*.py")]
    assert pages
    assert [page for page in pages if f'"{page}"' not in order] == []
