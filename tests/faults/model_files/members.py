"""The members of a model file, to be damaged one by one."""

import hashlib
import io
import json
import zipfile
from contextlib import contextmanager
from typing import NamedTuple
from unittest.mock import patch

import pytest
from sklearn.base import BaseEstimator

from labelscape._model_file import ModelFileError, load
from labelscape._model_file._archive import sealed

__all__ = ["Toy"]  # what model files see of a room


class Toy(BaseEstimator):
    def __init__(self, scale=1.0, *, metric=None):
        self.scale = scale
        self.metric = metric


class Pair(NamedTuple):
    first: object
    second: object


class Members(dict):
    """The members of a model file by name, to be changed and zipped again."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            super().__init__({name: archive.read(name) for name in archive.namelist()})

    @property
    def manifest(self):
        return json.loads(self["manifest.json"])

    @manifest.setter
    def manifest(self, manifest):
        self["manifest.json"] = json.dumps(manifest).encode()

    def replace_array(self, attribute, data):
        """Replace an array by ``data``, with the right size and checksum."""
        manifest = self.manifest
        name = manifest["model"]["state"][attribute]["array"]
        self[name] = data
        manifest["arrays"][name]["bytes"] = len(data)
        manifest["arrays"][name]["sha256"] = hashlib.sha256(data).hexdigest()
        self.manifest = manifest
        return name

    def write(self, path, compression=zipfile.ZIP_STORED):
        """Write a file with the right checksum, like an attacker."""
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", compression) as archive:
            for name, data in self.items():
                archive.writestr(name, data)
            archive.comment = b"0" * 64
        path.write_bytes(sealed(file.getvalue()[:-64]))


@contextmanager
def unchecked():
    """Let `save` write values that it would refuse, like an attacker."""
    with patch("labelscape._model_file._tree.check_step"):
        yield


def refused(path, words):
    with pytest.raises(ModelFileError, match=words) as caught:
        load(path)
    assert str(path) in str(caught.value)


def loads_or_is_refused(path):
    try:
        return load(path)
    except ModelFileError:
        return None
