"""One wrong value in the manifest; no name in it is ever imported."""

from importlib import import_module

import pytest
from tests.faults.model_files.members import Members, refused

from labelscape._model_file import _registry, load


def nested(depth):
    node = None
    for _ in range(depth):
        node = [node]
    return node


@pytest.mark.parametrize(
    ("node", "words"),
    [
        (nested(600), "damaged"),
        ({"code": "import os"}, "an unknown kind"),
        ({"float": "00", "tuple": []}, "damaged"),
        ({"float": 3}, "damaged"),
        ({"float": "00"}, "damaged"),
        ({"dict": [["a"]]}, "damaged"),
        ({"dict": [[[1], 2]]}, "damaged"),
        ({"objects": {"shape": [2], "items": [1]}}, "damaged"),
        ({"scalar": ["|O", "00"]}, "'|O' is not a dtype"),
        ({"scalar": ["<f8,<f8", "00" * 16]}, "is not a dtype"),
        ({"scalar": ["<f8", "00"]}, "damaged"),
        ({"scalar": ["<U1", "ffffffff"]}, "damaged"),
        ({"array": "arrays/99.npy"}, "damaged"),
        ({"array": []}, "damaged"),
        ({"record": ["Pair", {"first": 1}]}, "has other fields"),
        (
            {"record": ["Trial", {"focus": 0, "accuracy": 1, "trust": 1}]},
            "has other fields",
        ),
        ({"record": ["Popen", {"args": "true"}]}, "has other fields"),
        ({"estimator": {"class": "Popen"}}, "class 'Popen', which .* does not have"),
        (
            {"estimator": {"class": "Toy", "parameters": {}}},
            "damaged",
        ),
        (
            {"estimator": {"class": "Toy", "parameters": {"x": 1}, "state": {}}},
            "parameter 'x', which does not exist in .* Load the file with the version",
        ),
    ],
)
def test_a_wrong_value_is_refused(path, node, words):
    members = Members(path)
    manifest = members.manifest
    manifest["model"]["parameters"]["metric"] = node
    members.manifest = manifest
    members.write(path)
    refused(path, words)


def test_no_name_in_a_file_is_imported(path, monkeypatch):
    imported = set()

    def noted(module):
        imported.add(module)
        return import_module(module)

    monkeypatch.setattr("labelscape._model_file._registry.import_module", noted)
    members = Members(path)
    for name in ("subprocess.Popen", "labelscape._model_file", "sklearn", ""):
        manifest = members.manifest
        manifest["model"]["class"] = name
        members.manifest = manifest
        members.write(path)
        refused(path, "which Labelscape .* does not have")
    assert imported <= set(_registry.ROOMS)  # which load no file before a name is used


def test_a_broken_installation_is_not_taken_for_a_broken_file(path, monkeypatch):
    def fail(module):
        raise ImportError("numba is not installed")

    monkeypatch.setattr("labelscape._model_file._registry.import_module", fail)
    with pytest.raises(ImportError, match="numba"):
        load(path)
