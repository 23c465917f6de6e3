"""A model file replaces an old one safely."""

import errno
import os
import stat
import subprocess
import sys

import pytest
from tests.model_file.toys import (
    Toy,
)

from labelscape._model_file import load, save


def test_a_missing_folder_is_named(toy, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no folder '.*missing' .*Create it"):
        save(toy, tmp_path / "missing" / "toy.model")


def test_the_path_may_be_text(toy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(toy, "toy.model")
    assert load("toy.model").scale == toy.scale


def fail_with(error):
    def fail(*_):
        raise error

    return fail


class FullDisk:
    """A file that takes a few bytes and then has no room left."""

    def __init__(self, file):
        self.file = file

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, data):
        self.file.write(data[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    def writelines(self, parts):
        for part in parts:
            self.write(part)


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("os.fsync", OSError(errno.EIO, "Input/output error")),
        ("os.fsync", KeyboardInterrupt()),
        ("os.replace", OSError(errno.EACCES, "Permission denied")),
        ("shutil.copymode", MemoryError()),
    ],
)
def test_a_failure_while_writing_leaves_the_old_file_whole(
    toy, step, error, tmp_path, monkeypatch
):
    path = tmp_path / "toy.model"
    save(Toy(scale=7), path)
    monkeypatch.setattr(f"labelscape._core.output.{step}", fail_with(error))
    with pytest.raises(type(error)):
        save(toy, path)
    assert load(path).scale == 7
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file_whole(toy, tmp_path, monkeypatch):
    path = tmp_path / "toy.model"
    save(Toy(scale=7), path)
    with monkeypatch.context() as patch:
        really_open = type(path).open
        patch.setattr(type(path), "open", lambda *a: FullDisk(really_open(*a)))
        with pytest.raises(OSError, match="No space left"):
            save(toy, path)
    assert load(path).scale == 7
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_permissions_are_those_of_a_new_file_or_of_the_old_one(toy, tmp_path):
    (tmp_path / "usual").touch()
    save(toy, tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode

    (tmp_path / "new").chmod(0o640)
    save(toy, tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="links need no rights on POSIX")
def test_a_link_stays_a_link(toy, tmp_path):
    (tmp_path / "link").symlink_to("target")
    save(toy, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert load(tmp_path / "target").scale == toy.scale


def test_importing_labelscape_does_not_import_model_files():
    code = "import labelscape, sys; sys.exit('labelscape._model_file' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
