"""What is imported is declared, and what is declared is locked."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "labelscape"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
# The package that brings a module, where they are not called the same.
PACKAGES = {"sklearn": "scikit-learn", "PIL": "pillow"}
# Which extra a part of the library may count on, besides what all need.
COUNTS_ON = {
    "_core/rows": {"dask"},
    "_model_file/_skops.py": {"skops"},
    "plotting": {"plot"},
    "cli/_files.py": {"plot"},
    "hosts": {"explore"},
    "datasets/files/cells.py": {"anndata"},
    "datasets/files/hdf5.py": {"anndata"},
    "datasets/files/images.py": {"images"},
    "datasets/files/pieces.py": {"dask"},
    "quality/measures/_array_neighborhoods.py": {"gpu"},
}
# Looked for in what a user has loaded already, or asked for by name; never needed.
EMBEDDING = {"huggingface-hub", "sentence-transformers", "timm", "torch", "wordllama"}
BROUGHT = {"pandas", "triton"} | EMBEDDING  # PyTorch brings Triton where it can run
LOCKS = {"dev": "dev.lock", "docs": "docs.lock"}
needs_locks = pytest.mark.skipif(
    not (ROOT / "requirements").exists(), reason="the lock files are not here"
)


def name_of(requirement):
    """Return the normal form of the name that a requirement begins with."""
    name = re.match(r"[\w.-]+", requirement)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*extras):
    """Return the packages that an installation with these extras asks for."""
    wishes = [*PROJECT["project"]["dependencies"]]
    for extra in extras:
        wishes += EXTRAS[extra]
    return {name_of(wish) for wish in wishes}


def imported(path):
    """Yield the packages that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module]
        for module in modules:
            name = module.partition(".")[0]
            if name not in sys.stdlib_module_names and name != "labelscape":
                yield PACKAGES.get(name, name_of(name))


def extras_of(path):
    """Return the extras that a file may count on."""
    here = path.relative_to(SOURCES).as_posix()
    parts = [extras for part, extras in COUNTS_ON.items() if here.startswith(part)]
    return set().union(*parts)


def test_all_that_is_imported_is_declared():
    missing = {
        str(path): undeclared
        for path in SOURCES.rglob("*.py")
        if (undeclared := set(imported(path)) - declared(*extras_of(path)) - BROUGHT)
    }
    assert missing == {}


def test_nothing_is_declared_that_nobody_imports():
    used = {name for path in SOURCES.rglob("*.py") for name in imported(path)}
    assert declared("plot", "explore", "dask", "skops") <= used


def test_the_newest_python_is_among_the_classifiers():
    kinds = PROJECT["project"]["classifiers"]
    versions = [kind.rpartition(":: 3.")[2] for kind in kinds if ":: 3." in kind]
    assert versions == ["11", "12", "13", "14"]


def locked(file):
    """Return the lines of each package of a lock file, by its name."""
    text = (ROOT / "requirements" / file).read_text(encoding="utf-8")
    parts = re.split(r"\n(?=[a-z0-9])", text)
    return {name_of(part): part for part in parts if "==" in part}


@needs_locks
@pytest.mark.parametrize(("extra", "file"), LOCKS.items())
def test_all_that_is_declared_is_locked_with_a_checksum(extra, file):
    packages = locked(file)
    wanted = declared(extra) - {"labelscape"}
    if extra == "dev":
        wanted |= declared("plot", "explore", "dask", "skops")
    assert wanted <= set(packages)
    assert all("--hash=sha256:" in lines for lines in packages.values())


@needs_locks
@pytest.mark.parametrize("file", LOCKS.values())
def test_a_lock_file_holds_no_address(file):
    text = (ROOT / "requirements" / file).read_text(encoding="utf-8")
    assert not re.search(r"://|--find-links|--index|--extra-index", text)


@pytest.mark.skipif(not (ROOT / "view").exists(), reason="the view is not here")
def test_the_view_is_locked_for_all_systems():
    lock = (ROOT / "view" / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(lock)["packages"]
    for entry in packages.values():
        for name in entry.get("optionalDependencies", ()):
            assert f"node_modules/{name}" in packages
    assert all("integrity" in entry for place, entry in packages.items() if place)
    assert '"resolved"' not in lock


@pytest.mark.skipif(not (ROOT / "scripts").exists(), reason="the scripts are not here")
def test_the_list_of_parts_names_packages_of_python_as_the_view_has_none(tmp_path):
    target = tmp_path / "deep" / "parts.json"
    command = [sys.executable, ROOT / "scripts" / "sbom.py", target]
    subprocess.run(command, check=True)
    parts = json.loads(target.read_text(encoding="utf-8"))
    references = {part["bom-ref"] for part in parts["components"]}
    assert f"pkg:pypi/numpy@{version('numpy')}" in references
    assert f"pkg:pypi/fastapi@{version('fastapi')}" in references
    assert f"pkg:pypi/pytest@{version('pytest')}" not in references
    assert not [name for name in references if name.startswith("pkg:npm/")]
    ours = parts["metadata"]["component"]["bom-ref"]
    needed = {need["ref"]: need["dependsOn"] for need in parts["dependencies"]}
    assert set().union(*needed.values()) == references
    assert ours in needed
    assert "://" not in target.read_text(encoding="utf-8")
