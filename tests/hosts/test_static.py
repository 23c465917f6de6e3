import json
import re
import tomllib
from pathlib import Path

import pytest

from labelscape.hosts import html_page, page

VIEW = Path(__file__).parents[2] / "view"


def test_a_view_that_is_not_built_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(page, "STATIC", tmp_path)
    with pytest.raises(FileNotFoundError, match="make view"):
        page.built("page.js")


def test_the_built_files_are_text(monkeypatch, tmp_path):
    (tmp_path / "page.js").write_text("'ä'", encoding="utf-8")
    monkeypatch.setattr(page, "STATIC", tmp_path)
    assert page.built("page.js") == "'ä'"


def bundled():
    """Return name and version of each package that the view needs, and theirs."""
    lock = json.loads((VIEW / "package-lock.json").read_text(encoding="utf-8"))
    packages, found = lock["packages"], {}

    def place(name, user):
        inner = f"{user}/node_modules/{name}".lstrip("/")
        return inner if inner in packages else f"node_modules/{name}"

    def add(user):
        for name in packages[user].get("dependencies", ()):
            one = place(name, user)
            if one not in found:
                found[one] = f"{name} {packages[one]['version']}"
                add(one)

    add("")
    return sorted(found.values())


def notices():
    """Return what is said of each package, by its name and version."""
    words = page.built("LICENSES.txt")
    lines = [line for part in words.split("\n\n") for line in part.split("\n")]
    named = [i for i, line in enumerate(lines) if line.endswith(")") and line[0] != " "]
    return {lines[i].rpartition(" (")[0]: lines[i + 1] for i in named}


@pytest.mark.skipif(not VIEW.exists(), reason="the sources of the view are not here")
def test_every_package_in_the_view_is_named_with_its_version_and_its_owner():
    said = notices()
    assert set(said) >= set(bundled())
    assert all(owner.startswith("  Copyright (c) ") for owner in said.values())


@pytest.mark.parametrize("name", ["view.js", "page.js", "app.js"])
def test_licenses_travel_with_the_code_of_others(name):
    assert page.built(name).startswith(f"/*!\n{page.built('LICENSES.txt')}*/\n")


def test_a_saved_page_holds_the_licenses():
    assert page.built("LICENSES.txt") in html_page(b"LSCN").decode()


@pytest.mark.skipif(not VIEW.exists(), reason="the sources of the view are not here")
def test_the_license_of_the_package_names_those_of_the_code_in_it():
    project = tomllib.loads((VIEW.parent / "pyproject.toml").read_text("utf-8"))
    bundled = re.findall(r"(?m)^\S.* \((\S+)\)$", page.built("LICENSES.txt"))
    said = project["project"]["license"].split(" AND ")
    assert set(said) == {"BSD-3-Clause", *bundled}
