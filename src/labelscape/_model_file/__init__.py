"""Model files, which never run code when loaded (format: docs/model_files.md)."""

from labelscape._model_file._archive import ModelFileError
from labelscape._model_file._file import load, save
from labelscape._model_file._skops import can_hold

__all__ = ["ModelFileError", "can_hold", "load", "save"]
